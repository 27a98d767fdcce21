import { isNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { ResourceRef } from '../client/resource.js';
import { EventChannel } from './sources.js';
import type { Source } from './sources.js';
import type { Cache } from '../cache/cache.js';

/** How long it is believed that a server does not serve it: it may begin to. */
const ABSENT_FOR_MS = 600_000;

/** What is needed to read it. */
export interface OptionalResourceParts {
  readonly cache: Pick<Cache, 'informer' | 'list'>;
  readonly client: Pick<Client, 'revision'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Objects of a resource that only some servers have: of an aggregated server, or of a CRD that may be missing. */
export class OptionalResource<T extends KubeObject = KubeObject> {
  /** After so long a caller that learned that the kind is not served should ask again. */
  static readonly ASK_AGAIN_MS = ABSENT_FOR_MS;
  readonly #resource: ResourceRef;
  readonly #parts: OptionalResourceParts;
  readonly #changes: EventChannel<T>;
  #isServed = false;
  #askAgainAt = Number.NEGATIVE_INFINITY;

  constructor(resource: ResourceRef, parts: OptionalResourceParts) {
    this.#resource = resource;
    this.#parts = parts;
    this.#changes = new EventChannel(resource.plural);
  }

  /** Events of changed objects, from the first read on. */
  get changes(): Source<T> {
    return this.#changes;
  }

  /** Those of a namespace; undefined where there can be none. */
  async in(namespace: string, signal: AbortSignal): Promise<readonly T[] | undefined> {
    if (!(await this.#isThere(namespace, signal))) return undefined;
    return (await this.#parts.cache.list<T>(this.#resource, { namespace })).items;
  }

  /** A watch of what is not served would be tried forever, so the server is asked before one is begun. */
  async #isThere(namespace: string, signal: AbortSignal): Promise<boolean> {
    const { client, clock } = this.#parts;
    if (this.#isServed || clock.monotonic() < this.#askAgainAt) return this.#isServed;
    try {
      await client.revision(this.#resource, { namespace, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#askAgainAt = clock.monotonic() + ABSENT_FOR_MS;
      return false;
    }
    // Two may have asked at once.
    if (!this.#isServed) this.#reportChanges();
    this.#isServed = true;
    return true;
  }

  #reportChanges(): void {
    const send = (object: T): void => this.#changes.send(object);
    this.#parts.cache.informer<T>(this.#resource).addHandler({
      // The initial objects are read by the caller.
      add: (object, isInInitialList) => void (isInInitialList || send(object)),
      update: (_, object) => send(object),
      delete: send,
    });
  }
}
