import type { KubeObject } from '@capstan/meta';
import { sleep } from '../runtime/clock.js';
import { errorText } from '../runtime/logger.js';
import { never, RUNTIME_HOOKS } from '../runtime/sometimes.js';
import { Reflector } from './reflector.js';
import type { ReflectorOptions } from './reflector-options.js';
import { IndexedStore, objectKey } from './store.js';
import type { Indexer, ReadonlyStore } from './store.js';

/**
 * Told of every change, after the store has it. Must not block: the next is told when it returns. Nobody waits for a
 * promise it gives. What it throws is logged and goes no further.
 */
export interface InformerHandler<T extends KubeObject> {
  add?(object: T, isInInitialList: boolean): unknown;
  update?(old: T, object: T): unknown;
  /** `finalStateUnknown`: the deletion itself was missed, and the object is as it was last seen. */
  delete?(object: T, finalStateUnknown: boolean): unknown;
}

export interface InformerOptions<T extends KubeObject> extends ReflectorOptions {
  readonly indexers?: Readonly<Record<string, Indexer<T>>> | undefined;
  /** Cuts an object down before it is stored; must leave its name and namespace. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Tells handlers of every object again this often, as an update from itself to itself. Default: never. */
  readonly resyncMs?: number | undefined;
}

/** A handler that was added. */
export interface HandlerRegistration {
  /** True once the handler was told of the whole first state. */
  readonly hasSynced: boolean;
  /** Takes the handler off again. */
  readonly remove: () => void;
}

/** A cache of one resource kept in step with the server, and its handlers. */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #store: IndexedStore<T>;
  readonly #reflector: Reflector<T>;
  readonly #handlers = new Set<InformerHandler<T>>();
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

  /** True once the first complete state has been given to every handler. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  /** Resolves when `hasSynced` becomes true; never when the informer is stopped before. */
  whenSynced(): Promise<void> {
    return this.#synced ? Promise.resolve() : new Promise((resolve) => this.#onSynced.push(resolve));
  }

  /** A late handler is told of everything already there, before this returns. */
  addHandler(handler: InformerHandler<T>): HandlerRegistration {
    this.#handlers.add(handler);
    for (const object of this.#store.list()) this.#call(() => handler.add?.(object, true));
    const synced = (): boolean => this.#synced && this.#handlers.has(handler);
    return {
      get hasSynced() {
        return synced();
      },
      remove: () => void this.#handlers.delete(handler),
    };
  }

  /** Adds an index, also over what is there already. */
  addIndexer(name: string, indexer: Indexer<T>): void {
    this.#store.addIndexer(name, indexer);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#reflector.run(signal), this.#resync(signal)]);
  }

  async #resync(signal: AbortSignal): Promise<void> {
    const { clock, resyncMs = 0 } = this.#options;
    while (resyncMs > 0 && (await sleep(clock, resyncMs, signal)) === 'elapsed') {
      for (const object of this.#store.list())
        for (const handler of this.#handlers) this.#call(() => handler.update?.(object, object));
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
    for (const handler of this.#handlers) {
      this.#call(() => (old === undefined ? handler.add?.(object, isInInitialList) : handler.update?.(old, object)));
    }
    if ((this.#options.sometimes ?? never)(RUNTIME_HOOKS.retell, 0.02))
      for (const handler of this.#handlers) this.#call(() => handler.update?.(object, object));
  }

  #remove(key: string, last: T | undefined, finalStateUnknown: boolean): void {
    const old = this.#store.delete(key);
    const object = last ?? old;
    if (old === undefined || object === undefined) return;
    for (const handler of this.#handlers) this.#call(() => handler.delete?.(object, finalStateUnknown));
  }

  #call(handler: () => unknown): void {
    const failed = (error: unknown): void =>
      this.#options.logger.error('informer handler failed', {
        resource: this.#options.resource.plural,
        error: errorText(error),
      });
    try {
      const given = handler();
      if (given instanceof Promise) given.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
