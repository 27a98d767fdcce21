import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '@capstan/meta';
import type { ApiResponse, Transport } from '@capstan/meta';
import { anonymous } from '../config/credentials.js';
import { HttpTransport } from '../transport/http.js';
import { systemClock } from '../runtime/clock.js';
import { waitUntilSteady } from '../testing/wait.js';
import { Client } from './client.js';

const LIMITS = { clock: systemClock(), limitMs: 10_000, everyMs: 50 };

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function overHttp(answer: RequestListener, options: { requestTimeoutMs?: number } = {}): Promise<Client> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = {
    server: `http://127.0.0.1:${port}`,
    trust: {},
    credentials: anonymous(),
    namespace: 'default',
  };
  const transport = new HttpTransport(connection, options);
  closers.push(
    () => transport.close(),
    () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  );
  return new Client(transport, { maxRetries: 0 });
}

async function textOf(log: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of log) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('the log of a container', () => {
  it('is asked for by its part', async () => {
    let url = '';
    const client = await overHttp((request, response) => {
      url = request.url ?? '';
      response.end('text\n');
    });
    const options = { container: 'c', follow: false, tailLines: 0, sinceTime: '2026-01-01T00:00:00Z' };
    expect(await textOf(client.logs('ns', 'p', options))).toBe('text\n');
    expect(url).toBe('/api/v1/namespaces/ns/pods/p/log?container=c&tailLines=0&sinceTime=2026-01-01T00%3A00%3A00Z');
  });

  it('comes while it is written, for as long as it takes', async () => {
    let say: (text: string) => void = () => {};
    const client = await overHttp(
      (_request, response) => {
        response.flushHeaders();
        say = (text) => void response.write(text);
        setTimeout(() => say('one\n'), 150);
      },
      { requestTimeoutMs: 50 },
    );
    const log = client.logs('ns', 'p', { follow: true })[Symbol.asyncIterator]();
    expect(String(Buffer.from((await log.next()).value as Uint8Array))).toBe('one\n');
    const next = log.next();
    say('two\n');
    expect(String(Buffer.from((await next).value as Uint8Array))).toBe('two\n');
    await log.return?.();
  });

  it('ends the request when the reader has enough or its signal aborts', async () => {
    let open = 0;
    const client = await overHttp((_request, response) => {
      open += 1;
      response.on('close', () => (open -= 1));
      response.write('one\n');
    });
    for await (const _piece of client.logs('ns', 'p', { follow: true })) break;
    await expect.poll(() => open).toBe(0);
    const abort = new AbortController();
    const log = client.logs('ns', 'p', { follow: true, signal: abort.signal })[Symbol.asyncIterator]();
    await log.next();
    const next = log.next();
    abort.abort();
    await expect(next).rejects.toThrow('aborted');
    await expect.poll(() => open).toBe(0);
  });

  it('is read no faster than the reader does', async () => {
    let written = 0;
    const client = await overHttp((_request, response) => {
      const piece = Buffer.alloc(1_000_000);
      const more = (): void => {
        while (written < 50_000_000) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const log = client.logs('ns', 'p')[Symbol.asyncIterator]();
    let size = ((await log.next()).value as Uint8Array).length;
    expect(await waitUntilSteady('bytes written', () => written, LIMITS)).toBeLessThan(20_000_000);
    for (let next = await log.next(); next.done !== true; next = await log.next()) size += next.value.length;
    expect(size).toBe(50_000_000);
  });

  it('that is refused throws the error of the server', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no log', code: 400 };
    const client = await overHttp((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(status));
    });
    const refused = textOf(client.logs('ns', 'p'));
    await expect(refused).rejects.toBeInstanceOf(ApiError);
    await expect(refused).rejects.toThrow('no log');
  });

  it('that breaks throws', async () => {
    const client = await overHttp((_request, response) => {
      response.write('half', () => response.destroy());
    });
    await expect(textOf(client.logs('ns', 'p'))).rejects.toMatchObject({ name: 'TransportError' });
  });

  it('is empty where there is none yet', async () => {
    const client = await overHttp((_request, response) => response.writeHead(204).end());
    expect(await textOf(client.logs('ns', 'p'))).toBe('');
  });

  it('is the same within the process', async () => {
    let cancelled = 0;
    async function* read(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('in ');
      yield Buffer.from('process');
    }
    const answer: ApiResponse = {
      status: 200,
      headers: {},
      body: { type: 'stream', read, cancel: () => void (cancelled += 1) },
    };
    const transport: Transport = { send: () => Promise.resolve(answer) };
    expect(await textOf(new Client(transport).logs('ns', 'p'))).toBe('in process');
    expect(cancelled).toBe(1);
  });
});
