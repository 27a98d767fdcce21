import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { Cache, withoutManagedFields } from '@capstan/kube';
import type { Informer, ResourceRef } from '@capstan/kube';
import type { ControllerOptions } from '../controller.js';

/** Index of objects by the uid of their controller. */
const CONTROLLER_INDEX = 'controller';

/** One informer per resource, however many controllers look at it. All of them end with the signal of the first start. */
export class SharedInformers {
  readonly #cache: Cache;
  #running: Promise<void> | undefined;

  constructor({ client, clock, logger, random }: ControllerOptions) {
    this.#cache = new Cache({
      client,
      clock,
      logger,
      random,
      // No controller asks who set which field; a write that says nothing of it leaves it as it is.
      transform: withoutManagedFields,
      watchList: false,
      // Controllers of the cluster wait for their server however long it takes.
      syncTimeoutMs: Number.POSITIVE_INFINITY,
    });
  }

  /**
   * The informer of a resource, or of those of its objects that a field selector takes. The caller vouches for the type,
   * as it does when it reads an object.
   */
  of<T extends KubeObject>(resource: ResourceRef, fieldSelector = ''): Informer<T> {
    const informer = this.#cache.informer<T>(resource, { fieldSelector });
    informer.addIndexer(CONTROLLER_INDEX, (object) => [controllerOf(object)?.uid ?? '']);
    return informer;
  }

  /** Runs every informer asked for so far; resolves when all of them know the world, or the signal aborts. */
  start(signal: AbortSignal): Promise<void> {
    this.#running ??= this.#cache.run(signal);
    return this.#cache.whenSynced(signal);
  }

  /** Resolves when the last informer has ended. */
  async stopped(): Promise<void> {
    await this.#running;
  }
}

/** What an object controls, of all an informer knows. */
export function controlledBy<T extends KubeObject>(informer: Informer<T>, owner: KubeObject): T[] {
  return informer.store.byIndex(CONTROLLER_INDEX, owner.metadata.uid ?? '-');
}
