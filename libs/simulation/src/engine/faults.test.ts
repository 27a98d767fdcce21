import { Informer, isConnectionLost, neverReachedServer, sleep } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isExpired, isTooLargeResourceVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../faults/fault.js';
import { configMap, CONFIG_MAPS } from '../scenarios/resources.js';
import type { ProcessContext } from './process.js';
import { SIMULATION_START } from './timeline.js';
import { Simulation } from './simulation.js';

const AT = { namespace: 'default' };
const WATCH_LIST = { resourceVersion: '', resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true } as const;

/** A simulation in which the matching effects of a process are struck, and what became of its controller. */
async function play(
  strikes: (subject: string, occurrence: number) => FaultAction | undefined,
  program: (context: ProcessContext, simulation: Simulation) => Promise<unknown>,
  ms = 60_000,
): Promise<{ readonly simulation: Simulation; readonly outcome: unknown }> {
  const simulation = new Simulation({
    seed: 5,
    faults: {
      strike: ({ process, subject, occurrence }) => (process === 'user' ? undefined : strikes(subject, occurrence)),
    },
  });
  let outcome: unknown = 'nothing';
  simulation.spawn({
    name: 'p',
    start: async (context) => {
      outcome = await program(context, simulation).catch((error: unknown) => error);
    },
  });
  await simulation.runUntil(ms);
  return { simulation, outcome };
}

const first =
  (match: string, action: FaultAction) =>
  (subject: string, occurrence: number): FaultAction | undefined =>
    subject === match && occurrence === 1 ? action : undefined;

const make = (client: Client, name: string): Promise<KubeObject> =>
  client.create(CONFIG_MAPS, configMap('default', name));
const names = async (client: Client, resourceVersion?: string): Promise<string[]> =>
  (await client.list(CONFIG_MAPS, { ...AT, resourceVersion, pageSize: 0 })).items.map(
    ({ metadata }) => metadata.name ?? '',
  );
const POST = 'POST /api/v1/namespaces/default/configmaps';
const GET = 'GET /api/v1/namespaces/default/configmaps';

describe('a request that comes late', () => {
  it('is lost to its sender at once, and done after what the sender tries next', async () => {
    const late = { kind: 'late', ms: 5_000 } as const;
    const { simulation, outcome } = await play(first(POST, late), async ({ client, clock }) => {
      const error: unknown = await make(client, 'a').catch((thrown: unknown) => thrown);
      const at = clock.monotonic();
      await make(client, 'b');
      return [isConnectionLost(error), neverReachedServer(error), at < 1000];
    });
    expect(outcome).toEqual([true, false, true]);
    const created = simulation.log.events.flatMap((event) => (event.type === 'commit' ? [event.name] : []));
    expect(created.filter((name) => name.length === 1)).toEqual(['b', 'a']);
  });
});

describe('a replica that lags', () => {
  it('shows an old state where any will do, and the newest where that is asked for', async () => {
    const stale = { kind: 'stale-replica', behind: 1 } as const;
    const { outcome } = await play(first(GET, stale), async ({ client }) => {
      await make(client, 'a');
      await make(client, 'b');
      return [await names(client, '0'), await names(client)];
    });
    expect(outcome).toEqual([['a'], ['a', 'b']]);
  });

  it('does not know yet what was seen elsewhere', async () => {
    const stale = { kind: 'stale-replica', behind: 1 } as const;
    const { outcome } = await play(
      (subject) => (subject === GET ? stale : undefined),
      async ({ client }) => {
        const { metadata } = await make(client, 'a');
        return names(client, metadata.resourceVersion).catch((error: unknown) => isTooLargeResourceVersion(error));
      },
    );
    expect(outcome).toBe(true);
  });
});

describe('a compaction between pages', () => {
  it('expires the token of the next page', async () => {
    const compaction = { kind: 'compaction' } as const;
    const { simulation, outcome } = await play(
      (subject, occurrence) => (subject === GET && occurrence === 2 ? compaction : undefined),
      async ({ client }) => {
        for (const name of ['a', 'b', 'c']) await make(client, name);
        const pages: string[] = [];
        const betweenPages = async (): Promise<void> => void (await make(client, `z-${pages.length}`));
        const reduce = ({ metadata }: KubeObject) => pages.push(metadata.name ?? '');
        await client.listReduced(CONFIG_MAPS, { ...AT, pageSize: 1, betweenPages, reduce });
        return pages;
      },
    );
    // The client takes everything at once then.
    expect(outcome).toEqual(['a', 'a', 'b', 'c', 'z-1']);
    expect(simulation.log.events.some((event) => event.type === 'reply' && event.status === 410)).toBe(true);
  });
});

describe('a watch without bookmarks', () => {
  it.each([
    [undefined, true],
    [{ kind: 'no-bookmarks' } as const, false],
  ])('under %j shows those of each minute: %s; the end of the first state always', async (fault, expected) => {
    const { outcome } = await play(
      (subject) => (subject === GET ? fault : undefined),
      async ({ client, clock }) => {
        const body = await client.watch(CONFIG_MAPS, { ...AT, ...WATCH_LIST, allowWatchBookmarks: true });
        let bookmarks = 0;
        body.start({ frame: ({ type }) => (bookmarks += type === 'BOOKMARK' ? 1 : 0), end: () => undefined });
        await sleep(clock, 300_000);
        return [bookmarks >= 1, bookmarks > 1];
      },
      400_000,
    );
    expect(outcome).toEqual([true, expected]);
  });
});

describe('a server that goes away', () => {
  it.each([
    [true, 'goes on'],
    [false, 'has expired'],
  ])('with its history: %s, breaks watches, refuses, and a watch from before %s', async (keepsHistory, expected) => {
    const restart = { kind: 'server-restart', downMs: 3_000, keepsHistory } as const;
    const { outcome } = await play(first(`${GET}/x`, restart), async ({ client, clock }) => {
      const { metadata } = await make(client, 'a');
      await make(client, 'b');
      const received: string[] = [];
      const watch = await client.watch(CONFIG_MAPS, { ...AT, resourceVersion: metadata.resourceVersion });
      watch.start({ frame: ({ type }) => received.push(type), end: (error) => received.push(error?.message ?? 'end') });
      await sleep(clock, 100);
      const refused: unknown = await client.get(CONFIG_MAPS, 'x', AT).catch((error: unknown) => error);
      await sleep(clock, 5_000);
      const again = await client.watch(CONFIG_MAPS, { ...AT, resourceVersion: metadata.resourceVersion }).then(
        (body) =>
          new Promise<string>((resolve) =>
            body.start({
              frame: (frame) => resolve(frame.type === 'ERROR' ? 'has expired' : 'goes on'),
              end: () => undefined,
            }),
          ),
        (error: unknown) => (isExpired(error) ? 'has expired' : String(error)),
      );
      return [received, neverReachedServer(refused), again, await names(client)];
    });
    expect(outcome).toEqual([['ADDED', 'the connection was reset'], true, expected, ['a', 'b']]);
  });

  it('is waited for by reliable processes', async () => {
    const simulation = new Simulation({ seed: 1 });
    let outcome: unknown;
    simulation.restartServer(4_000, true);
    simulation.spawn({
      name: 'user',
      isReliable: true,
      start: async ({ client }) => {
        outcome = (await make(client, 'a')).metadata.name;
      },
    });
    await simulation.runUntil(10_000);
    expect(outcome).toBe('a');
  });

  it('leaves an informer with what there is', async () => {
    let informer: Informer<KubeObject> | undefined;
    const simulation = new Simulation({ seed: 1 });
    simulation.spawn({
      name: 'p',
      start: ({ client, clock, random, logger, signal }) => {
        informer = new Informer<KubeObject>({ client, clock, random, logger, resource: CONFIG_MAPS, watchList: true });
        void informer.run(signal);
      },
    });
    const user = {
      name: 'user',
      isReliable: true,
      start: async ({ client, clock }: ProcessContext) => {
        await make(client, 'a');
        await sleep(clock, 5_000);
        simulation.restartServer(2_000, false);
        await client.delete(CONFIG_MAPS, 'a', AT);
        await make(client, 'b');
      },
    };
    simulation.spawn(user);
    await simulation.runUntil(120_000);
    expect([...(informer?.store.keys() ?? [])].filter((key) => key.startsWith('default/')).toSorted()).toContain(
      'default/b',
    );
    expect(informer?.store.get('default/a')).toBeUndefined();
  });
});

describe('a clock that is off', () => {
  it('shows another time and runs at another rate', async () => {
    const skew = { kind: 'skew', ms: 1_000_000, rate: 1.05 } as const;
    const { outcome } = await play(first('start', skew), async ({ clock }, simulation) => {
      const began = simulation.elapsed;
      await sleep(clock, 21_000);
      return [Math.round(simulation.elapsed - began), clock.now() - SIMULATION_START > 1_000_000];
    });
    expect(outcome).toEqual([20_000, true]);
  });
});

describe('a hook in a controller', () => {
  it('returns true when it is struck, which is counted', async () => {
    const { simulation, outcome } = await play(
      (subject, occurrence) =>
        subject === 'sometimes look twice' && occurrence === 2 ? { kind: 'sometimes' } : undefined,
      ({ sometimes }) =>
        Promise.resolve([1, 2, 3].map(() => sometimes('look twice', 0.5)).concat(sometimes('rest', 0.5))),
    );
    expect(outcome).toEqual([false, true, false, false]);
    expect(simulation.hooks.counts()).toEqual([
      ['look twice', { passed: 3, hit: 1 }],
      ['rest', { passed: 1, hit: 0 }],
    ]);
    expect(simulation.hooks.neverHit(['never passed'])).toEqual(['never passed', 'rest']);
  });
});
