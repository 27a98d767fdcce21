import { Client, isAborted, isConnectionLost, sleep } from '@capstan/kube';
import { isConflict, isTooManyRequests } from '@capstan/meta';
import type { WatchBody } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../faults/fault.js';
import { listedFaults } from '../faults/sources.js';
import { configMap, CONFIG_MAPS } from '../scenarios/resources.js';
import { SERVER_PROCESS } from './event-log.js';
import type { ProcessContext } from './process.js';
import { World } from './world.js';

const WATCH_REQUEST = 'GET /api/v1/namespaces/default/configmaps';
const IN_DEFAULT = { namespace: 'default' };

/** A world with one process whose second request, a write, is struck. */
async function strike(
  action: FaultAction,
  write: (client: Client) => Promise<unknown>,
): Promise<{ readonly world: World; readonly outcome: unknown; readonly lives: number }> {
  let requests = 0;
  const world = new World({
    seed: 7,
    faults: {
      strike: ({ process }, point) =>
        process === 'p' && point !== 'start' && (requests += 1) === 2 ? action : undefined,
    },
  });
  let outcome: unknown = 'nothing';
  let lives = 0;
  world.spawn({
    name: 'p',
    start: async ({ client }) => {
      lives += 1;
      if (lives > 1) return;
      await client.create(CONFIG_MAPS, configMap('default', 'first'));
      outcome = await write(client).catch((error: unknown) => error);
    },
  });
  await world.runUntil(120_000);
  return { world, outcome, lives };
}

const create = (client: Client): Promise<unknown> => client.create(CONFIG_MAPS, configMap('default', 'second'));
const change = (client: Client): Promise<unknown> =>
  client.patch(CONFIG_MAPS, 'first', { type: 'merge', value: { data: { a: 'b' } } }, IN_DEFAULT);
const has = (world: World, name: string): boolean =>
  world.server.store.get('/configmaps', 'default', name) !== undefined;

describe('a fault of a request', () => {
  it('lost before leaves nothing behind', async () => {
    const { world, outcome } = await strike({ kind: 'lost-before' }, create);
    expect(isConnectionLost(outcome)).toBe(true);
    expect(has(world, 'second')).toBe(false);
  });

  it('lost after leaves the object, and the same error', async () => {
    const { world, outcome } = await strike({ kind: 'lost-after' }, create);
    expect(isConnectionLost(outcome)).toBe(true);
    expect(has(world, 'second')).toBe(true);
  });

  it('a delay holds the request up', async () => {
    const { world } = await strike({ kind: 'delay', ms: 5_000 }, create);
    const committed = world.log.events.find((event) => event.type === 'commit' && event.name === 'second');
    expect(committed?.at).toBeGreaterThan(5_000);
  });

  it('a duplicate creates once and answers for the second time', async () => {
    const { world, outcome } = await strike({ kind: 'duplicate', ms: 50 }, create);
    expect((outcome as Error).message).toBe('configmaps "second" already exists');
    expect(has(world, 'second')).toBe(true);
  });

  it('a conflict is one to the client', async () => {
    const { world, outcome } = await strike({ kind: 'status', code: 409 }, change);
    expect(isConflict(outcome)).toBe(true);
    expect(world.log.events.some((event) => event.type === 'commit' && event.change === 'update')).toBe(false);
  });

  it('too many requests are tried again when the server says', async () => {
    const { outcome } = await strike({ kind: 'status', code: 429, retryAfterSeconds: 2 }, change);
    expect(isTooManyRequests(outcome)).toBe(false);
    expect(outcome).toMatchObject({ data: { a: 'b' } });
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('a crash %s it takes effect ends the process there, which starts anew', async (when, isThere) => {
    const { world, outcome, lives } = await strike({ kind: 'crash', when, downMs: 100 }, create);
    expect(outcome).toBe('nothing');
    expect(lives).toBe(2);
    expect(has(world, 'second')).toBe(isThere);
  });
});

/** What a watch of ConfigMaps shows until the end of the world, one object being made each second. */
async function watchUnder(action: FaultAction): Promise<string[]> {
  const world = new World({
    seed: 3,
    faults: listedFaults([{ process: 'watcher', subject: WATCH_REQUEST, occurrence: 1, action }]),
  });
  const shown: string[] = [];
  const begins = world.server.store.revision;
  world.spawn({
    name: 'watcher',
    start: async ({ client, clock }) => {
      const resourceVersion = String(begins);
      const body = await client.watch(CONFIG_MAPS, { ...IN_DEFAULT, resourceVersion });
      body.start({
        frame: (frame) => {
          const { metadata } = frame.object() as { metadata: { name?: string } };
          shown.push(`${Math.floor(clock.monotonic() / 1000)} ${frame.type} ${metadata.name ?? ''}`.trim());
        },
        end: (error) => shown.push(`end ${error?.message ?? ''}`.trim()),
      });
    },
  });
  for (let second = 1; second <= 4; second += 1)
    world.timeline.after(second * 1000, undefined, () => {
      void world.server.handle({
        method: 'POST',
        target: '/api/v1/namespaces/default/configmaps',
        headers: { 'content-type': 'application/json' },
        body: { type: 'value', value: configMap('default', `m${second}`) },
      });
    });
  await world.runUntil(30_000);
  return shown;
}

describe('a fault of a watch', () => {
  it.each([
    [{ kind: 'delay', ms: 1 } as const, ['1 ADDED m1', '2 ADDED m2', '3 ADDED m3', '4 ADDED m4']],
    [{ kind: 'watch-cut', afterMs: 2500 } as const, ['1 ADDED m1', '2 ADDED m2', 'end the connection was reset']],
    [{ kind: 'watch-expired', afterMs: 2500 } as const, ['1 ADDED m1', '2 ADDED m2', '2 ERROR', 'end']],
    [
      { kind: 'watch-stall', afterMs: 1500, forMs: 8000 } as const,
      ['1 ADDED m1', '9 ADDED m2', '9 ADDED m3', '9 ADDED m4'],
    ],
  ])('%j', async (action, expected) => {
    expect((await watchUnder(action)).filter((line) => !line.includes('kube-root-ca'))).toEqual(expected);
  });
});

describe('a world', () => {
  it('spares everybody when the time of faults is over', async () => {
    const world = new World({ seed: 1, faultsUntilMs: 5000, faults: { strike: () => ({ kind: 'lost-before' }) } });
    const outcomes: boolean[] = [];
    world.spawn({
      name: 'p',
      start: async ({ client, clock }) => {
        for (const at of [1000, 6000]) {
          await sleep(clock, at - clock.monotonic());
          outcomes.push(await create(client).then(() => true, isConnectionLost));
        }
      },
    });
    await world.runUntil(10_000);
    expect([outcomes, has(world, 'second')]).toEqual([[true, true], true]);
    expect(world.log.events.filter(({ type }) => type === 'fault').map(({ at }) => at < 5000)).not.toContain(false);
  });

  it('blames nobody for what the server does by itself', async () => {
    const world = new World({ seed: 1 });
    world.spawn({ name: 'p', start: async ({ client }) => void (await create(client)) });
    world.timeline.after(5000, undefined, () => {
      void world.server.handle({
        method: 'DELETE',
        target: '/api/v1/namespaces/default/configmaps/second',
        headers: {},
      });
    });
    await world.runUntil(10_000);
    const blamed = world.log.events.flatMap((event) =>
      event.type === 'commit' && event.name === 'second' ? [[event.change, event.process]] : [],
    );
    expect(blamed).toEqual([
      ['create', 'p'],
      ['delete', SERVER_PROCESS],
    ]);
  });
});

describe('a process', () => {
  it('stands still while paused and does not notice', async () => {
    const world = new World({ seed: 1 });
    const beats: number[] = [];
    const beat = ({ clock }: ProcessContext): void => {
      clock.after(1000, () => {
        beats.push(Math.floor(clock.monotonic() / 1000));
        beat(context as ProcessContext);
      });
    };
    let context: ProcessContext | undefined;
    world.spawn({ name: 'p', start: (given) => beat((context = given)) });
    world.timeline.after(2500, undefined, () => world.pause('p', 10_000));
    await world.runUntil(15_000);
    expect(beats).toEqual([1, 2, 12, 13, 14]);
  });

  it('that is stopped does nothing more and its watches are closed', async () => {
    const world = new World({ seed: 1 });
    let ticks = 0;
    world.spawn({
      name: 'p',
      start: async ({ client, clock }) => {
        (await client.watch(CONFIG_MAPS)).start({ frame: () => (ticks += 1), end: () => (ticks += 1) });
        clock.after(5000, () => (ticks += 1));
      },
    });
    world.timeline.after(1000, undefined, () => world.stop('p'));
    await world.runUntil(10_000);
    expect(ticks).toBe(0);
    expect(() => world.stop('p')).toThrow('there is no process p');
  });

  it('that begins after one of its name was stopped has another chance', async () => {
    const world = new World({ seed: 1 });
    const drawn: number[] = [];
    const definition = { name: 'p', start: ({ random }: ProcessContext) => void drawn.push(random.next()) };
    world.spawn(definition);
    await world.runUntil(1000);
    world.stop('p');
    world.spawn(definition);
    await world.runUntil(2000);
    expect(drawn).toHaveLength(2);
    expect(drawn[0]).not.toBe(drawn[1]);
  });

  it('that dies leaves no watch open', async () => {
    const world = new World({ seed: 1 });
    const watches: string[] = [];
    const body: WatchBody = { type: 'watch', start: () => watches.push('start'), stop: () => watches.push('stop') };
    const other = { prefix: 'other', server: { handle: () => ({ status: 200, headers: {}, body }) } };
    let lives = 0;
    world.spawn({
      name: 'p',
      start: async ({ connect }) => {
        lives += 1;
        if (lives > 1) return;
        const watch = await new Client(connect(other)).watch(CONFIG_MAPS);
        watch.start({ frame: () => undefined, end: () => undefined });
      },
    });
    world.timeline.after(1000, undefined, () => world.kill('p', 1000));
    await world.runUntil(10_000);
    expect([lives, watches]).toEqual([2, ['start', 'stop']]);
  });

  it('that dies has sent what it has sent', async () => {
    const subject = 'POST /api/v1/namespaces/default/configmaps';
    const action = { kind: 'delay', ms: 5000 } as const;
    const world = new World({ seed: 1, faults: listedFaults([{ process: 'p', subject, occurrence: 1, action }]) });
    let lives = 0;
    world.spawn({
      name: 'p',
      start: async ({ client }) => {
        lives += 1;
        if (lives === 1) await create(client);
      },
    });
    world.timeline.after(1000, undefined, () => world.kill('p', 1000));
    await world.runUntil(4000);
    expect([lives, has(world, 'second')]).toEqual([2, false]);
    await world.runUntil(10_000);
    expect(has(world, 'second')).toBe(true);
  });

  it('whose start fails is started again', async () => {
    const world = new World({ seed: 1 });
    let starts = 0;
    world.spawn({
      name: 'p',
      start: async () => {
        starts += 1;
        if (starts < 3) throw new TypeError('not yet');
      },
    });
    await world.runUntil(10_000);
    expect(starts).toBe(3);
  });

  it('that gives a request up is told so at once', async () => {
    const world = new World({ seed: 1 });
    let outcome: unknown;
    world.spawn({
      name: 'p',
      start: async ({ client }) => {
        const abort = new AbortController();
        const asked = client.get(CONFIG_MAPS, 'x', { ...IN_DEFAULT, signal: abort.signal });
        abort.abort();
        outcome = await asked.catch((error: unknown) => error);
      },
    });
    await world.runUntil(1000);
    expect(isAborted(outcome)).toBe(true);
  });
});
