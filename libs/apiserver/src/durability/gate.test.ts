import { Buffer } from 'node:buffer';
import type { ApiResponse, WatchFrame } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ApiServer } from '../server.js';
import type { StoreEvent } from '../store/index.js';
import { tokenAuthenticator } from '../system/access.js';
import { ManualClock, countingRandom } from '../testing/world.js';
import type { Journal, JournalFailure } from './journal.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** Keeps nothing; what it holds becomes durable when the test says so. */
class ManualJournal implements Journal {
  durableRevision = 1;
  failure: JournalFailure | undefined;
  readonly events: StoreEvent[] = [];
  #listener: () => void = () => undefined;
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  append(event: StoreEvent): void {
    this.events.push(event);
  }

  flushed(): Promise<void> | undefined {
    if (this.failure !== undefined) return Promise.reject(new Error(this.failure.reason));
    if ((this.events.at(-1)?.revision ?? 1) <= this.durableRevision) return undefined;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  onDurable(listener: () => void): void {
    this.#listener = listener;
  }

  flush(): void {
    this.failure = undefined;
    this.durableRevision = this.events.at(-1)?.revision ?? 1;
    this.#listener();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  fail(reason: string, isNoSpace = true): void {
    this.failure = { reason, isNoSpace };
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(reason));
  }
}

interface Asked {
  isAnswered: boolean;
  readonly response: Promise<ApiResponse>;
}

class World {
  readonly journal = new ManualJournal();
  readonly server = new ApiServer({
    clock: new ManualClock(),
    random: countingRandom(),
    durable: { state: { revision: 1, objects: [] }, journal: this.journal },
  });

  constructor() {
    this.journal.flush();
  }

  ask(method: string, target: string, body?: unknown): Asked {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const response = this.server.send({
      method,
      target,
      headers: { 'content-type': 'application/json' },
      body: bytes === undefined ? undefined : { type: 'bytes', bytes },
    });
    const asked: Asked = { isAnswered: false, response };
    void response.then(() => (asked.isAnswered = true));
    return asked;
  }

  create(name: string): Asked {
    return this.ask('POST', CONFIG_MAPS, { metadata: { name } });
  }
}

/** Everything that can happen without a flush has happened. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

async function jsonOf({ response }: Asked): Promise<Record<string, unknown>> {
  const { body } = await response;
  return JSON.parse(body.type === 'payload' ? Buffer.concat(body.chunks()).toString() : '{}') as Record<
    string,
    unknown
  >;
}

/** The names an open watch has shown so far. */
async function watched(world: World, query = 'watch=1'): Promise<string[]> {
  const { body } = await world.ask('GET', `${CONFIG_MAPS}?${query}`).response;
  const seen: string[] = [];
  if (body.type !== 'watch') throw new Error('no watch');
  body.start({
    frame: (frame: WatchFrame) => {
      const { metadata } = frame.object() as { metadata: { name: string } };
      seen.push(`${frame.type} ${metadata.name}`);
    },
    end: () => seen.push('end'),
  });
  return seen;
}

describe('a durable server', () => {
  it('acknowledges a write when it is durable, and all writes of a batch together', async () => {
    const world = new World();
    const asked = [world.create('a'), world.create('b')];
    await settled();
    expect(asked.map(({ isAnswered }) => isAnswered)).toEqual([false, false]);
    world.journal.flush();
    expect((await Promise.all(asked.map(({ response }) => response))).map(({ status }) => status)).toEqual([201, 201]);
  });

  it.each([
    ['GET', `${CONFIG_MAPS}/a`, 200],
    ['GET', CONFIG_MAPS, 200],
    ['POST', CONFIG_MAPS, 409],
  ])('does not let %s %s tell of a write that is not durable', async (method, target, status) => {
    const world = new World();
    void world.create('a');
    const asked = world.ask(method, target, method === 'POST' ? { metadata: { name: 'a' } } : undefined);
    await settled();
    expect(asked.isAnswered).toBe(false);
    world.journal.flush();
    expect((await asked.response).status).toBe(status);
  });

  it('answers at once when nothing is on its way', () => {
    const { server } = new World();
    expect(server.handle({ method: 'GET', target: CONFIG_MAPS, headers: {} })).not.toBeInstanceOf(Promise);
  });

  it('shows watchers what is durable, in order', async () => {
    const world = new World();
    const seen = await watched(world);
    void world.create('a');
    void world.create('b');
    await settled();
    const late = watched(world);
    expect(seen).toEqual([]);
    world.journal.flush();
    expect(seen).toEqual(['ADDED a', 'ADDED b']);
    expect(await late).toEqual(['ADDED a', 'ADDED b']);
  });

  it('does not replay history that is not durable to a watch that opens meanwhile', async () => {
    const world = new World();
    const { response } = world.ask('GET', `${CONFIG_MAPS}?watch=1&resourceVersion=${world.server.store.revision}`);
    const { body } = await response;
    void world.create('a');
    const types: string[] = [];
    if (body.type === 'watch') body.start({ frame: ({ type }) => types.push(type), end: () => undefined });
    expect(types).toEqual([]);
    world.journal.flush();
    expect(types).toEqual(['ADDED']);
  });

  it('sends nothing to a watch that was stopped', async () => {
    const world = new World();
    const { body } = await world.ask('GET', `${CONFIG_MAPS}?watch=1`).response;
    const types: string[] = [];
    if (body.type === 'watch') body.start({ frame: ({ type }) => types.push(type), end: () => undefined });
    void world.create('a');
    if (body.type === 'watch') body.stop();
    world.journal.flush();
    expect(types).toEqual([]);
  });
});

describe('a durable server whose disk is full', () => {
  it.each([
    ['no space left', true, { message: 'etcdserver: mvcc: database space exceeded', code: 500 }],
    [
      'Input/output error',
      false,
      {
        message: 'Internal error occurred: the write could not be stored: Input/output error',
        reason: 'InternalError',
        code: 500,
      },
    ],
  ])('answers writes under way and to come with an error, and commits the latter not: %s', async (...given) => {
    const [reason, isNoSpace, status] = given;
    const world = new World();
    const underWay = world.create('a');
    world.journal.fail(reason, isNoSpace);
    const { revision } = world.server.store;
    const later = world.create('b');
    for (const asked of [underWay, later]) expect(await jsonOf(asked)).toMatchObject({ status: 'Failure', ...status });
    expect(world.server.store.revision).toBe(revision);
  });

  it('goes on with what stores nothing', async () => {
    const world = new World();
    void world.create('a');
    world.journal.flush();
    world.journal.fail('no space left');
    const { response } = world.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
    expect((await response).status).toBe(201);
    const same = world.ask('PUT', `${CONFIG_MAPS}/a`, { metadata: { name: 'a' } });
    expect((await same.response).status).toBe(200);
    const dry = world.ask('POST', `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'b' } });
    expect((await dry.response).status).toBe(201);
    expect((await world.ask('DELETE', `${CONFIG_MAPS}/a`).response).status).toBe(500);
  });

  it('shows those who begin to watch what is there', async () => {
    const world = new World();
    const before = await watched(world);
    void world.create('a');
    world.journal.fail('no space left');
    expect(await watched(world)).toEqual(['ADDED a']);
    expect(before).toEqual([]);
    world.journal.flush();
    expect(before).toEqual(['ADDED a']);
  });

  it('does not tell why to those who may not write', async () => {
    const journal = new ManualJournal();
    const server = new ApiServer({
      clock: new ManualClock(),
      random: countingRandom(),
      authenticate: tokenAuthenticator(new Map()),
      durable: { state: { revision: 1, objects: [] }, journal },
    });
    journal.fail('no space left');
    const { status } = await server.send({ method: 'POST', target: CONFIG_MAPS, headers: {} });
    expect(status).toBe(403);
  });

  it('goes on answering reads, and says that it is not well', async () => {
    const world = new World();
    void world.create('a');
    world.journal.fail('no space left');
    expect((await world.ask('GET', CONFIG_MAPS).response).status).toBe(200);
    expect((await world.ask('GET', '/readyz').response).status).toBe(500);
  });

  it('takes writes again when there is room, and shows watchers what they missed', async () => {
    const world = new World();
    const seen = await watched(world);
    void world.create('a');
    world.journal.fail('no space left');
    await settled();
    expect(seen).toEqual([]);
    world.journal.flush();
    const asked = world.create('b');
    world.journal.flush();
    expect((await asked.response).status).toBe(201);
    expect(seen).toEqual(['ADDED a', 'ADDED b']);
    expect((await world.ask('GET', '/readyz').response).status).toBe(200);
  });
});
