import type { KubeObject } from '@capstan/meta';
import type { Cache, Selection } from '../cache/cache.js';
import type { ResourceRef } from '../client/resource.js';
import { objectKey } from '../informer/store.js';
import { whenAborted } from '../runtime/abort.js';
import type { ObjectEvent } from './events.js';

/** Where events come from. */
export interface Source<T extends KubeObject = KubeObject> {
  readonly name: string;
  /** Starts to emit events; resolves when the initial objects have been emitted. Ends with the signal. */
  start(emit: (event: ObjectEvent<T>) => void, signal: AbortSignal): Promise<void>;
}

/** The objects of a resource, as the cache sees them; asked for at once, so that it knows them before it starts. */
export function cacheSource<T extends KubeObject>(
  cache: Cache,
  resource: ResourceRef,
  selection: Selection = {},
): Source<T> {
  const informer = cache.informer<T>(resource, selection);
  return {
    name: resource.plural,
    start: async (emit, signal) => {
      const registration = informer.addHandler({
        add: (object, isInInitialList) => emit({ type: 'create', object, isInInitialList }),
        update: (old, object) => emit({ type: 'update', old, object }),
        delete: (object, finalStateUnknown) => emit({ type: 'delete', object, finalStateUnknown }),
      });
      const aborted = whenAborted(signal);
      void aborted.then(() => registration.remove());
      await Promise.race([registration.whenSynced(), aborted]);
    },
  };
}

/** Events of the process itself: things that happen outside the API server. */
export class EventChannel<T extends KubeObject = KubeObject> implements Source<T> {
  readonly name: string;
  readonly #listeners = new Set<(event: ObjectEvent<T>) => void>();
  /** What was sent before anybody listened: of each object the last. */
  readonly #early = new Map<string, T>();

  constructor(name: string) {
    this.name = name;
  }

  /** Emits an event of an object. Kept until a source is started, unless the same object is emitted again. */
  send(object: T): void {
    if (this.#listeners.size === 0) this.#early.set(objectKey(object), object);
    for (const listener of this.#listeners) listener({ type: 'generic', object });
  }

  start(emit: (event: ObjectEvent<T>) => void, signal: AbortSignal): Promise<void> {
    this.#listeners.add(emit);
    void whenAborted(signal).then(() => this.#listeners.delete(emit));
    const early = [...this.#early.values()];
    this.#early.clear();
    for (const object of early) emit({ type: 'generic', object });
    return Promise.resolve();
  }
}
