import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { objectKey } from '../informer/store.js';
import type { Predicate } from './predicates.js';

/**
 * What a controller said last of each object it looks after: its status, or what of that is its own. By it what somebody else
 * wrote there is told from what it wrote itself, of which it need not hear.
 */
export class LastSaid<T extends KubeObject> {
  readonly #part: (object: T) => unknown;
  readonly #said = new Map<string, unknown>();

  constructor(part: (object: T) => unknown) {
    this.#part = part;
  }

  /** To be told before it is written, as a watch may be quicker than the answer, and again with what the server made of it. */
  say(object: T): void {
    this.#said.set(objectKey(object), this.#part(object));
  }

  /** Of an object that is gone, by its key. */
  forget(key: string): void {
    this.#said.delete(key);
  }

  /** Updates by which an object came to say something else than was said last. */
  readonly contradicted: Predicate<T> = (event) => {
    if (event.type !== 'update') return false;
    const now = this.#part(event.object);
    if (deepEqual(this.#part(event.old), now)) return false;
    const key = objectKey(event.object);
    return !this.#said.has(key) || !deepEqual(this.#said.get(key), now);
  };
}
