import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ManualClock } from '@capstan/kube/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, open, until } from './testing/ask.js';
import type { Opened } from './testing/ask.js';
import { connectionTo, rawClient, sendJson, serveRaw, serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture, Upstream } from './testing/fixture.js';

const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines';
const EVENT = '{"type":"ADDED","object":{"apiVersion":"cluster.hypershift.openshift.io/v1beta2","kind":"Machine"}}\n';

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

async function before(upstream: Upstream, options = {}): Promise<string> {
  fixture = await proxyInFrontOf(upstream, options);
  return fixture.proxy.url;
}

/** How a body that was opened ends. */
function ending({ response }: Opened): Promise<'whole' | 'broken'> {
  return new Promise((resolve) => {
    response.on('data', () => {});
    response.on('end', () => resolve('whole')).on('error', () => resolve('broken'));
  });
}

describe('A client that leaves', () => {
  it('ends its watch at the server', async () => {
    const url = await before(
      await serveTls((_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
      ),
    );
    const { request } = await open(`${url}${MACHINES}?watch=1`);
    expect(fixture?.upstream.sockets.size).toBe(1);
    request.destroy();
    await until(() => fixture?.upstream.sockets.size === 0);
  });

  it('ends a request that the server has not answered yet', async () => {
    let asked = 0;
    const url = await before(await serveTls(() => (asked += 1)));
    const client = rawClient(url, `GET ${MACHINES} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await until(() => asked === 1);
    client.socket.destroy();
    await until(() => fixture?.upstream.sockets.size === 0);
  });

  it('in the middle of its body makes the server see no whole request', async () => {
    const seen: string[] = [];
    const url = await before(
      await serveTls((request) => {
        request.on('data', () => {}).on('end', () => seen.push('whole'));
        request.on('error', () => seen.push('broken'));
      }),
    );
    const body = `{"a":"${'x'.repeat(200_000)}`;
    const client = rawClient(
      url,
      `POST ${MACHINES} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 400000\r\n\r\n${body}`,
    );
    await until(() => (fixture?.upstream.sockets.size ?? 0) === 1);
    client.socket.destroy();
    await until(() => seen.length === 1);
    expect(seen).toEqual(['broken']);
  });
});

describe('A body that the server breaks off', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  it.each([
    ['before its length is reached', `${HEAD}content-length: 100000\r\n\r\n{"items":[`],
    ['before its last chunk', `${HEAD}transfer-encoding: chunked\r\n\r\na\r\n{"items":[\r\n`],
    ['within a chunk', `${HEAD}transfer-encoding: chunked\r\n\r\nff\r\n{"items":[`],
  ])('%s never looks whole', async (_name, text) => {
    let breakOff = (): void => {};
    const url = await before(
      await serveRaw((socket) => {
        breakOff = () => void socket.end();
        socket.once('data', () => socket.write(text));
      }),
    );
    const opened = await open(`${url}${MACHINES}`);
    breakOff();
    expect(await ending(opened)).toBe('broken');
    await until(() => fixture?.lines.length === 1);
    expect(fixture?.lines[0]).toMatchObject({
      level: 'warn',
      message: 'Proxy request failed',
      fields: { code: 'connection-lost' },
    });
  });

  it('before anything of it was sent is answered with an error', async () => {
    const text = `${HEAD}transfer-encoding: chunked\r\n\r\na\r\n{"items":[\r\nno size\r\n`;
    const url = await before(await serveRaw((socket) => socket.once('data', () => socket.end(text))));
    const answer = await ask(`${url}${MACHINES}`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      502,
      { message: expect.stringContaining('the server sent a chunk without a size') },
    ]);
  });

  it('that is short is answered with an error, for nothing of it was sent', async () => {
    const url = await before(
      await serveRaw((socket) => socket.once('data', () => socket.end(`${HEAD}content-length: 100\r\n\r\n{"items":[`))),
    );
    expect((await ask(`${url}${MACHINES}`)).status).toBe(502);
  });

  it('in the middle of an event of a watch is a watch that broke, with all events before it', async () => {
    const url = await before(
      await serveTls((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(`${EVENT}${EVENT}${EVENT.slice(0, 60)}`);
        setTimeout(() => response.socket?.destroy(), 50);
      }),
    );
    const opened = await open(`${url}${MACHINES}?watch=1`);
    let text = '';
    opened.response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    expect(await ending(opened)).toBe('broken');
    expect(text.split('\n').slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => EVENT.trim().replace('cluster.hypershift.openshift.io', 'cluster.x-k8s.io')),
    );
  });
});

describe('A slow client', () => {
  it('holds back the server, not the memory of the proxy', async () => {
    const total = 64 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024, ' ');
    let sent = 0;
    const url = await before(
      await serveTls((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const send = (): void => {
          while (sent < total) {
            sent += piece.length;
            if (response.write(piece)) continue;
            response.once('drain', send);
            return;
          }
          response.end('{}');
        };
        send();
      }),
    );
    const { response } = await open(`${url}${MACHINES}`);
    response.pause();
    // Once nothing moves any more everybody waits for the client.
    let last = -1;
    while (sent !== last) {
      last = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(sent).toBeLessThan(total / 2);
    let received = 0;
    response.on('data', (chunk: Buffer) => (received += chunk.length));
    response.resume();
    await new Promise((resolve) => response.on('end', resolve));
    expect(received).toBe(total + 2);
  });

  it('holds back what is opened, too: a compressed answer does not grow in memory', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const url = await before(
      await serveTls((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
      }),
    );
    const { response } = await open(`${url}${MACHINES}`);
    response.pause();
    const used = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(process.memoryUsage().arrayBuffers - used).toBeLessThan(32 * 1024 * 1024);
    let received = 0;
    response.on('data', (chunk: Buffer) => (received += chunk.length));
    response.resume();
    await new Promise((resolve) => response.on('end', resolve));
    expect(received).toBe(64 * 1024 * 1024);
  });

  it('is not read from faster than the server takes', async () => {
    const held: Socket[] = [];
    const url = await before(await serveRaw((socket) => held.push(socket.pause())));
    const client = rawClient(
      url,
      'POST /api/v1/namespaces/n/pods/p/proxy/ HTTP/1.1\r\nhost: localhost\r\ncontent-length: 67108864\r\n\r\n',
    );
    const piece = Buffer.alloc(256 * 1024, 'x');
    let written = 0;
    await new Promise<void>((resolve) => {
      const write = (): void => {
        while (written < 67_108_864 && client.socket.write(piece)) written += piece.length;
        const before = written;
        const stuck = setTimeout(() => (written === before ? resolve() : undefined), 1_000);
        client.socket.once('drain', () => {
          clearTimeout(stuck);
          write();
        });
      };
      write();
    });
    expect(written).toBeLessThan(33_554_432);
    client.socket.destroy();
  });
});

describe('A server that is down', () => {
  it('is answered with 503 and Retry-After, and serves again when it is there', async () => {
    const upstream = await serveTls((_request, response) => sendJson(response, { kind: 'Machine' }));
    const url = await before(upstream);
    expect((await ask(`${url}${MACHINES}/m`)).status).toBe(200);
    await upstream.close();
    const answer = await ask(`${url}${MACHINES}/m`);
    expect([answer.status, answer.headers['retry-after'], JSON.parse(answer.text)]).toMatchObject([
      503,
      '1',
      { kind: 'Status', status: 'Failure', reason: 'ServiceUnavailable', code: 503 },
    ]);
    const again = await serveTls((_request, response) => sendJson(response, { kind: 'Again' }), upstream.port);
    expect(JSON.parse((await ask(`${url}${MACHINES}/m`)).text)).toEqual({ kind: 'Again' });
    await again.close();
  });

  it('breaks watches, which can be begun again when it is back', async () => {
    const watch = (_request: unknown, response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(EVENT);
    };
    const upstream = await serveTls(watch);
    const url = await before(upstream);
    const opened = await open(`${url}${MACHINES}?watch=1`);
    const ended = ending(opened);
    await upstream.close();
    expect(await ended).toBe('broken');
    const again = await serveTls(watch, upstream.port);
    const { request, response } = await open(`${url}${MACHINES}?watch=1`);
    expect(response.statusCode).toBe(200);
    request.destroy();
    await again.close();
  });

  it('and has closed an idle connection at the wrong moment is asked again, where asking twice does no harm', async () => {
    let requests = 0;
    const url = await before(
      await serveRaw((socket) =>
        socket.on('data', () => {
          requests += 1;
          // The second request on a connection meets one that is being closed.
          if (requests === 2) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        }),
      ),
    );
    expect((await ask(`${url}/version`)).status).toBe(200);
    expect((await ask(`${url}/version`)).status).toBe(200);
    expect(requests).toBe(3);
  });

  it('and breaks off a write is not asked again', async () => {
    let requests = 0;
    const url = await before(
      await serveRaw((socket) =>
        socket.on('data', () => {
          requests += 1;
          if (requests > 1) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        }),
      ),
    );
    await ask(`${url}/version`);
    const answer = await ask(`${url}/api/v1/namespaces`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, requests]).toEqual([502, 2]);
  });
});

describe('A half-open connection', () => {
  it('that swallows a request is given up, and the next goes another way', async () => {
    const clock = new ManualClock();
    let connections = 0;
    let swallowed = 0;
    const url = await before(
      await serveRaw((socket) => {
        connections += 1;
        if (connections > 1) socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
        else socket.on('data', () => (swallowed += 1));
      }),
      { responseTimeoutMs: 90_000, clock },
    );
    const asked = ask(`${url}${MACHINES}/m`);
    await until(() => swallowed === 1);
    await clock.advance(90_000);
    const answer = await asked;
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([504, { reason: 'Timeout', code: 504 }]);
    expect((await ask(`${url}${MACHINES}/m`)).status).toBe(200);
  });
});

describe('A long upload', () => {
  it('does not take from the time that the server has to answer', async () => {
    const clock = new ManualClock();
    let received = 0;
    const url = await before(
      await serveTls((request, response) => {
        request.on('data', (chunk: Buffer) => (received += chunk.length));
        request.on('end', () => sendJson(response, { kind: 'Done' }));
      }),
      { responseTimeoutMs: 1_000, clock },
    );
    const client = rawClient(
      url,
      'POST /api/v1/namespaces/n/pods/p/proxy/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 400000\r\n\r\n',
    );
    client.socket.write('x'.repeat(200_000));
    await until(() => received === 200_000);
    await clock.advance(60_000);
    client.socket.write('x'.repeat(200_000));
    expect(await client.sees(/"kind":"Done"/)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('A stop', () => {
  it('lets a request finish, ends watches between events and takes nobody new', async () => {
    const held: ServerResponse[] = [];
    const upstream = await serveTls((request, response) => {
      if (request.url?.includes('watch') === true) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(EVENT);
      } else held.push(response);
    });
    const url = await before(upstream, { drainMs: 60_000, connection: connectionTo(upstream) });
    const watch = await open(`${url}${MACHINES}?watch=1`);
    await new Promise((resolve) => watch.response.once('data', resolve));
    const watched = ending(watch);
    const asked = ask(`${url}${MACHINES}/m`);
    await until(() => held.length === 1);
    const closing = fixture?.proxy.close();
    expect(await watched).toBe('whole');
    await expect(ask(`${url}/version`)).rejects.toThrow('ECONNREFUSED');
    held[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect((await asked).status).toBe(200);
    await closing;
  });

  it('waits no longer than it may', async () => {
    const url = await before(await serveTls(() => {}), { drainMs: 50 });
    const asked = ask(`${url}${MACHINES}/m`);
    const failed = asked.then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await until(() => fixture?.upstream.sockets.size === 1);
    await fixture?.proxy.close();
    expect(await failed).toBe('socket hang up');
  });

  it('can be asked for twice', async () => {
    await before(await serveTls(() => {}));
    await Promise.all([fixture?.proxy.close(), fixture?.proxy.close()]);
    const { port } = new URL(fixture?.proxy.url ?? '');
    await expect(
      new Promise((resolve, reject) =>
        connect(Number(port), '127.0.0.1', () => resolve('connected')).on('error', reject),
      ),
    ).rejects.toThrow('ECONNREFUSED');
  });
});
