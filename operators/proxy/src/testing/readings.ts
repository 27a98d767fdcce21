import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { bodyOf, connectionTo, serveTls, proxyInFrontOf } from './fixture.js';
import type { Fixture, Upstream } from './fixture.js';
import { fixedCredentials } from '@capstan/kube';

/** What came of the bytes of a client. */
export interface Reading {
  /** What the server was asked, in some order. */
  readonly asked: readonly string[];
  /** What the client received. */
  readonly received: string;
}

/** Two proxies before one server: one reads plain requests itself, the other leaves all to Node. */
export interface Readers {
  readonly ours: (pieces: readonly string[]) => Promise<Reading>;
  readonly nodes: (pieces: readonly string[]) => Promise<Reading>;
  close(): Promise<void>;
}

/** So that a wire to the server is idle when the bytes come, and nothing waits for one. */
const WARM_UP = 'GET /warm HTTP/1.1\r\nhost: localhost\r\n\r\n';
const LAST = 'GET /last HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
/** A parser that waits for the rest of a body gets these; before a request they mean nothing. */
const FILLING = '\r\n'.repeat(200);

const TURNS = 5;

/** Starts them. */
export async function startReaders(): Promise<Readers> {
  const asked: Record<string, string[]> = { ours: [], nodes: [] };
  let open = 0;
  const upstream = await serveTls((request, response) => {
    open += 1;
    void recordOf(request).then((record) => {
      open -= 1;
      const who = request.headers.authorization?.split(' ')[1] ?? '';
      if (!record.startsWith('GET /warm') && !record.startsWith('GET /last')) asked[who]?.push(record);
      const isChunked = record.includes('chunky');
      const body = Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', data: { record } }));
      response.sendDate = false;
      response.setHeader('content-type', 'application/json');
      if (!isChunked) response.setHeader('content-length', body.length);
      response.end(body);
    });
  });
  const [ours, nodes] = [await before(upstream, 'ours'), await before(upstream, 'nodes')];
  const reader =
    ({ proxy }: Fixture, who: string) =>
    async (pieces: readonly string[]): Promise<Reading> => {
      asked[who] = [];
      const received = await send(proxy.url, pieces);
      // A request whose client is gone may still be on its way.
      for (let turn = 0; turn < TURNS || open > 0; turn += 1) await new Promise(setImmediate);
      return { asked: asked[who].toSorted(), received };
    };
  return {
    ours: reader(ours, 'ours'),
    nodes: reader(nodes, 'nodes'),
    close: async () => {
      await nodes.proxy.close();
      await ours.close();
    },
  };
}

function before(upstream: Upstream, who: string): Promise<Fixture> {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${who}` } });
  return proxyInFrontOf(upstream, {
    connection: connectionTo(upstream, { credentials }),
    readsPlainRequests: who === 'ours',
  });
}

async function recordOf(request: IncomingMessage): Promise<string> {
  const { method, url, rawHeaders } = request;
  const body = await bodyOf(request).catch(() => 'broken');
  const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `\n${text}: ` : text.startsWith('Bearer ') ? '' : text));
  return `${method} ${url}${lines.join('')}\n\n${body.toString('latin1')}`;
}

/** Sends pieces one after the other; resolves with all that came back once the proxy has ended the connection. */
function send(url: string, pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let received = '';
    let isWarm = false;
    const over = (): void => resolve(received.replaceAll(/^Date: .*$/gm, 'Date: now'));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      // The answer to the first request ends with that of its body.
      if (isWarm || !received.endsWith('}}')) return;
      isWarm = true;
      received = '';
      void send();
    });
    socket.on('error', over).on('close', over);
    socket.write(WARM_UP, 'latin1');
    const send = async (): Promise<void> => {
      for (const piece of [...pieces, FILLING + LAST]) {
        if (socket.destroyed || !socket.writable) return;
        await new Promise((sent) => socket.write(piece, 'latin1', sent));
        await new Promise(setImmediate);
      }
    };
  });
}
