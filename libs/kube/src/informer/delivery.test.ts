import { runInNewContext } from 'node:vm';
import type { KubeObject } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Delivery } from './delivery.js';
import type { InformerHandler } from './delivery.js';
import { object, SlowHandler, stateOf, turn } from './testing/slow-handler.js';

function make(handler: InformerHandler<KubeObject>) {
  const failures: string[] = [];
  const delivery = new Delivery(handler, (error) => failures.push(String(error)));
  const add = (name: string, version: number, isInInitialList = false): void =>
    delivery.offer(name, { type: 'add', object: object(name, version), isInInitialList });
  const update = (name: string, from: number, to: number): void =>
    delivery.offer(name, { type: 'update', old: object(name, from), object: object(name, to) });
  const remove = (name: string, version: number): void =>
    delivery.offer(name, { type: 'delete', object: object(name, version), finalStateUnknown: false });
  return { delivery, failures, add, update, remove };
}

describe('Delivery', () => {
  it('calls who gives no promise in the turn of the event', () => {
    const delivered: string[] = [];
    const { add, delivery, remove, update } = make({
      add: (added) => delivered.push(stateOf(added)),
      update: (_, now) => delivered.push(stateOf(now)),
    });
    add('a', 1);
    update('a', 1, 2);
    remove('a', 3);
    add('a', 4);
    expect([delivered, delivery.pending]).toEqual([['a@1', 'a@2', 'a@4'], 0]);
  });

  it('waits for a promise, then delivers each object once', async () => {
    const handler = new SlowHandler();
    const { add, delivery, remove, update } = make(handler);
    add('a', 1);
    update('a', 1, 2);
    add('b', 3);
    update('a', 2, 4);
    add('c', 5);
    remove('c', 6);
    expect([handler.events, delivery.pending]).toEqual([['+a@1'], 2]);
    await handler.endCall();
    expect(handler.events).toEqual(['+a@1', 'a@1>4']);
    // What is being delivered counts as known: from here on it is the old object.
    update('a', 4, 7);
    await handler.endAll();
    expect(handler.events.slice(2)).toEqual(['+b@3', 'a@4>7']);
    expect([delivery.pending, handler.misfits]).toEqual([0, []]);
  });

  it('delivers the deletion of an object before the addition of the next of that name', async () => {
    const handler = new SlowHandler();
    const { add, remove } = make(handler);
    add('a', 1);
    remove('a', 2);
    add('a', 3);
    await handler.endCall();
    expect(handler.events).toEqual(['+a@1', '-a@2']);
    remove('a', 4);
    add('a', 5);
    await handler.endAll();
    expect(handler.events.slice(2)).toEqual(['+a@5']);
  });

  it('goes on after a rejection and after a throw, and reports both', async () => {
    const handler = new SlowHandler();
    const { add, failures } = make(handler);
    add('a', 1);
    add('b', 2);
    await handler.endCall(new Error('rejected'));
    expect([handler.events, failures]).toEqual([['+a@1', '+b@2'], ['Error: rejected']]);
    let calls = 0;
    const throwing = make({
      add: () => {
        calls += 1;
        throw new Error('thrown');
      },
    });
    throwing.add('a', 1);
    throwing.add('b', 2);
    expect([calls, throwing.failures]).toEqual([2, ['Error: thrown', 'Error: thrown']]);
  });

  it('waits for a promise of another realm too', async () => {
    const Foreign = runInNewContext('Promise') as PromiseConstructor;
    let open: (() => void) | undefined;
    const delivered: string[] = [];
    const { add } = make({
      add: (added) => {
        delivered.push(stateOf(added));
        return new Foreign<void>((resolve) => (open = resolve));
      },
    });
    add('a', 1);
    add('b', 2);
    await turn();
    expect(delivered).toEqual(['a@1']);
    open?.();
    await turn();
    expect(delivered).toEqual(['a@1', 'b@2']);
  });

  it('does not call a handler while that is being called', () => {
    const delivered: string[] = [];
    const { add } = make({
      add: (added) => {
        delivered.push(`begin ${stateOf(added)}`);
        if (added.metadata.name === 'a') {
          add('b', 2);
          add('c', 3);
        }
        delivered.push(`end ${stateOf(added)}`);
      },
    });
    add('a', 1);
    expect(delivered).toEqual(['begin a@1', 'end a@1', 'begin b@2', 'end b@2', 'begin c@3', 'end c@3']);
  });

  it('delivers nothing more once ended, and resolves when the last call is over', async () => {
    const handler = new SlowHandler();
    const { add, delivery } = make(handler);
    add('a', 1, true);
    add('b', 2, true);
    delivery.endFirstState();
    delivery.end();
    add('c', 3);
    expect(delivery.pending).toBe(0);
    let isOver = false;
    const settled = delivery.settled().then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(false);
    await handler.endAll();
    await settled;
    expect([handler.events, delivery.hasSynced]).toEqual([['+a@1!'], false]);
    await delivery.settled();
  });
});

describe('a handler without some of the callbacks', () => {
  it('receives an addition though the object was deleted, when it has no callback for deletions', async () => {
    const handler = new SlowHandler();
    const { add, delivery, remove, update } = make({ add: handler.add.bind(handler) });
    add('a', 1);
    add('b', 2);
    update('a', 1, 3);
    remove('b', 4);
    expect(delivery.pending).toBe(1);
    await handler.endAll();
    expect(handler.events).toEqual(['+a@1', '+b@2']);
  });

  it('receives changes though it was busy when the object was added', async () => {
    const handler = new SlowHandler();
    const { add, delivery, update } = make({ update: handler.update.bind(handler) });
    update('a', 1, 2);
    add('b', 3);
    expect(delivery.pending).toBe(0);
    update('b', 3, 4);
    await handler.endAll();
    expect(handler.events).toEqual(['a@1>2', 'b@3>4']);
  });
});

describe('the first state of a handler', () => {
  it.each([['a'], ['a', 'b'], ['a', 'b', 'c']])('of %j is over when the last call has ended', async (...names) => {
    const handler = new SlowHandler();
    const { add, delivery } = make(handler);
    for (const name of names) add(name, 1, true);
    delivery.endFirstState();
    for (const name of names) {
      expect([handler.events.at(-1), delivery.hasSynced]).toEqual([`+${name}@1!`, false]);
      await handler.endCall();
    }
    expect(delivery.hasSynced).toBe(true);
  });

  it('is over at once for who gives no promise', () => {
    const { add, delivery } = make({ add: () => undefined });
    add('a', 1, true);
    expect(delivery.hasSynced).toBe(false);
    delivery.endFirstState();
    expect(delivery.hasSynced).toBe(true);
  });

  it('is over when the last call of it has ended, whatever happened since', async () => {
    const handler = new SlowHandler();
    const { add, delivery, remove, update } = make(handler);
    for (const name of ['a', 'b', 'c', 'd']) add(name, 1, true);
    delivery.endFirstState();
    let isSynced = false;
    void delivery.whenSynced().then(() => (isSynced = true));
    update('b', 1, 2);
    remove('d', 3);
    add('e', 4);
    const seen: [string | undefined, boolean][] = [];
    while (delivery.pending > 0) {
      seen.push([handler.events.at(-1), isSynced]);
      await handler.endCall();
    }
    expect(seen).toEqual([
      ['+a@1!', false],
      ['+b@1!', false],
      ['+c@1!', false],
      ['+e@4', true],
    ]);
    expect(handler.events.at(-1)).toBe('b@1>2');
  });

  it('is over when there was nothing in it', async () => {
    const { delivery } = make(new SlowHandler());
    delivery.endFirstState();
    await delivery.whenSynced();
    expect(delivery.hasSynced).toBe(true);
  });
});

const NAMES = ['a', 'b', 'c', 'd'];

interface Step {
  readonly name: string;
  readonly act: 'change' | 'delete' | 'resync';
  /** The handler ends its call after this. */
  readonly ends: boolean;
}

const steps = fc.array(
  fc.record({
    name: fc.constantFrom(...NAMES),
    act: fc.constantFrom<Step['act'][]>('change', 'change', 'delete', 'resync'),
    ends: fc.boolean(),
  }),
  { maxLength: 60 },
);

describe('whatever happens while a handler is busy', () => {
  it('receives true events, in order, without overlap, and in the end it has the current state', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (happening) => {
        const handler = new SlowHandler();
        const { delivery, failures } = make(handler);
        const present = new Map<string, KubeObject>();
        for (const [at, { act, ends, name }] of happening.entries()) {
          const old = present.get(name);
          if (old === undefined) {
            const added = object(name, at, `${name}-${at}`);
            present.set(name, added);
            delivery.offer(name, { type: 'add', object: added, isInInitialList: false });
          } else if (act === 'delete') {
            present.delete(name);
            delivery.offer(name, {
              type: 'delete',
              object: object(name, at, old.metadata.uid),
              finalStateUnknown: false,
            });
          } else {
            const now = act === 'resync' ? old : object(name, at, old.metadata.uid);
            present.set(name, now);
            delivery.offer(name, { type: 'update', old, object: now });
          }
          expect(delivery.pending).toBeLessThanOrEqual(NAMES.length);
          if (ends) await handler.endCall();
        }
        await handler.endAll();
        expect(handler.known).toEqual(present);
        expect([handler.misfits, failures, delivery.pending]).toEqual([[], [], 0]);
      }),
      { numRuns: 100 },
    );
  });
});
