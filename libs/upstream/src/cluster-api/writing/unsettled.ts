import type { Clock, KubeObject } from '@capstan/meta';
import type { CoreKind } from '../kinds.js';
import type { CoreObjects } from './core-objects.js';
import { awaitCache } from './expectations.js';

/** What it reads through. */
interface Reader {
  readonly objects: CoreObjects;
  readonly clock: Clock;
}

/**
 * Objects that were to be created and may or may not be: no answer came. Their names were drawn by chance, so to try
 * again would be to create another. Before more are created the server is asked what became of these.
 */
export class Unsettled {
  readonly #reader: Reader;
  readonly #kind: CoreKind;
  readonly #names = new Map<string, Set<string>>();

  constructor(kind: CoreKind, reader: Reader) {
    this.#kind = kind;
    this.#reader = reader;
  }

  /** Remembers a name under its owner until it is settled. */
  note(owner: KubeObject, name: string): void {
    const key = keyOf(owner);
    this.#names.set(key, (this.#names.get(key) ?? new Set()).add(name));
  }

  /** The answer came after all. */
  forget(owner: KubeObject, name: string): void {
    const names = this.#names.get(keyOf(owner));
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(keyOf(owner));
  }

  /** Asks what became of all names of an owner; returns when the watch knows of those that are there. */
  async settle(owner: KubeObject, signal?: AbortSignal): Promise<boolean> {
    const { objects } = this.#reader;
    const { namespace = '' } = owner.metadata;
    let isAnyThere = false;
    for (const name of this.#names.get(keyOf(owner)) ?? []) {
      const isThere = (await objects.live(this.#kind, namespace, name)) !== undefined;
      if (isThere) {
        isAnyThere = true;
        await this.seen(namespace, name, signal);
      }
      this.forget(owner, name);
    }
    return isAnyThere;
  }

  /** Returns when the watch knows of an object that was created. */
  seen(namespace: string, name: string, signal?: AbortSignal): Promise<void> {
    const { objects, clock } = this.#reader;
    const isSeen = async (): Promise<boolean> => (await objects.look(this.#kind, namespace, name)) !== undefined;
    return awaitCache(clock, `${this.#kind} ${namespace}/${name}`, isSeen, signal);
  }

  /** Returns when the watch knows that an object is going. */
  gone(namespace: string, name: string, signal?: AbortSignal): Promise<void> {
    const { objects, clock } = this.#reader;
    const isSeen = async (): Promise<boolean> => {
      const object = await objects.look(this.#kind, namespace, name);
      return object === undefined || object.metadata.deletionTimestamp != null;
    };
    return awaitCache(clock, `the deletion of ${this.#kind} ${namespace}/${name}`, isSeen, signal);
  }
}

function keyOf({ metadata }: KubeObject): string {
  return metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
