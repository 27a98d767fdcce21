import type { KubeObject } from '@capstan/meta';

/** Computes the values an object is found under in one index. */
export type Indexer<T extends KubeObject> = (object: T) => readonly string[];

/** `namespace/name`, or the bare name of a cluster-scoped object. */
export function objectKey(object: KubeObject): string {
  const { namespace, name = '' } = object.metadata;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Index every store has. */
export const NAMESPACE_INDEX = 'namespace';

/** What a reader may do with a cache. Objects are frozen and shared. */
export interface ReadonlyStore<T extends KubeObject> {
  readonly size: number;
  get(key: string): T | undefined;
  list(): IterableIterator<T>;
  keys(): IterableIterator<string>;
  /** The objects under one value of an index. Throws on an index that does not exist. */
  byIndex(index: string, value: string): T[];
}

/** Objects by key, with indexes kept in step. */
export class IndexedStore<T extends KubeObject> implements ReadonlyStore<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexers: ReadonlyMap<string, Indexer<T>>;
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  constructor(indexers: Readonly<Record<string, Indexer<T>>> = {}) {
    this.#indexers = new Map([
      [NAMESPACE_INDEX, (object: T) => [object.metadata.namespace ?? '']],
      ...Object.entries(indexers),
    ]);
    for (const name of this.#indexers.keys()) this.#indexes.set(name, new Map());
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): IterableIterator<T> {
    return this.#objects.values();
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  byIndex(index: string, value: string): T[] {
    const entries = this.#indexes.get(index);
    if (entries === undefined) throw new Error(`there is no index "${index}"`);
    const found: T[] = [];
    for (const key of entries.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Puts an object in place and gives the one it replaced. */
  set(key: string, object: T): T | undefined {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    this.#reindex(key, old, object);
    return old;
  }

  /** Takes an object out and gives it. */
  delete(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    this.#reindex(key, old, undefined);
    return old;
  }

  #reindex(key: string, old: T | undefined, object: T | undefined): void {
    for (const [name, indexer] of this.#indexers) {
      const entries = this.#indexes.get(name);
      if (entries === undefined) continue;
      for (const value of old === undefined ? [] : indexer(old)) {
        const keys = entries.get(value);
        keys?.delete(key);
        if (keys?.size === 0) entries.delete(value);
      }
      for (const value of object === undefined ? [] : indexer(object)) {
        const keys = entries.get(value);
        if (keys === undefined) entries.set(value, new Set([key]));
        else keys.add(key);
      }
    }
  }
}
