import { Client, isAborted, isConnectionLost, sleep } from '@capstan/kube';
import { isConflict, isTooManyRequests } from '@capstan/meta';
import type { WatchBody } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../faults/fault.js';
import { listedFaults } from '../faults/sources.js';
import { configMap, CONFIG_MAPS } from '../scenarios/resources.js';
import { SERVER_PROCESS } from './event-log.js';
import type { ProcessContext } from './process.js';
import { Simulation } from './simulation.js';

const WATCH_REQUEST = 'GET /api/v1/namespaces/default/configmaps';
const IN_DEFAULT = { namespace: 'default' };

/** A simulation with one process whose second request, a write, is struck. */
async function strike(
  action: FaultAction,
  write: (client: Client) => Promise<unknown>,
): Promise<{ readonly simulation: Simulation; readonly outcome: unknown; readonly lives: number }> {
  let requests = 0;
  const simulation = new Simulation({
    seed: 7,
    faults: {
      strike: ({ process }, point) =>
        process === 'p' && point !== 'start' && (requests += 1) === 2 ? action : undefined,
    },
  });
  let outcome: unknown = 'nothing';
  let lives = 0;
  simulation.spawn({
    name: 'p',
    start: async ({ client }) => {
      lives += 1;
      if (lives > 1) return;
      await client.create(CONFIG_MAPS, configMap('default', 'first'));
      outcome = await write(client).catch((error: unknown) => error);
    },
  });
  await simulation.runUntil(120_000);
  return { simulation, outcome, lives };
}

const create = (client: Client): Promise<unknown> => client.create(CONFIG_MAPS, configMap('default', 'second'));
const change = (client: Client): Promise<unknown> =>
  client.patch(CONFIG_MAPS, 'first', { type: 'merge', value: { data: { a: 'b' } } }, IN_DEFAULT);
const has = (simulation: Simulation, name: string): boolean =>
  simulation.server.store.get('/configmaps', 'default', name) !== undefined;

describe('a fault of a request', () => {
  it('lost before leaves nothing behind', async () => {
    const { simulation, outcome } = await strike({ kind: 'lost-before' }, create);
    expect(isConnectionLost(outcome)).toBe(true);
    expect(has(simulation, 'second')).toBe(false);
  });

  it('lost after leaves the object, and the same error', async () => {
    const { simulation, outcome } = await strike({ kind: 'lost-after' }, create);
    expect(isConnectionLost(outcome)).toBe(true);
    expect(has(simulation, 'second')).toBe(true);
  });

  it('a delay holds the request up', async () => {
    const { simulation } = await strike({ kind: 'delay', ms: 5_000 }, create);
    const committed = simulation.log.events.find((event) => event.type === 'commit' && event.name === 'second');
    expect(committed?.at).toBeGreaterThan(5_000);
  });

  it('a duplicate creates once and answers for the second time', async () => {
    const { simulation, outcome } = await strike({ kind: 'duplicate', ms: 50 }, create);
    expect((outcome as Error).message).toBe('configmaps "second" already exists');
    expect(has(simulation, 'second')).toBe(true);
  });

  it('a conflict is one to the client', async () => {
    const { simulation, outcome } = await strike({ kind: 'status', code: 409 }, change);
    expect(isConflict(outcome)).toBe(true);
    expect(simulation.log.events.some((event) => event.type === 'commit' && event.change === 'update')).toBe(false);
  });

  it('too many requests are retried after the Retry-After of the server', async () => {
    const { outcome } = await strike({ kind: 'status', code: 429, retryAfterSeconds: 2 }, change);
    expect(isTooManyRequests(outcome)).toBe(false);
    expect(outcome).toMatchObject({ data: { a: 'b' } });
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('a crash %s it takes effect ends the process there, which restarts', async (when, isThere) => {
    const { simulation, outcome, lives } = await strike({ kind: 'crash', when, downMs: 100 }, create);
    expect(outcome).toBe('nothing');
    expect(lives).toBe(2);
    expect(has(simulation, 'second')).toBe(isThere);
  });
});

/** What a watch of ConfigMaps shows until the end of the simulation, with one object created each second. */
async function watchUnder(action: FaultAction): Promise<string[]> {
  const simulation = new Simulation({
    seed: 3,
    faults: listedFaults([{ process: 'watcher', subject: WATCH_REQUEST, occurrence: 1, action }]),
  });
  const shown: string[] = [];
  const begins = simulation.server.store.revision;
  simulation.spawn({
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
    simulation.timeline.after(second * 1000, undefined, () => {
      void simulation.server.handle({
        method: 'POST',
        target: '/api/v1/namespaces/default/configmaps',
        headers: { 'content-type': 'application/json' },
        body: { type: 'value', value: configMap('default', `m${second}`) },
      });
    });
  await simulation.runUntil(30_000);
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

describe('a simulation', () => {
  it('strikes no process when the time of faults is over', async () => {
    const simulation = new Simulation({
      seed: 1,
      faultsUntilMs: 5000,
      faults: { strike: () => ({ kind: 'lost-before' }) },
    });
    const outcomes: boolean[] = [];
    simulation.spawn({
      name: 'p',
      start: async ({ client, clock }) => {
        for (const at of [1000, 6000]) {
          await sleep(clock, at - clock.monotonic());
          outcomes.push(await create(client).then(() => true, isConnectionLost));
        }
      },
    });
    await simulation.runUntil(10_000);
    expect([outcomes, has(simulation, 'second')]).toEqual([[true, true], true]);
    expect(simulation.log.events.filter(({ type }) => type === 'fault').map(({ at }) => at < 5000)).not.toContain(
      false,
    );
  });

  it('attributes to no process what the server does by itself', async () => {
    const simulation = new Simulation({ seed: 1 });
    simulation.spawn({ name: 'p', start: async ({ client }) => void (await create(client)) });
    simulation.timeline.after(5000, undefined, () => {
      void simulation.server.handle({
        method: 'DELETE',
        target: '/api/v1/namespaces/default/configmaps/second',
        headers: {},
      });
    });
    await simulation.runUntil(10_000);
    const blamed = simulation.log.events.flatMap((event) =>
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
    const simulation = new Simulation({ seed: 1 });
    const beats: number[] = [];
    const beat = ({ clock }: ProcessContext): void => {
      clock.after(1000, () => {
        beats.push(Math.floor(clock.monotonic() / 1000));
        beat(context as ProcessContext);
      });
    };
    let context: ProcessContext | undefined;
    simulation.spawn({ name: 'p', start: (given) => beat((context = given)) });
    simulation.timeline.after(2500, undefined, () => simulation.pause('p', 10_000));
    await simulation.runUntil(15_000);
    expect(beats).toEqual([1, 2, 12, 13, 14]);
  });

  it('that is stopped does nothing more and its watches are closed', async () => {
    const simulation = new Simulation({ seed: 1 });
    let ticks = 0;
    simulation.spawn({
      name: 'p',
      start: async ({ client, clock }) => {
        (await client.watch(CONFIG_MAPS)).start({ frame: () => (ticks += 1), end: () => (ticks += 1) });
        clock.after(5000, () => (ticks += 1));
      },
    });
    simulation.timeline.after(1000, undefined, () => simulation.stop('p'));
    await simulation.runUntil(10_000);
    expect(ticks).toBe(0);
    expect(() => simulation.stop('p')).toThrow('there is no process p');
  });

  it('that begins after one of its name was stopped has another chance', async () => {
    const simulation = new Simulation({ seed: 1 });
    const drawn: number[] = [];
    const definition = { name: 'p', start: ({ random }: ProcessContext) => void drawn.push(random.next()) };
    simulation.spawn(definition);
    await simulation.runUntil(1000);
    simulation.stop('p');
    simulation.spawn(definition);
    await simulation.runUntil(2000);
    expect(drawn).toHaveLength(2);
    expect(drawn[0]).not.toBe(drawn[1]);
  });

  it('that dies leaves no watch open', async () => {
    const simulation = new Simulation({ seed: 1 });
    const watches: string[] = [];
    const body: WatchBody = { type: 'watch', start: () => watches.push('start'), stop: () => watches.push('stop') };
    const other = { prefix: 'other', server: { handle: () => ({ status: 200, headers: {}, body }) } };
    let lives = 0;
    simulation.spawn({
      name: 'p',
      start: async ({ connect }) => {
        lives += 1;
        if (lives > 1) return;
        const watch = await new Client(connect(other)).watch(CONFIG_MAPS);
        watch.start({ frame: () => undefined, end: () => undefined });
      },
    });
    simulation.timeline.after(1000, undefined, () => simulation.kill('p', 1000));
    await simulation.runUntil(10_000);
    expect([lives, watches]).toEqual([2, ['start', 'stop']]);
  });

  it('that dies has sent what it has sent', async () => {
    const subject = 'POST /api/v1/namespaces/default/configmaps';
    const action = { kind: 'delay', ms: 5000 } as const;
    const simulation = new Simulation({
      seed: 1,
      faults: listedFaults([{ process: 'p', subject, occurrence: 1, action }]),
    });
    let lives = 0;
    simulation.spawn({
      name: 'p',
      start: async ({ client }) => {
        lives += 1;
        if (lives === 1) await create(client);
      },
    });
    simulation.timeline.after(1000, undefined, () => simulation.kill('p', 1000));
    await simulation.runUntil(4000);
    expect([lives, has(simulation, 'second')]).toEqual([2, false]);
    await simulation.runUntil(10_000);
    expect(has(simulation, 'second')).toBe(true);
  });

  it('whose start fails is started again', async () => {
    const simulation = new Simulation({ seed: 1 });
    let starts = 0;
    simulation.spawn({
      name: 'p',
      start: async () => {
        starts += 1;
        if (starts < 3) throw new TypeError('not yet');
      },
    });
    await simulation.runUntil(10_000);
    expect(starts).toBe(3);
  });

  it('that gives up a request gets the error at once', async () => {
    const simulation = new Simulation({ seed: 1 });
    let outcome: unknown;
    simulation.spawn({
      name: 'p',
      start: async ({ client }) => {
        const abort = new AbortController();
        const asked = client.get(CONFIG_MAPS, 'x', { ...IN_DEFAULT, signal: abort.signal });
        abort.abort();
        outcome = await asked.catch((error: unknown) => error);
      },
    });
    await simulation.runUntil(1000);
    expect(isAborted(outcome)).toBe(true);
  });
});
