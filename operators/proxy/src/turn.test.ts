import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { ManualClock } from '@capstan/kube/testing';
import type { Credentials } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { mappingFrom } from './config.js';
import type { Reply } from './exchange/client.js';
import { HeadReader } from './inbound/head-reader.js';
import { PlainConnection } from './inbound/plain-connection.js';
import { startProxy } from './main.js';
import { until } from './testing/ask.js';
import { rememberingLogger } from './testing/fixture.js';
import type { Outgoing } from './turn.js';
import { writeAfterReads } from './turn.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A connection of which the test is the other end. */
class FakeSocket extends Duplex {
  written = '';
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString('latin1');
    done();
  }
  destroySoon(): void {
    this.end();
  }
}

describe('What is written after all has been read', () => {
  it('goes in the order in which it came, answers before requests, and what comes of that in the next turn', async () => {
    const events: string[] = [];
    const say = (text: string, then: () => void = () => {}): Outgoing => ({
      goOut: () => {
        events.push(text);
        then();
      },
    });
    const later = (): void => writeAfterReads(say('answer three'), 'answer');
    writeAfterReads(say('request one'), 'request');
    writeAfterReads(say('answer one', later), 'answer');
    writeAfterReads(say('request two'), 'request');
    writeAfterReads(say('answer two'), 'answer');
    expect(events).toEqual([]);
    await turn();
    expect(events).toEqual(['answer one', 'answer two', 'request one', 'request two']);
    await turn();
    expect(events.at(-1)).toBe('answer three');
    expect(events).toHaveLength(5);
  });
});

/** Serves a connection whose requests are answered at once; then something happens to it in the same turn. */
async function answered(asked: string, then: (socket: FakeSocket) => void): Promise<FakeSocket> {
  const socket = new FakeSocket();
  const home = {
    clock: new ManualClock(),
    keepAliveSeconds: 1,
    heads: new HeadReader(),
    serve: (_: unknown, reply: Reply): void => {
      reply.listener = { onReplyClose: () => {}, onReplyDrain: () => {}, onReplyWritten: () => {} };
      reply.begin({ status: 200, headers: [], length: 2, hasDate: false, isLast: false });
      reply.end(Buffer.from('ok'));
      expect([reply.isWaiting, reply.isSent]).toEqual([true, false]);
      then(socket);
    },
    handOver: (): void => {},
    closed: (): void => {},
  };
  new PlainConnection(socket as unknown as Socket, home);
  socket.push(asked);
  for (let more = 0; more < 3; more += 1) await turn();
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nConnection: keep-alive\r\nKeep-Alive: timeout=1\r\n\r\nok';

describe('An answer that waits', () => {
  it('is sent to a client that has ended its side', async () => {
    const socket = await answered(GET, (connection) => void connection.push(null));
    expect([socket.written, socket.writableEnded]).toEqual([ANSWER, true]);
  });

  it('is not sent to one that is gone', async () => {
    const socket = await answered(GET, (connection) => void connection.destroy());
    expect(socket.written).toBe('');
  });

  it('goes before the answer to what was asked with it', async () => {
    const socket = await answered(GET + GET, () => {});
    expect(socket.written).toBe(ANSWER + ANSWER);
  });
});

/** Answers each request with its method and how many it has had. */
class FakeServer extends FakeSocket {
  #count = 0;
  override _write(chunk: Buffer, encoding: string, done: () => void): void {
    super._write(chunk, encoding, done);
    const body = `${chunk.toString('latin1').split(' ', 1)[0]} ${(this.#count += 1)}`;
    this.push(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  }
}

/** A proxy without a network: a client, the connections to the server, and what happens to the last of them once it is taken. */
async function startFake(): Promise<Fake> {
  const wires: FakeServer[] = [];
  const client = new FakeSocket();
  let next: ((wire: FakeServer) => void) | undefined;
  const get = (): Credentials => {
    const [wire, act] = [wires.at(-1), next];
    if (wire !== undefined && act !== undefined) process.nextTick(() => act(wire));
    next = undefined;
    return { headers: {} };
  };
  const proxy = await startProxy({
    listen: { host: '127.0.0.1', port: 80 },
    connection: {
      server: 'http://server',
      trust: {},
      credentials: { get, refresh: () => false },
      namespace: 'default',
    },
    mapping: mappingFrom(),
    logger: rememberingLogger([]),
    drainMs: 0,
    network: {
      attach: (_port, server) => {
        server.emit('connection', client as unknown as Socket);
        return Promise.resolve({ close: () => Promise.resolve() });
      },
      dial: () => {
        const wire = new FakeServer();
        wires.push(wire);
        return Promise.resolve(wire);
      },
    },
  });
  return { client, wires, onTaken: (act) => (next = act), close: () => proxy.close() };
}

interface Fake {
  readonly client: FakeSocket;
  readonly wires: readonly FakeServer[];
  onTaken(act: (wire: FakeServer) => void): void;
  close(): Promise<void>;
}

describe('A server that speaks or leaves before a request that waits has been written', () => {
  it.each<[name: string, method: string, act: (wire: FakeServer) => void]>([
    ['with an answer to nothing, before a read', 'GET', (wire) => void wire.push('HTTP/1.1 408 Late\r\n\r\n')],
    ['with an answer to nothing, before a write', 'DELETE', (wire) => void wire.push('HTTP/1.1 408 Late\r\n\r\n')],
    ['with its end, before a write', 'DELETE', (wire) => void wire.push(null)],
  ])('is asked on another connection: %s', async (_name, method, act) => {
    const fake = await startFake();
    const { client, wires } = fake;
    const asks = `${method} /version HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    client.push(asks);
    await until(() => client.written.endsWith(`\r\n\r\n${method} 1`));
    client.written = '';
    fake.onTaken(act);
    client.push(asks);
    await until(() => client.written.endsWith(`\r\n\r\n${method} 1`));
    expect(client.written).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(wires.map((wire) => wire.written.split('\r\n', 1))).toEqual([
      [`${method} /version HTTP/1.1`],
      [`${method} /version HTTP/1.1`],
    ]);
    await fake.close();
  });
});
