import type { Cache, Client } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { ROUTES } from '../kinds.js';

/** How long it is believed that a management cluster has no routes: it may get them. */
const ABSENT_FOR_MS = 600_000;

/** Routes of control planes, where the management cluster has any: only some do. */
export class RouteSource {
  readonly #cache: Pick<Cache, 'list'>;
  readonly #client: Pick<Client, 'revision'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #isServed = false;
  #askAgainAt = Number.NEGATIVE_INFINITY;

  constructor(cache: Pick<Cache, 'list'>, client: Pick<Client, 'revision'>, clock: Pick<Clock, 'monotonic'>) {
    this.#cache = cache;
    this.#client = client;
    this.#clock = clock;
  }

  /** The Routes of a namespace; undefined where there can be none. */
  async in(namespace: string, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
    if (!(await this.#isThere(namespace, signal))) return undefined;
    return (await this.#cache.list(ROUTES, { namespace })).items;
  }

  /** A watch of what is not served would be tried forever, so the server is asked before one is begun. */
  async #isThere(namespace: string, signal: AbortSignal): Promise<boolean> {
    if (this.#isServed || this.#clock.monotonic() < this.#askAgainAt) return this.#isServed;
    try {
      await this.#client.revision(ROUTES, { namespace, signal });
      this.#isServed = true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#askAgainAt = this.#clock.monotonic() + ABSENT_FOR_MS;
    }
    return this.#isServed;
  }
}
