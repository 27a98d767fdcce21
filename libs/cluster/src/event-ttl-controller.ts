import { isConflict, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Informer, WorkResult } from '@capstan/kube';
import { timeMs } from './workload/pods.js';
import { QueueController } from './workload/queue-controller.js';
import type { WorkloadOptions } from './workload/queue-controller.js';
import { EVENTS } from './workload/resources.js';

export interface EventTtlOptions extends WorkloadOptions {
  /** How long an event is kept after it was last observed. Default one hour. */
  readonly ttlMs?: number | undefined;
}

interface Event extends KubeObject {
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { lastObservedTime?: string | null } | null;
}

/** When an event was last observed. */
export function lastObservedMs({ eventTime, lastTimestamp, metadata, series }: Event): number {
  return Math.max(...[metadata.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime].map(timeMs));
}

/** Deletes events that were not observed again for a while. A real server does that by itself. */
export class EventTtlController extends QueueController {
  readonly #events: Informer<Event>;
  readonly #ttlMs: number;

  constructor(options: EventTtlOptions) {
    super(options, 'event-ttl-controller');
    this.#ttlMs = options.ttlMs ?? 3_600_000;
    this.#events = this.informers.of<Event>(EVENTS);
    this.follow(this.#events);
  }

  protected async sync(key: string): Promise<WorkResult> {
    const event = this.#events.store.get(key);
    if (event === undefined) return 'done';
    const afterMs = lastObservedMs(event) + this.#ttlMs - this.clock.now();
    if (afterMs > 0) return { afterMs };
    const { name = '', namespace, resourceVersion, uid } = event.metadata;
    try {
      await this.client.delete(EVENTS, name, { namespace, preconditions: { uid, resourceVersion } });
    } catch (error) {
      // Observed again a moment ago.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    return 'done';
  }
}
