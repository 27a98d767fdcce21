import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { MetricFamily } from '@capstan/meta';
import type { HttpLimits, HttpServer } from './options.js';
import { serveHttp } from './serve.js';
import { FedWatch, fetchReply, handler, ok, open, until } from './testing-client.js';
import { WatchBacklog, type Laggard } from './watch-backlog.js';

class Follower implements Laggard {
  readonly #backlog: WatchBacklog;
  readonly pieces: Uint8Array[] = [];
  isCut = false;

  constructor(backlog: WatchBacklog) {
    this.#backlog = backlog;
    backlog.enter(this);
  }

  get queuedBytes(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0);
  }

  take(...pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      this.pieces.push(piece);
      this.#backlog.hold(piece);
    }
    this.#backlog.shorten();
  }

  cutForOthers(): void {
    this.isCut = true;
    for (const piece of this.pieces) this.#backlog.release(piece);
  }
}

const pieces = (count: number): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(10));

describe('what waits for watchers', () => {
  it('counts once, however many wait for it', () => {
    const backlog = new WatchBacklog(100);
    const shared = pieces(10);
    const followers = [1, 2, 3].map(() => new Follower(backlog));
    for (const each of followers) each.take(...shared);
    expect(backlog.bytes).toBe(100);
    expect(followers.map(({ isCut }) => isCut)).toEqual([false, false, false]);
    followers[0]?.cutForOthers();
    expect(backlog.bytes).toBe(100);
    followers[1]?.cutForOthers();
    followers[2]?.cutForOthers();
    expect(backlog.bytes).toBe(0);
  });

  it('is shortened by those furthest behind, and no more than needed', () => {
    const backlog = new WatchBacklog(100);
    const [few, most, some] = [new Follower(backlog), new Follower(backlog), new Follower(backlog)] as const;
    few.take(...pieces(2));
    most.take(...pieces(5));
    some.take(...pieces(3));
    expect([few.isCut, most.isCut, some.isCut]).toEqual([false, false, false]);
    few.take(...pieces(1));
    expect([few.isCut, most.isCut, some.isCut]).toEqual([false, true, false]);
    expect(backlog.bytes).toBe(60);
  });
});

let running: HttpServer | undefined;
afterEach(async () => {
  await running?.close();
});

function valueOf(families: readonly MetricFamily[], name: string): string {
  const lines: string[] = [];
  for (const family of families) family.render(lines);
  return lines.filter((line) => line.startsWith(name)).join('\n');
}

async function serve(watches: readonly FedWatch[], limits: Partial<HttpLimits>): Promise<string[]> {
  const errors: string[] = [];
  running = await serveHttp(
    handler(({ target }) => {
      const watch = watches[Number(target.slice(1))];
      return watch === undefined ? ok('plain') : { status: 200, headers: {}, body: watch };
    }),
    { port: 0, limits, onError: (error) => void errors.push(String(error)) },
  );
  return errors;
}

async function silentClient(server: HttpServer, target: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

describe('watchers that read nothing', () => {
  const MIB = 1024 * 1024;

  it('are cut from the last on when too much waits for all, while those that read go on', async () => {
    const [behind, last, reading] = [new FedWatch(), new FedWatch(), new FedWatch()] as const;
    const errors = await serve([behind, last, reading], { watchPendingBytes: 1024 * MIB, watchBacklogBytes: 8 * MIB });
    const server = running as HttpServer;
    const sockets = [await silentClient(server, '/0'), await silentClient(server, '/1')];
    const response = await open(server, '/2');
    let read = 0;
    response.on('data', (piece: Buffer) => (read += piece.length));
    await until('the watches start', () => [behind, last, reading].every(({ sink }) => sink !== undefined));
    const piece = 'x'.repeat(MIB / 4);
    let sent = 0;
    // The kernel's buffers take some first; the loop is bounded by the failure of the last expectation.
    for (; sent < 400 && last.stops === 0; sent += 1) {
      if (sent % 4 === 0) behind.say(piece);
      last.say(piece);
      reading.say(piece);
      await until('the reader keeps up', () => read > sent * (MIB / 4));
    }
    expect([behind.stops, last.stops > 0, reading.stops]).toEqual([0, true, 0]);
    expect(errors).toEqual([
      expect.stringMatching(/^LastWatcher: the watcher was cut: too much waits for all watchers/),
    ]);
    expect(valueOf(server.metrics, 'capstan_apiserver_readers_cut_total')).toContain('{reason="watch-backlog"} 1');
    const waiting = Number(valueOf(server.metrics, 'capstan_apiserver_watch_backlog_bytes').split(' ').at(-1));
    expect(waiting).toBeLessThanOrEqual(8 * MIB);
    for (const socket of sockets) socket.destroy();
    await until('nothing waits', () => valueOf(server.metrics, 'capstan_apiserver_watch_backlog_bytes').endsWith(' 0'));
    response.destroy();
  });
});

describe('connections', () => {
  it('above the limit are closed at once, and taken again when others have left', async () => {
    await serve([], { connections: 2 });
    const server = running as HttpServer;
    const kept = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
    await Promise.all(kept.map((socket) => once(socket, 'connect')));
    const refused = connect(server.port, '127.0.0.1').on('error', () => {});
    await once(refused, 'close');
    expect(valueOf(server.metrics, 'capstan_apiserver_connections_dropped_total')).toMatch(/ 1$/);
    kept[0]?.destroy();
    let text = '';
    await until('the place is free', () => {
      void fetchReply(server, '/plain').then(
        (reply) => (text = reply.text),
        () => {},
      );
      return text === 'plain';
    });
    kept[1]?.destroy();
  });
});
