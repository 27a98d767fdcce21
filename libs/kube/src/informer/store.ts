import type { KubeObject } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';

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
  hasIndex(name: string): boolean;
}

/** Objects by key, under each value they are found under. */
type Index<T extends KubeObject> = Map<string, Map<string, T>>;

/** Objects by key, with indexes kept in step. */
export class IndexedStore<T extends KubeObject> implements ReadonlyStore<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexers: Map<string, Indexer<T>>;
  readonly #indexes = new Map<string, Index<T>>();

  constructor(indexers: Readonly<Record<string, Indexer<T>>> = {}) {
    this.#indexers = new Map([
      [NAMESPACE_INDEX, (object: T) => [object.metadata.namespace ?? '']],
      ...Object.entries(indexers),
    ]);
    for (const name of this.#indexers.keys()) this.#indexes.set(name, new Map());
  }

  /** Adds an index, also over what is there already. The same name again changes nothing. */
  addIndexer(name: string, indexer: Indexer<T>): void {
    if (this.#indexers.has(name)) return;
    const entries: Index<T> = new Map();
    this.#indexers.set(name, indexer);
    this.#indexes.set(name, entries);
    for (const [key, object] of this.#objects) enter(entries, key, object, indexer(object));
  }

  /** Whether there is an index of that name. */
  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
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
    if (entries === undefined) throw new RuntimeError('no-index', `there is no index "${index}"`);
    const found = entries.get(value);
    return found === undefined ? [] : [...found.values()];
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
      const before = old === undefined ? NOWHERE : indexer(old);
      const now = object === undefined ? NOWHERE : indexer(object);
      // Hardly any update moves an object from where it is found.
      if (!isSame(before, now)) leave(entries, key, before);
      if (object !== undefined) enter(entries, key, object, now);
    }
  }
}

const NOWHERE: readonly string[] = [];

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

function enter<T extends KubeObject>(entries: Index<T>, key: string, object: T, values: readonly string[]): void {
  for (const value of values) {
    const found = entries.get(value);
    if (found === undefined) entries.set(value, new Map([[key, object]]));
    else found.set(key, object);
  }
}

function leave(entries: Index<KubeObject>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const found = entries.get(value);
    found?.delete(key);
    if (found?.size === 0) entries.delete(value);
  }
}
