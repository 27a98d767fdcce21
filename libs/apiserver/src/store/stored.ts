import type { Recent } from '@capstan/meta';
import { deepFreeze, type KubeObject, type ObjectMeta } from '@capstan/meta';
import { decodeMetadata, decodeObject, encodeObject } from './codec.js';
import { stamped } from './content.js';
import type { Coolable, HotSet } from './hot-set.js';
import { known, learnt, memoised, type MemoTable } from './memo.js';
import type { ObjectKey } from './types.js';
import { BrokenInvariant } from '../errors.js';

/** What all versions of all objects of one resource share. */
export interface Home {
  readonly resource: string;
  readonly hot: HotSet;
  /** The metadata of those that were looked at alone, lately. */
  readonly glanced: Recent<Stored, ObjectMeta>;
}

/**
 * One version of one object, immutable. It holds the parsed form, the encoded form or both; while it is hot it may hold
 * both, when it cools one remains. Hence two calls of `object()` may give two (equal) objects.
 */
export class Stored implements Coolable {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** For the store only. */
  readonly home: Home;
  heat: 0 | 1 | 2 = 0;
  #value: KubeObject | undefined;
  #encoded: Uint8Array | undefined = undefined;
  #isFrozen = false;
  /** Null until it is first read, where the version came encoded. */
  #labels: Readonly<Record<string, string>> | undefined | null;
  /** The version this one repeats under another revision; what is derived from it can be derived again. */
  #base: Stored | undefined = undefined;
  #memos: MemoTable | undefined = undefined;
  #facts: MemoTable | undefined = undefined;

  /** For the store only. The source is an object that carries the revision, its encoding, or the version to repeat. */
  constructor(home: Home, key: ObjectKey, revision: number, source: KubeObject | Uint8Array | Stored) {
    this.home = home;
    this.namespace = key.namespace;
    this.name = key.name;
    this.revision = revision;
    if (source instanceof Stored) {
      this.#base = source;
      this.#value = undefined;
      this.#labels = source.#labels;
    } else if (source instanceof Uint8Array) {
      this.#encoded = source;
      this.#value = undefined;
      this.#labels = null;
    } else {
      this.#value = source;
      this.#labels = source.metadata.labels;
      if (this.#labels !== undefined) Object.freeze(this.#labels);
    }
  }

  /** Group and plural name, as the registry spells them: `apps/deployments`. */
  get resource(): string {
    return this.home.resource;
  }

  /** The object with `metadata.resourceVersion` set. Shared: the caller promises not to change it. */
  object(): KubeObject {
    const value = this.#value;
    if (value === undefined) return this.#revive();
    if (this.heat === 1) this.heat = 2;
    return value;
  }

  /** The object, deeply frozen, for handing out. */
  frozen(): KubeObject {
    const value = this.object();
    if (!this.#isFrozen) {
      deepFreeze(value);
      this.#isFrozen = true;
    }
    return value;
  }

  /**
   * The metadata alone, for those who walk through everything. Kept for no longer than a walk takes for a page of it: when a
   * server starts, several walk at once. Not to be changed.
   */
  metadata(): ObjectMeta {
    if (this.#value !== undefined || this.#encoded === undefined) return this.object().metadata;
    const { glanced } = this.home;
    let metadata = glanced.get(this);
    if (metadata === undefined) glanced.set(this, (metadata = decodeMetadata(this.#encoded)));
    return metadata;
  }

  /** The JSON encoding of the object. Shared: never written to. */
  bytes(): Uint8Array {
    if (this.#encoded === undefined) {
      this.#encoded = encodeObject(this.object());
      this.home.hot.admit(this);
    }
    return this.#encoded;
  }

  /** The labels, without needing the parsed object more than once. Frozen. */
  labels(): Readonly<Record<string, string>> | undefined {
    if (this.#labels !== null) return this.#labels;
    const { labels } = this.object().metadata;
    if (labels !== undefined) Object.freeze(labels);
    this.#labels = labels;
    return labels;
  }

  /** A cache for projections (other versions, table rows). Emptied when the object cools, so `make` must be pure. */
  memo<T>(key: string, make: () => T): T {
    this.#memos ??= [];
    const value = memoised(this.#memos, key, make);
    this.home.hot.admit(this);
    // Dearer to make again than the parsed form: it is no newcomer that may just pass through.
    this.heat = 2;
    return value;
  }

  /** Like `memo` but kept as long as this version lives: for small facts (selectable fields) that spare a parse. */
  fact<T>(key: string, make: () => T): T {
    if (this.#facts !== undefined) return memoised(this.#facts, key, make);
    const value = make();
    // Mostly the only one: an array that was pushed to has room for many more.
    this.#facts = [key, value];
    return value;
  }

  /** A fact that is known, without finding it out. */
  knownFact<T>(key: string): T | undefined {
    return this.#facts && known<T>(this.#facts, key);
  }

  /** Keeps a fact that was found out elsewhere, perhaps in the place of another. */
  learn(key: string, fact: unknown): void {
    if (this.#facts === undefined) this.#facts = [key, fact];
    else learnt(this.#facts, key, fact);
  }

  /** The same content under another revision, derived only when it is read. */
  withRevision(revision: number): Stored {
    return new Stored(this.home, this, revision, this.#base ?? this);
  }

  /** Called by the hot set: drops what can be had again. */
  cool(): void {
    this.#memos = undefined;
    if (this.#base !== undefined) {
      this.#encoded = undefined;
      this.#value = undefined;
      this.#isFrozen = false;
    } else if (this.#encoded !== undefined) {
      this.#value = undefined;
      this.#isFrozen = false;
    }
  }

  #revive(): KubeObject {
    const value = this.#base === undefined ? this.#decode() : stamped(this.#base.object(), this.revision);
    this.#value = value;
    this.home.hot.admit(this);
    return value;
  }

  #decode(): KubeObject {
    if (this.#encoded === undefined) throw new BrokenInvariant('a stored object lost both its forms');
    const value = decodeObject(this.#encoded);
    if (this.#labels != null) value.metadata.labels = this.#labels;
    return value;
  }
}
