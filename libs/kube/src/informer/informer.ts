import type { KubeObject } from '@capstan/meta';
import { errorText } from '../runtime/logger.js';
import { Reflector } from './reflector.js';
import type { ReflectorOptions } from './reflector.js';
import { IndexedStore, objectKey } from './store.js';
import type { Indexer, ReadonlyStore } from './store.js';

/** Told of every change, after the store has it. Must not block; a throw is logged and goes no further. */
export interface InformerHandler<T extends KubeObject> {
  add?(object: T, isInInitialList: boolean): void;
  update?(old: T, object: T): void;
  /** `finalStateUnknown`: the deletion itself was missed, and the object is as it was last seen. */
  delete?(object: T, finalStateUnknown: boolean): void;
}

export interface InformerOptions<T extends KubeObject> extends ReflectorOptions {
  readonly indexers?: Readonly<Record<string, Indexer<T>>> | undefined;
  /** Cuts an object down before it is stored; must leave its name and namespace. */
  readonly transform?: ((object: T) => T) | undefined;
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

  /** A late handler is told of everything already there. Gives the function that takes the handler off again. */
  addHandler(handler: InformerHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#store.list()) this.#call(() => handler.add?.(object, true));
    return () => this.#handlers.delete(handler);
  }

  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal);
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
  }

  #remove(key: string, last: T | undefined, finalStateUnknown: boolean): void {
    const old = this.#store.delete(key);
    const object = last ?? old;
    if (old === undefined || object === undefined) return;
    for (const handler of this.#handlers) this.#call(() => handler.delete?.(object, finalStateUnknown));
  }

  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#options.logger.error('informer handler failed', {
        resource: this.#options.resource.plural,
        error: errorText(error),
      });
    }
  }
}
