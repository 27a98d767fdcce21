import { createServer } from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createCa, fixedCredentials } from '@capstan/kube';
import type { CertificateAuthority, Connection, Logger } from '@capstan/kube';
import { mappingFrom } from '../config.js';
import type { ProxyOptions } from '../config.js';
import { startProxy } from '../main.js';
import type { RunningProxy } from '../main.js';

/** One line of a log. */
export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that remembers. */
export function rememberingLogger(lines: Line[]): Logger {
  const at =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
      void lines.push({ level, message, fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

let shared: CertificateAuthority | undefined;

/** The CA of all servers here: making one takes a while. */
export function testCa(): CertificateAuthority {
  shared ??= createCa({ commonName: 'proxy-test' });
  return shared;
}

/** A scripted server over TLS. */
export interface Upstream {
  readonly url: string;
  readonly port: number;
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** A server that answers requests. */
export function serveTls(answer: RequestListener, port = 0): Promise<Upstream> {
  return listening(
    createServer({ ...certificate(), keepAliveTimeout: 60_000, maxHeaderSize: 2_000_000 }, answer),
    port,
  );
}

/** A server that does with each connection what nobody should. */
export function serveRaw(speak: (socket: Socket) => void, port = 0): Promise<Upstream> {
  return listening(createTlsServer({ ...certificate(), ALPNProtocols: ['http/1.1'] }, speak), port);
}

function certificate(): { readonly cert: string; readonly key: string } {
  const { certPem, keyPem } = testCa().issueServing({
    commonName: 'upstream',
    dnsNames: [],
    ipAddresses: ['127.0.0.1'],
  });
  return { cert: certPem, key: keyPem };
}

async function listening(server: Server, wanted: number): Promise<Upstream> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** How a server is reached with a token. */
export function connectionTo({ url }: Pick<Upstream, 'url'>, more: Partial<Connection> = {}): Connection {
  return {
    server: url,
    trust: { caPem: testCa().certPem },
    credentials: fixedCredentials({ headers: { authorization: 'Bearer of-the-proxy' } }),
    namespace: 'default',
    ...more,
  };
}

/** A proxy before a server. */
export interface Fixture {
  readonly proxy: RunningProxy;
  readonly upstream: Upstream;
  readonly lines: Line[];
  close(): Promise<void>;
}

/** Starts a proxy before a server. */
export async function proxyInFrontOf(upstream: Upstream, options: Partial<ProxyOptions> = {}): Promise<Fixture> {
  const lines: Line[] = [];
  const proxy = await startProxy({
    listen: { host: '127.0.0.1', port: 0 },
    health: { host: '127.0.0.1', port: 0 },
    connection: connectionTo(upstream),
    mapping: mappingFrom(),
    logger: rememberingLogger(lines),
    drainMs: 0,
    ...options,
  });
  return {
    proxy,
    upstream,
    lines,
    close: async () => {
      await proxy.close();
      await upstream.close();
    },
  };
}

/** The whole body of a request. */
export async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A connection to the proxy with nothing between. */
export interface RawClient {
  readonly socket: Socket;
  /** All that came. */
  text(): string;
  /** Resolves when that matches. */
  sees(pattern: RegExp): Promise<string>;
  /** Resolves when the connection is over, with whether it ended as it should. */
  readonly over: Promise<'ended' | 'broken'>;
}

/** Connects to the proxy and sends bytes. */
export function rawClient(url: string, bytes: string): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const waiting = new Set<() => void>();
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    for (const wake of waiting) wake();
  });
  const over = new Promise<'ended' | 'broken'>((resolve) => {
    socket.on('end', () => resolve('ended')).on('error', () => resolve('broken'));
  });
  socket.write(bytes, 'latin1');
  const sees = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(text())) return;
        waiting.delete(look);
        resolve(text());
      };
      waiting.add(look);
      void over.then(() =>
        pattern.test(text()) ? undefined : reject(new TypeError(`over before ${pattern}: ${text()}`)),
      );
      look();
    });
  return { socket, text, sees, over };
}
