import { type Clock, compareBytes, type KubeObject, type ObjectMeta, Recent } from '@capstan/meta';
import { sameContent, stamped } from './content.js';
import { Dispatcher } from './dispatcher.js';
import { CommittedEvent } from './event.js';
import { History } from './history.js';
import { HotSet } from './hot-set.js';
import { checkSnapshot, snapshotTable, type SnapshotOptions } from './snapshot.js';
import { type Home, Stored } from './stored.js';
import { ResourceTable } from './table.js';
import {
  type EncodedState,
  type EventListener,
  type EventSelector,
  type HistoryLimits,
  type ListOptions,
  type ListResult,
  RevisionExpired,
  RevisionInFuture,
  type StoreEvent,
  type StoreEventType,
  type StoreOptions,
  type StoreSnapshot,
} from './types.js';
import { BadSnapshot } from '../errors.js';

const defaultLimits: HistoryLimits = { minEvents: 100, maxEvents: 102_400, minAgeMs: 75_000 };
const defaultHotEntries = 2_000;
/** As many as a page has that walks through everything. */
const glancedEntries = 500;

/**
 * The multi-version store: pure, synchronous, one global revision. Every committed write is one revision and one event;
 * a write that changes nothing, or fails, is neither.
 */
export class Store {
  readonly #clock: Clock;
  readonly #options: StoreOptions;
  readonly #limits: HistoryLimits;
  readonly #dispatcher: Dispatcher;
  readonly #tables = new Map<string, ResourceTable>();
  /** Shared with forks: it decides about cost only. */
  #hot: HotSet;
  readonly #glanced = new Recent<Stored, ObjectMeta>(glancedEntries);
  /** Tables with another owner are shared with a fork and cloned before the first write. */
  #owner: object = {};
  #revision: number;
  /** History before this is gone for every resource, also for those that had no object yet. */
  #compacted: number;
  #guard: () => void = () => {};

  constructor(options: StoreOptions) {
    this.#clock = options.clock;
    this.#options = options;
    const limits = { ...defaultLimits, ...options.history };
    this.#limits = { ...limits, minEvents: Math.min(limits.minEvents, limits.maxEvents) };
    this.#hot = new HotSet(options.hotEntries ?? defaultHotEntries);
    this.#revision = options.startRevision ?? 1;
    this.#compacted = this.#revision;
    this.#dispatcher = new Dispatcher((error, event) => this.#report(error, event));
  }

  /** A store as the snapshot describes it, which is owned from here on. Without history, watches from before expire. */
  static restore(snapshot: StoreSnapshot, options: StoreOptions): Store {
    checkSnapshot(snapshot);
    const store = new Store({ ...options, startRevision: snapshot.compacted });
    store.#revision = snapshot.revision;
    for (const { resource, oldest, objects, events } of snapshot.resources) {
      const home = store.#home(resource);
      const table = new ResourceTable(home, store.#owner, new History(oldest));
      store.#tables.set(resource, table);
      for (const { namespace, name, revision, object } of objects) {
        table.load(new Stored(home, { namespace, name }, revision, stamped(object, revision)));
      }
      for (const { type, namespace, name, revision, timeMs, object } of events) {
        const previous = table.get(namespace, name);
        const source = object === undefined ? previous : stamped(object, revision);
        if (source === undefined)
          throw new BadSnapshot(`the snapshot deletes ${resource} ${namespace}/${name} before it exists`);
        const current = new Stored(home, { namespace, name }, revision, source);
        table.apply(new CommittedEvent(type, current, previous, timeMs));
      }
    }
    return store;
  }

  /** A store with these objects, which are parsed only when they are first read. Watches from before expire. */
  static reopen({ revision: startRevision, objects }: EncodedState, options: StoreOptions): Store {
    const store = new Store({ ...options, startRevision });
    for (const object of objects) {
      const table = store.#writable(object.resource);
      table.load(new Stored(table.home, object, object.revision, object.bytes));
    }
    return store;
  }

  /** The revision of the last committed write. */
  get revision(): number {
    return this.#revision;
  }

  get(resource: string, namespace: string, name: string): Stored | undefined {
    return this.#tables.get(resource)?.get(namespace, name);
  }

  /** Commits a new object, of which the store becomes the owner. Undefined when the key is taken. */
  create(resource: string, namespace: string, name: string, object: KubeObject): Stored | undefined {
    if (this.get(resource, namespace, name) !== undefined) return undefined;
    this.#guard();
    const { home } = this.#writable(resource);
    const revision = this.#revision + 1;
    const current = new Stored(home, { namespace, name }, revision, stamped(object, revision));
    return this.#commit('create', current, undefined);
  }

  /**
   * Commits another content for the version expected to be the latest, and becomes the owner of it. Content equal but
   * for its resourceVersion commits nothing and gives `expected` back. `mark` is called with the version before any listener.
   */
  replace(expected: Stored, object: KubeObject, mark?: (current: Stored) => void): Stored | 'conflict' | 'gone' {
    const { resource, namespace, name } = expected;
    const latest = this.get(resource, namespace, name);
    if (latest !== expected) return latest === undefined ? 'gone' : 'conflict';
    if (sameContent(expected.object(), object)) return expected;
    this.#guard();
    const { home } = this.#writable(resource);
    const revision = this.#revision + 1;
    const current = new Stored(home, expected, revision, stamped(object, revision));
    mark?.(current);
    return this.#commit('update', current, expected);
  }

  /** Commits the deletion of the version expected to be the latest. Gives its last state with the deletion's revision. */
  remove(expected: Stored): Stored | 'conflict' | 'gone' {
    const latest = this.get(expected.resource, expected.namespace, expected.name);
    if (latest !== expected) return latest === undefined ? 'gone' : 'conflict';
    this.#guard();
    return this.#commit('delete', expected.withRevision(this.#revision + 1), expected);
  }

  /** The objects of a resource in key order. Throws {@link RevisionExpired} or {@link RevisionInFuture}. */
  list(resource: string, options: ListOptions = {}): ListResult {
    const revision = options.revision ?? this.#revision;
    if (revision > this.#revision) throw new RevisionInFuture(revision, this.#revision);
    const table = this.#tables.get(resource);
    if (table !== undefined) return table.list(options, revision);
    if (revision < this.#compacted) throw new RevisionExpired(revision, this.#compacted);
    return { items: [], revision, more: false, remaining: 0 };
  }

  count(resource: string): number {
    return this.#tables.get(resource)?.count ?? 0;
  }

  /** The resources that have objects, in byte order. */
  resources(): string[] {
    const names: string[] = [];
    for (const [resource, table] of this.#tables) if (table.count > 0) names.push(resource);
    return names.sort(compareBytes);
  }

  /** The events of a resource after the revision, oldest first. Throws {@link RevisionExpired}. */
  eventsSince(resource: string, revision: number): readonly StoreEvent[] {
    const table = this.#tables.get(resource);
    if (table !== undefined) return table.eventsSince(revision);
    if (revision < this.#compacted) throw new RevisionExpired(revision, this.#compacted);
    return [];
  }

  /**
   * Calls the listener during every following commit, in revision order; events it commits itself come after the one
   * at hand has reached everybody. Calling the result ends the subscription at once.
   */
  subscribe(listener: EventListener, selector?: EventSelector): () => void {
    return this.#dispatcher.subscribe(listener, this.#revision, selector);
  }

  /** Asks `guard` before each commit from now on; where it throws nothing is committed. */
  guard(guard: () => void): void {
    this.#guard = guard;
  }

  /** Forgets the history up to the revision: older lists and watches expire from now on. */
  compact(revision: number): void {
    if (revision > this.#revision) throw new RevisionInFuture(revision, this.#revision);
    if (revision <= this.#compacted) return;
    this.#compacted = revision;
    for (const resource of this.#tables.keys()) this.#writable(resource).history.compact(revision);
  }

  /** The oldest revision a list or watch of this resource may name. */
  oldestRevision(resource: string): number {
    return this.#tables.get(resource)?.history.floor ?? this.#compacted;
  }

  /** The store as plain data, its objects frozen. Without `history` only the present state. */
  snapshot(options: SnapshotOptions = {}): StoreSnapshot {
    const isWhole = options.history !== false;
    return {
      format: 1,
      revision: this.#revision,
      compacted: isWhole ? this.#compacted : this.#revision,
      resources: [...this.#tables.keys()].sort(compareBytes).flatMap((resource) => {
        const table = this.#tables.get(resource);
        return table === undefined ? [] : [snapshotTable(table, isWhole, this.#revision)];
      }),
    };
  }

  /** An independent store with the same content and history and no listeners. Costs little until one of the two writes. */
  fork(options: Partial<StoreOptions> = {}): Store {
    const copy = new Store({ ...this.#options, ...options });
    copy.#hot = this.#hot;
    copy.#revision = this.#revision;
    copy.#compacted = this.#compacted;
    for (const [resource, table] of this.#tables) copy.#tables.set(resource, table);
    this.#owner = {};
    return copy;
  }

  #writable(resource: string): ResourceTable {
    const table = this.#tables.get(resource);
    if (table?.owner === this.#owner) return table;
    const own =
      table?.clone(this.#owner) ?? new ResourceTable(this.#home(resource), this.#owner, new History(this.#compacted));
    this.#tables.set(resource, own);
    return own;
  }

  #home(resource: string): Home {
    return { resource, hot: this.#hot, glanced: this.#glanced };
  }

  #commit(type: StoreEventType, current: Stored, previous: Stored | undefined): Stored {
    const now = this.#clock.now();
    const event = new CommittedEvent(type, current, previous, now);
    const table = this.#writable(current.resource);
    table.apply(event);
    table.history.trim(this.#limits, now);
    this.#revision = current.revision;
    this.#dispatcher.publish(event);
    return current;
  }

  #report(error: unknown, event: StoreEvent): void {
    try {
      if (this.#options.onListenerError === undefined) throw error;
      this.#options.onListenerError(error, event);
    } catch (unhandled) {
      this.#clock.after(0, () => {
        throw unhandled;
      });
    }
  }
}
