import { Buffer } from 'node:buffer';
import type { ApiResponse, WatchFrame } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ApiServer } from '../server.js';
import type { StoreEvent } from '../store/index.js';
import { tokenAuthenticator } from '../auth/access.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';
import type { Journal, JournalFailure } from './journal.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** Keeps nothing; what it holds becomes durable when the test releases it. */
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

class Fixture {
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
async function watched(fixture: Fixture, query = 'watch=1'): Promise<string[]> {
  const { body } = await fixture.ask('GET', `${CONFIG_MAPS}?${query}`).response;
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
    const fixture = new Fixture();
    const asked = [fixture.create('a'), fixture.create('b')];
    await settled();
    expect(asked.map(({ isAnswered }) => isAnswered)).toEqual([false, false]);
    fixture.journal.flush();
    expect((await Promise.all(asked.map(({ response }) => response))).map(({ status }) => status)).toEqual([201, 201]);
  });

  it.each([
    ['GET', `${CONFIG_MAPS}/a`, 200],
    ['GET', CONFIG_MAPS, 200],
    ['POST', CONFIG_MAPS, 409],
  ])('does not let %s %s report a write that is not durable', async (method, target, status) => {
    const fixture = new Fixture();
    void fixture.create('a');
    const asked = fixture.ask(method, target, method === 'POST' ? { metadata: { name: 'a' } } : undefined);
    await settled();
    expect(asked.isAnswered).toBe(false);
    fixture.journal.flush();
    expect((await asked.response).status).toBe(status);
  });

  it('answers at once when nothing is on its way', () => {
    const { server } = new Fixture();
    expect(server.handle({ method: 'GET', target: CONFIG_MAPS, headers: {} })).not.toBeInstanceOf(Promise);
  });

  it('shows watchers what is durable, in order', async () => {
    const fixture = new Fixture();
    const seen = await watched(fixture);
    void fixture.create('a');
    void fixture.create('b');
    await settled();
    const late = watched(fixture);
    expect(seen).toEqual([]);
    fixture.journal.flush();
    expect(seen).toEqual(['ADDED a', 'ADDED b']);
    expect(await late).toEqual(['ADDED a', 'ADDED b']);
  });

  it('does not replay history that is not durable to a watch that opens meanwhile', async () => {
    const fixture = new Fixture();
    const { response } = fixture.ask('GET', `${CONFIG_MAPS}?watch=1&resourceVersion=${fixture.server.store.revision}`);
    const { body } = await response;
    void fixture.create('a');
    const types: string[] = [];
    if (body.type === 'watch') body.start({ frame: ({ type }) => types.push(type), end: () => undefined });
    expect(types).toEqual([]);
    fixture.journal.flush();
    expect(types).toEqual(['ADDED']);
  });

  it('sends nothing to a watch that was stopped', async () => {
    const fixture = new Fixture();
    const { body } = await fixture.ask('GET', `${CONFIG_MAPS}?watch=1`).response;
    const types: string[] = [];
    if (body.type === 'watch') body.start({ frame: ({ type }) => types.push(type), end: () => undefined });
    void fixture.create('a');
    if (body.type === 'watch') body.stop();
    fixture.journal.flush();
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
    const fixture = new Fixture();
    const underWay = fixture.create('a');
    fixture.journal.fail(reason, isNoSpace);
    const { revision } = fixture.server.store;
    const later = fixture.create('b');
    for (const asked of [underWay, later]) expect(await jsonOf(asked)).toMatchObject({ status: 'Failure', ...status });
    expect(fixture.server.store.revision).toBe(revision);
  });

  it('goes on with what stores nothing', async () => {
    const fixture = new Fixture();
    void fixture.create('a');
    fixture.journal.flush();
    fixture.journal.fail('no space left');
    const { response } = fixture.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
    expect((await response).status).toBe(201);
    const same = fixture.ask('PUT', `${CONFIG_MAPS}/a`, { metadata: { name: 'a' } });
    expect((await same.response).status).toBe(200);
    const dry = fixture.ask('POST', `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'b' } });
    expect((await dry.response).status).toBe(201);
    expect((await fixture.ask('DELETE', `${CONFIG_MAPS}/a`).response).status).toBe(500);
  });

  it('shows those who begin to watch what is there', async () => {
    const fixture = new Fixture();
    const before = await watched(fixture);
    void fixture.create('a');
    fixture.journal.fail('no space left');
    expect(await watched(fixture)).toEqual(['ADDED a']);
    expect(before).toEqual([]);
    fixture.journal.flush();
    expect(before).toEqual(['ADDED a']);
  });

  it('does not show the reason to users without write permission', async () => {
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

  it('goes on answering reads, and reports that it is not well', async () => {
    const fixture = new Fixture();
    void fixture.create('a');
    fixture.journal.fail('no space left');
    expect((await fixture.ask('GET', CONFIG_MAPS).response).status).toBe(200);
    expect((await fixture.ask('GET', '/readyz').response).status).toBe(500);
  });

  it('takes writes again when there is room, and shows watchers what they missed', async () => {
    const fixture = new Fixture();
    const seen = await watched(fixture);
    void fixture.create('a');
    fixture.journal.fail('no space left');
    await settled();
    expect(seen).toEqual([]);
    fixture.journal.flush();
    const asked = fixture.create('b');
    fixture.journal.flush();
    expect((await asked.response).status).toBe(201);
    expect(seen).toEqual(['ADDED a', 'ADDED b']);
    expect((await fixture.ask('GET', '/readyz').response).status).toBe(200);
  });
});
