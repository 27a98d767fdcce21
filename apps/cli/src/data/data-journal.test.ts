import { Store } from '@capstan/apiserver';
import type { KubeObject } from '@capstan/meta';
import { systemClock } from '@capstan/kube';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DataJournal } from './data-journal.js';
import type { Database } from './database.js';
import { EMPTY, type Operation, StateReader, SUMMARY_KEY, summaryIn } from './records.js';

/** Holds each batch until the test ends it. */
class FakeDatabase implements Database {
  readonly records = new Map<string, Buffer>();
  readonly batches: number[] = [];
  error: Error | undefined;
  reopened = 0;
  revision = 1;
  isClosed = false;

  async write(operations: readonly Operation[]): Promise<void> {
    this.batches.push(operations.length);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.error !== undefined) throw this.error;
    for (const operation of operations) {
      if (operation.type === 'put' && operation.key.equals(SUMMARY_KEY))
        this.revision = summaryIn(operation.value).revision;
      if (operation.type === 'put') this.records.set(operation.key.toString(), operation.value);
      else this.records.delete(operation.key.toString());
    }
  }

  async reopen(): Promise<number> {
    this.reopened++;
    return this.revision;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  names(): string[] {
    const reader = new StateReader();
    for (const [key, value] of this.records) reader.read(Buffer.from(key), value);
    reader.finish(true);
    return reader.objects.map(({ name, revision }) => `${name}@${revision}`).sort();
  }
}

interface Fixture {
  readonly database: FakeDatabase;
  readonly journal: DataJournal;
  readonly store: Store;
  readonly failures: string[];
}

function fixture(failure?: string): Fixture {
  const database = new FakeDatabase();
  const failures: string[] = [];
  const report = { failed: (reason: string) => failures.push(reason), recovered: () => failures.push('recovered') };
  const mark = { note: () => undefined, close: async () => undefined };
  const journal = new DataJournal({ database, mark, report }, { summary: EMPTY, stored: 1, failure });
  const store = new Store({ clock: systemClock() });
  store.subscribe((event) => journal.append(event));
  return { database, journal, store, failures };
}

function create(store: Store, name: string): void {
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  store.create('/configmaps', 'default', name, object);
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the journal', () => {
  it('writes what came together in one batch, and what came meanwhile in the next', async () => {
    const { database, journal, store } = fixture();
    expect(journal.flushed()).toBeUndefined();
    create(store, 'a');
    create(store, 'b');
    const first = journal.flushed();
    await new Promise((resolve) => setImmediate(resolve));
    create(store, 'c');
    expect(journal.durableRevision).toBe(1);
    const second = journal.flushed();
    await first;
    expect([journal.durableRevision, database.names()]).toEqual([3, ['a@2', 'b@3']]);
    await second;
    expect([journal.durableRevision, database.names()]).toEqual([4, ['a@2', 'b@3', 'c@4']]);
    // The summary is one more operation of each.
    expect(database.batches).toEqual([3, 2]);
    expect(journal.flushed()).toBeUndefined();
  });

  it('notifies its listeners before the waiting writers', async () => {
    const { journal, store } = fixture();
    const order: string[] = [];
    journal.onDurable(() => order.push('durable'));
    create(store, 'a');
    await journal.flushed()?.then(() => order.push('flushed'));
    expect(order).toEqual(['durable', 'flushed']);
  });

  it('keeps several changes of one object in one batch apart', async () => {
    const { database, journal, store } = fixture();
    create(store, 'a');
    create(store, 'b');
    for (const name of ['a', 'b']) {
      const stored = store.get('/configmaps', 'default', name);
      if (stored !== undefined) store.replace(stored, { ...stored.object(), data: { x: '1' } });
    }
    const stored = store.get('/configmaps', 'default', 'a');
    if (stored !== undefined) store.remove(stored);
    await journal.flushed();
    expect([database.names(), journal.durableRevision]).toEqual([['b@5'], 6]);
  });

  it('refuses while it fails, and catches up after a fresh start of the database', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { database, journal, store, failures } = fixture();
    create(store, 'a');
    await journal.flushed();
    database.error = new Error('cannot write', { cause: new Error('no space left on device') });
    create(store, 'b');
    await expect(journal.flushed()).rejects.toThrow('no space left on device');
    expect(journal.failure).toEqual({ reason: 'no space left on device', isNoSpace: true });
    create(store, 'c');
    await expect(journal.flushed()).rejects.toThrow('no space left on device');
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(database.batches).toHaveLength(3));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([journal.durableRevision, journal.failure?.reason]).toEqual([2, 'no space left on device']);
    database.error = undefined;
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(journal.failure).toBeUndefined();
    });
    expect([journal.durableRevision, database.names()]).toEqual([4, ['a@2', 'b@3', 'c@4']]);
    expect(database.reopened).toBe(2);
    expect(failures).toEqual(['no space left on device', 'recovered']);
    create(store, 'd');
    await journal.flushed();
    expect(database.names()).toHaveLength(4);
  });

  it('that begins with a failure recovers with nothing to write', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { database, journal, failures } = fixture('Read-only file system');
    expect(journal.failure).toEqual({ reason: 'Read-only file system', isNoSpace: false });
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(journal.failure).toBeUndefined());
    expect([database.batches, failures]).toEqual([[1], ['Read-only file system', 'recovered']]);
  });

  it('stores nothing in a database that is not as it was left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { database, journal } = fixture('no space left on device');
    database.revision = 9;
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() =>
      expect(journal.failure?.reason).toBe('the database is at revision 9 where 1 was stored: start the server again'),
    );
    expect(database.batches).toEqual([]);
  });

  it('when closed writes what is left', async () => {
    const { database, journal, store } = fixture();
    create(store, 'a');
    await journal.close();
    expect([database.names(), database.isClosed]).toEqual([['a@2'], true]);
  });

  it('when closed on a full disk reports that and ends', async () => {
    const { database, journal, store, failures } = fixture();
    create(store, 'a');
    await journal.flushed();
    database.error = new Error('no space left on device');
    await journal.close();
    expect([failures, database.isClosed, journal.durableRevision]).toEqual([['no space left on device'], true, 2]);
  });

  it('when closed while it fails tries once more', async () => {
    const { database, journal, store } = fixture();
    database.error = new Error('no space left on device');
    create(store, 'a');
    await expect(journal.flushed()).rejects.toThrow('no space left on device');
    database.error = undefined;
    await journal.close();
    expect([database.names(), database.isClosed]).toEqual([['a@2'], true]);
  });
});
