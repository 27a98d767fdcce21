import { setMaxListeners } from 'node:events';
import { controllerOf, extended } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { Informer } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import type { ControllerOptions } from '../controller.js';

/** Index of objects by the uid of their controller. */
const CONTROLLER_INDEX = 'controller';

interface Shared {
  readonly informer: Informer<KubeObject>;
  running: Promise<void> | undefined;
}

/** What is kept of objects; informers are shared by its name. */
export interface Cut {
  readonly name: string;
  /** Objects come without their bodies, page by page: there may be very many, and nobody waits for them. */
  readonly metadataOnly?: boolean;
  /** Must leave name, namespace and owners. */
  reduce(object: KubeObject): KubeObject;
}

const PAGE_SIZE = 500;

/** Who set which field fills a good part of an object, and no controller asks. */
const WITHOUT_MANAGERS: Cut = { name: '', reduce: withoutManagers };

/**
 * One informer per resource, however many controllers look at it. All of them end with the signal of the first start.
 *
 * It is separate from the `Cache` of the runtime on purpose: here each reader names what is kept of an object, so that one
 * program has Secrets by their metadata in one informer and ConfigMaps without their data in another, and reads in pages
 * what there may be very much of; a start waits for its own informers alone, and without a limit. With a `Cache` all of
 * that would have to be in its options, and what is left here to map to it is longer than what it saves.
 */
export class SharedInformers {
  readonly #options: ControllerOptions;
  readonly #informers = new Map<string, Shared>();

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /**
   * The informer of a resource, or of those of its objects that a field selector takes. The caller vouches for the type,
   * as it does when it reads an object.
   */
  of<T extends KubeObject>(resource: ResourceRef, fieldSelector = '', cut = WITHOUT_MANAGERS): Informer<T> {
    const { client, clock, logger, random, sometimes } = this.#options;
    const selected = fieldSelector === '' ? '' : `?${fieldSelector}`;
    const key = `${resource.plural}.${resource.group}/${resource.version}${selected}${cut.name === '' ? '' : ` ${cut.name}`}`;
    let shared = this.#informers.get(key);
    if (shared === undefined) {
      const informer = new Informer<KubeObject>({
        client,
        clock,
        logger,
        random: random.split(`informer ${key}`),
        resource,
        sometimes,
        ...(fieldSelector === '' ? {} : { fieldSelector }),
        ...(cut.metadataOnly === true ? { metadataOnly: true, pageSize: PAGE_SIZE } : {}),
        transform: (object) => cut.reduce(object),
        indexers: { [CONTROLLER_INDEX]: (object) => [controllerOf(object)?.uid ?? ''] },
      });
      shared = { informer, running: undefined };
      this.#informers.set(key, shared);
    }
    return shared.informer as unknown as Informer<T>;
  }

  /** Runs every informer requested so far; resolves when all of them have synced, or the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    // Every informer and every controller listens to it.
    setMaxListeners(0, signal);
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const shared of this.#informers.values()) shared.running ??= shared.informer.run(signal);
    const synced = [...this.#informers.values()].map(({ informer }) => informer.whenSynced());
    await Promise.race([Promise.all(synced), aborted]);
  }

  /** Resolves when the last informer has ended. */
  async stopped(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(({ running }) => running ?? Promise.resolve()));
  }
}

/** A write without managed fields leaves them as they are. */
export function withoutManagers(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return Object.freeze(extended(object, { metadata: Object.freeze(metadata) })) as KubeObject;
}

/** What an object controls, of all an informer knows. */
export function controlledBy<T extends KubeObject>(informer: Informer<T>, owner: KubeObject): T[] {
  return informer.store.byIndex(CONTROLLER_INDEX, owner.metadata.uid ?? '-');
}
