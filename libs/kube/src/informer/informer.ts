import type { KubeObject } from '@capstan/meta';
import { whenAborted } from '../runtime/abort.js';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import { errorText } from '../runtime/logger.js';
import { never, RUNTIME_HOOKS } from '../runtime/sometimes.js';
import { Delivery } from './delivery.js';
import type { InformerHandler } from './delivery.js';
import type { InformerEvent } from './owed.js';
import { Reflector } from './reflector.js';
import type { ReflectorOptions } from './reflector-options.js';
import { IndexedStore, objectKey } from './store.js';
import type { Indexer, ReadonlyStore } from './store.js';

export interface InformerOptions<T extends KubeObject> extends ReflectorOptions {
  readonly indexers?: Readonly<Record<string, Indexer<T>>> | undefined;
  /** Cuts an object down before it is stored; must leave its name and namespace. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Delivers every object to handlers again this often, as an update from itself to itself. Default: never. */
  readonly resyncMs?: number | undefined;
}

/** A handler that was added. */
export interface HandlerRegistration {
  /** True once the handler is done with the whole initial state: it was delivered, and no promise of it is pending. */
  readonly hasSynced: boolean;
  /** The number of objects with events that a busy handler has not received yet. */
  readonly pending: number;
  /** Resolves when `hasSynced` becomes true; never when the handler is taken off, or the informer stopped, before. */
  readonly whenSynced: () => Promise<void>;
  /** Takes the handler off again: no call begins after this. */
  readonly remove: () => void;
}

/** A cache of one resource kept in step with the server, and its handlers. */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #store: IndexedStore<T>;
  readonly #reflector: Reflector<T>;
  /** Never changed in place: a handler added while an event is delivered knows it already. */
  #deliveries: readonly Delivery<T>[] = [];
  #hasRun = false;
  #synced = false;
  #onSynced: (() => void)[] = [];

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#store = new IndexedStore(options.indexers);
    this.#reflector = new Reflector<T>(options, {
      reduce: options.transform ?? ((object) => object),
      replace: (objects) => this.#replace(objects),
      upsert: (object) => this.#upsert(object, false),
      remove: (object) => this.#remove(objectKey(object), object, false),
    });
  }

  get store(): ReadonlyStore<T> {
    return this.#store;
  }

  /** The revision the cache has reached. */
  get resourceVersion(): string {
    return this.#reflector.resourceVersion;
  }

  /** True once the store has the first complete state, and every handler that is not busy has received it. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  /** Resolves when `hasSynced` becomes true; never when the informer is stopped before. */
  whenSynced(): Promise<void> {
    return this.#synced ? Promise.resolve() : new Promise((resolve) => this.#onSynced.push(resolve));
  }

  /** A late handler receives everything already there: before this returns, unless it returns promises. */
  addHandler(handler: InformerHandler<T>): HandlerRegistration {
    const delivery = new Delivery(handler, (error) => this.#failed(error));
    this.#deliveries = [...this.#deliveries, delivery];
    for (const object of this.#store.list())
      delivery.offer(objectKey(object), { type: 'add', object, isInInitialList: true });
    if (this.#synced) delivery.endFirstState();
    const isSynced = (): boolean => delivery.hasSynced && this.#deliveries.includes(delivery);
    return {
      get hasSynced() {
        return isSynced();
      },
      get pending() {
        return delivery.pending;
      },
      whenSynced: () => delivery.whenSynced(),
      remove: () => {
        delivery.end();
        this.#deliveries = this.#deliveries.filter((each) => each !== delivery);
      },
    };
  }

  /** Adds an index, also over what is there already. */
  addIndexer(name: string, indexer: Indexer<T>): void {
    this.#store.addIndexer(name, indexer);
  }

  /** Runs until the signal aborts, once. No call of a handler begins after that, and those under way have ended. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new RuntimeError('misused', 'an informer runs only once');
    this.#hasRun = true;
    await Promise.all([this.#reflector.run(signal), this.#resync(signal), this.#endDeliveries(signal)]);
  }

  async #endDeliveries(signal: AbortSignal): Promise<void> {
    await whenAborted(signal);
    const ending = this.#deliveries;
    for (const delivery of ending) delivery.end();
    await Promise.all(ending.map((delivery) => delivery.settled()));
  }

  async #resync(signal: AbortSignal): Promise<void> {
    const { clock, resyncMs = 0 } = this.#options;
    while (resyncMs > 0 && (await sleep(clock, resyncMs, signal)) === 'elapsed') {
      for (const object of this.#store.list()) this.#rerun(object);
    }
  }

  #replace(objects: readonly T[]): void {
    const initial = !this.#synced;
    const gone = new Set(this.#store.keys());
    for (const object of objects) {
      gone.delete(objectKey(object));
      this.#upsert(object, initial);
    }
    for (const key of gone) this.#remove(key, undefined, true);
    if (!initial) return;
    this.#synced = true;
    for (const delivery of this.#deliveries) delivery.endFirstState();
    for (const resolve of this.#onSynced.splice(0)) resolve();
  }

  #upsert(object: T, isInInitialList: boolean): void {
    const key = objectKey(object);
    const known = this.#store.get(key);
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) {
      // Deleted and created again while nobody looked: two objects, so two events.
      this.#remove(key, undefined, true);
    } else if (known !== undefined && known.metadata.resourceVersion === object.metadata.resourceVersion) return;
    const old = this.#store.set(key, object);
    this.#deliver(key, old === undefined ? { type: 'add', object, isInInitialList } : { type: 'update', old, object });
    if ((this.#options.sometimes ?? never)(RUNTIME_HOOKS.rerun, 0.02)) this.#rerun(object);
  }

  #remove(key: string, last: T | undefined, finalStateUnknown: boolean): void {
    const old = this.#store.delete(key);
    const object = last ?? old;
    if (old === undefined || object === undefined) return;
    this.#deliver(key, { type: 'delete', object, finalStateUnknown });
  }

  #rerun(object: T): void {
    this.#deliver(objectKey(object), { type: 'update', old: object, object });
  }

  #deliver(key: string, event: InformerEvent<T>): void {
    for (const delivery of this.#deliveries) delivery.offer(key, event);
  }

  #failed(error: unknown): void {
    this.#options.logger.error('informer handler failed', {
      resource: this.#options.resource.plural,
      error: errorText(error),
    });
  }
}
