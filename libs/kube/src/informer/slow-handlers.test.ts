import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import type { Logger } from '../runtime/logger.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Informer } from './informer.js';
import type { InformerOptions } from './informer.js';
import { heapBytes } from './testing/heap.js';
import { object, SlowHandler, stateOf, turn } from './testing/slow-handler.js';

/** Were every event of the crowd kept, it would be five times as much. */
const MOST_HEAP_BYTES = 20_000_000;
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

interface Running {
  readonly informer: Informer<KubeObject>;
  readonly transport: ScriptedTransport;
  readonly clock: ManualClock;
  readonly stop: () => Promise<void>;
  /** What is listed from now on. */
  readonly answer: (items: readonly KubeObject[]) => void;
}

/** An informer of what is listed; its watch is the first of the transport. */
function start(items: readonly KubeObject[], options: Partial<InformerOptions<KubeObject>>): Running {
  const clock = new ManualClock();
  let listed = items;
  const list = (): unknown => ({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1' },
    items: listed,
  });
  const transport = new ScriptedTransport((_, url) => (url.searchParams.has('watch') ? undefined : json(list())));
  const client = new Client(transport, { clock, random: systemRandom(1) });
  const given = { client, clock, resource: PODS, random: systemRandom(2), logger: silentLogger(), ...options };
  const informer = new Informer<KubeObject>(given);
  const abort = new AbortController();
  const running = informer.run(abort.signal);
  const stop = (): Promise<void> => {
    abort.abort();
    return running;
  };
  return { answer: (now) => (listed = now), informer, transport, clock, stop };
}

describe('an informer with a handler slower than the events', () => {
  it('keeps no more than the objects, and delivers the last state of each', async () => {
    const keys = 100;
    const events = 100_000;
    const handler = new SlowHandler();
    const { clock, informer, stop, transport } = start([], {});
    await clock.advance(0);
    const registration = informer.addHandler(handler);
    const [watch] = transport.watches;
    // A kilobyte each.
    const big = (name: string, version: number): KubeObject => ({
      ...object(name, version),
      data: `${version}`.repeat(200),
    });
    const before = heapBytes();
    let most = 0;
    for (let at = 0; at < events; at += 1) {
      const name = `p-${at % keys}`;
      const isThere = informer.store.get(name) !== undefined;
      if (isThere && at % 7 === 0) watch?.send('DELETED', big(name, at));
      else watch?.send(isThere ? 'MODIFIED' : 'ADDED', big(name, at));
      most = Math.max(most, registration.pending);
    }
    const grown = heapBytes() - before;
    expect([handler.events, most]).toEqual([['+p-0@0'], keys]);
    expect(grown).toBeLessThan(MOST_HEAP_BYTES);
    await handler.endAll();
    expect([handler.misfits, registration.pending]).toEqual([[], 0]);
    expect([...handler.known.values()].map(stateOf).sort()).toEqual([...informer.store.list()].map(stateOf).sort());
    expect(handler.events.length).toBeLessThanOrEqual(1 + 3 * keys);
    await stop();
  });

  it('syncs before that handler does', async () => {
    const handler = new SlowHandler();
    const items = [object('a', 1), object('b', 2), object('c', 3)];
    const { clock, informer, stop } = start(items, {});
    const registration = informer.addHandler(handler);
    const quick = informer.addHandler({ add: () => undefined });
    let isSynced = false;
    void registration.whenSynced().then(() => (isSynced = true));
    await clock.advance(0);
    expect([informer.hasSynced, quick.hasSynced, registration.hasSynced, isSynced]).toEqual([true, true, false, false]);
    const late = new SlowHandler();
    const lateRegistration = informer.addHandler(late);
    expect([registration.pending, lateRegistration.pending, lateRegistration.hasSynced]).toEqual([2, 2, false]);
    await handler.endAll();
    await late.endAll();
    expect([handler.events, isSynced, registration.hasSynced]).toEqual([['+a@1!', '+b@2!', '+c@3!'], true, true]);
    expect([late.events, lateRegistration.hasSynced]).toEqual([['+a@1!', '+b@2!', '+c@3!'], true]);
    await stop();
    expect(registration.hasSynced).toBe(true);
    registration.remove();
    expect(registration.hasSynced).toBe(false);
  });

  it('delivers a resync once, and the changes found by a list', async () => {
    const handler = new SlowHandler();
    const { answer, clock, informer, stop, transport } = start([object('a', 1), object('b', 2), object('c', 3)], {
      resyncMs: 10_000,
    });
    informer.addHandler(handler);
    await clock.advance(0);
    await handler.endAll();
    expect(handler.events.splice(0)).toHaveLength(3);
    // The first call of the first resync lasts through two more, and through a loss of history.
    await clock.advance(35_000);
    answer([object('a', 1), object('b', 20, 'another b')]);
    transport.watches[0]?.send('ERROR', { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' });
    await clock.advance(4000);
    await handler.endAll();
    expect(handler.events).toEqual(['a@1>1', '-b@2?', '-c@3?', 'a@1>1', '+b@20']);
    expect(handler.misfits).toEqual([]);
    await stop();
  });

  it('stops with what is under way: no call begins, and the run lasts until the last one ends', async () => {
    const handler = new SlowHandler();
    const { clock, informer, stop } = start([object('a', 1), object('b', 2)], {});
    const registration = informer.addHandler(handler);
    await clock.advance(0);
    let isOver = false;
    const stopping = stop().then(() => (isOver = true));
    await turn();
    expect([registration.pending, isOver]).toEqual([0, false]);
    await handler.endAll();
    await stopping;
    expect([handler.events, registration.hasSynced]).toEqual([['+a@1!'], false]);
  });

  it('delivers nothing more to a handler that was removed', async () => {
    const handler = new SlowHandler();
    const { clock, informer, stop, transport } = start([object('a', 1), object('b', 2)], {});
    const registration = informer.addHandler(handler);
    await clock.advance(0);
    registration.remove();
    transport.watches[0]?.send('ADDED', object('c', 3));
    await handler.endAll();
    expect([handler.events, registration.pending, registration.hasSynced]).toEqual([['+a@1!'], 0, false]);
    await stop();
  });

  it('logs what it rejects with, and goes on', async () => {
    const handler = new SlowHandler();
    const logged: unknown[] = [];
    const logger: Logger = { ...silentLogger(), error: (message, fields) => logged.push([message, fields]) };
    const { clock, informer, stop } = start([object('a', 1), object('b', 2)], { logger });
    informer.addHandler(handler);
    await clock.advance(0);
    await handler.endCall(new Error('no'));
    expect(handler.events).toEqual(['+a@1!', '+b@2!']);
    expect(logged).toEqual([['informer handler failed', { resource: 'pods', error: 'no' }]]);
    await handler.endAll();
    await stop();
  });
});

describe('handlers of an informer', () => {
  it('may add another, which receives everything once', async () => {
    const inner = new SlowHandler();
    const { clock, informer, stop } = start([object('a', 1), object('b', 2)], {});
    let added = false;
    informer.addHandler({
      add: () => {
        if (!added) informer.addHandler(inner);
        added = true;
      },
    });
    await clock.advance(0);
    await inner.endAll();
    expect([inner.events, inner.misfits]).toEqual([['+a@1!', '+b@2!'], []]);
    await stop();
  });

  it('are served by one run only', async () => {
    const { informer, stop } = start([], {});
    await expect(informer.run(new AbortController().signal)).rejects.toThrow('an informer runs only once');
    await stop();
  });
});
