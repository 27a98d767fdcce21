import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '@capstan/meta';
import { serveHttp } from './serve.js';
import { testCertificates } from './testing-certificates.js';
import { FedWatch, fetchReply, handler, ok, open, until } from './testing-client.js';

const tls = { cert: testCertificates.server.cert, key: testCertificates.server.key };

describe('close', () => {
  it('ends watches cleanly, with what they had still to say', async () => {
    const watch = new FedWatch();
    const server = await serveHttp(
      handler(() => ({ status: 200, headers: {}, body: watch })),
      { port: 0, tls },
    );
    const response = await open(server, '/watch', { agent: new Agent({ keepAlive: true }) });
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const ended = once(response, 'end');
    watch.say('last words');
    await server.close();
    await ended;
    expect(text).toBe('last words\n');
    expect(watch.stops).toBeGreaterThan(0);
  });

  it('waits for requests under way, answers them, and takes no new ones', async () => {
    let release = (_response: ApiResponse): void => {};
    let arrived = false;
    const server = await serveHttp(
      handler(() => new Promise((resolve) => ((release = resolve), (arrived = true)))),
      { port: 0, tls },
    );
    const reply = fetchReply(server, '/', { agent: new Agent({ keepAlive: true }) });
    await until('the request arrives', () => arrived);
    let isClosed = false;
    const closed = server.close().then(() => (isClosed = true));
    await expect(fetchReply(server, '/')).rejects.toThrow('ECONNREFUSED');
    expect(isClosed).toBe(false);
    release(ok('in time'));
    expect((await reply).text).toBe('in time');
    await closed;
  });

  it('does not wait for connections that ask nothing, in a handshake or idle', async () => {
    const server = await serveHttp(
      handler(() => ok('x')),
      { port: 0, tls },
    );
    const agent = new Agent({ keepAlive: true });
    await fetchReply(server, '/', { agent });
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'connect');
    const begin = Date.now();
    await server.close();
    expect(Date.now() - begin).toBeLessThan(1_000);
    agent.destroy();
    silent.destroy();
  });

  it('cuts what is not done within the limit', async () => {
    let arrived = false;
    const server = await serveHttp(
      handler(() => new Promise(() => (arrived = true))),
      { port: 0, tls, limits: { closeMs: 50 } },
    );
    const reply = fetchReply(server, '/').catch((error: Error) => error.message);
    await until('the request arrives', () => arrived);
    await server.close();
    expect(await reply).toMatch(/socket hang up|ECONNRESET/);
  });

  it('may be called twice', async () => {
    const server = await serveHttp(
      handler(() => ok('x')),
      { port: 0 },
    );
    await Promise.all([server.close(), server.close()]);
    await expect(fetchReply(server, '/')).rejects.toThrow('ECONNREFUSED');
  });
});
