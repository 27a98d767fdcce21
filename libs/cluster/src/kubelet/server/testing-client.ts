import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { createCa } from '@capstan/kube';
import { ScriptedNode } from '../../testing/scripted-node.js';
import type { NodeStreams } from '../streams.js';
import { serveKubelet, type KubeletServer } from './serve.js';
import { SpdyConnection } from './spdy/connection.js';
import type { SpdyStream } from './spdy/stream.js';

const ca = createCa({ commonName: 'kubelet-ca' });
const serving = ca.issueServing({ commonName: 'system:node:n', ipAddresses: ['127.0.0.1'] });

/** Who asks. */
export const CALLERS = {
  apiServer: ca.issueClient({ user: 'kube-apiserver-kubelet-client' }),
  administrator: ca.issueClient({ user: 'root', groups: ['system:masters'] }),
  stranger: ca.issueClient({ user: 'mallory', groups: ['system:nodes'] }),
  forger: createCa({ commonName: 'kubelet-ca' }).issueClient({ user: 'kube-apiserver-kubelet-client' }),
  nobody: undefined,
};

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caller?: keyof typeof CALLERS;
}

/** A kubelet under test. */
export class TestedKubelet {
  readonly server: KubeletServer;

  private constructor(server: KubeletServer) {
    this.server = server;
  }

  static async serve(streams: NodeStreams = new ScriptedNode()): Promise<TestedKubelet> {
    const tls = { cert: serving.certPem, key: serving.keyPem, clientCa: ca.certPem };
    return new TestedKubelet(await serveKubelet(streams, { tls }));
  }

  /** What a TLS client needs to be the caller. */
  identity(caller: keyof typeof CALLERS = 'apiServer'): { ca: string; cert?: string; key?: string } {
    const pair = CALLERS[caller];
    return { ca: ca.certPem, ...(pair === undefined ? {} : { cert: pair.certPem, key: pair.keyPem }) };
  }

  /** The answer's head; 101 comes with its connection. */
  async ask(path: string, asked: Asked = {}): Promise<{ response: IncomingMessage; connection?: Duplex }> {
    const request = httpsRequest({
      host: '127.0.0.1',
      port: this.server.port,
      path,
      method: asked.method ?? 'GET',
      headers: asked.headers,
      agent: false,
      ...this.identity(asked.caller),
    });
    request.end();
    return new Promise((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => resolve({ response }));
      request.on('upgrade', (response, connection, head) => {
        if (head.length > 0) connection.unshift(head);
        resolve({ response, connection });
      });
    });
  }

  /** Status and text of an answer. */
  async text(path: string, asked: Asked = {}): Promise<[number, string]> {
    const { response } = await this.ask(path, asked);
    return [response.statusCode ?? 0, await textOf(response)];
  }

  /** A SPDY connection for the protocols, or the refusal. */
  async spdy(path: string, protocols = 'v4.channel.k8s.io'): Promise<SpdyClient> {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols };
    const { response, connection } = await this.ask(path, { method: 'POST', headers });
    if (connection === undefined) throw new Error(`${response.statusCode} ${await textOf(response)}`);
    return new SpdyClient(connection, String(response.headers['x-stream-protocol-version']));
  }
}

/** The client's end of a streaming session. */
export class SpdyClient {
  readonly protocol: string;
  readonly wire: Duplex;
  readonly connection: SpdyConnection;

  constructor(wire: Duplex, protocol: string) {
    this.wire = wire;
    this.protocol = protocol;
    this.connection = new SpdyConnection(wire, 'client', () => false);
  }

  open(streamtype: string, more: Readonly<Record<string, string>> = {}): SpdyStream {
    return this.connection.open({ streamtype, ...more });
  }
}

/** All data of a stream until its end. */
export async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(stream, 'end');
  return Buffer.concat(pieces).toString();
}
