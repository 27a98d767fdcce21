import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { ResourceRef } from '../client/resource.js';
import type { Logger } from '../runtime/logger.js';
import type { Sometimes } from '../runtime/sometimes.js';

/** Where a reflector puts what it learns, in order. */
export interface ReflectorTarget<T extends KubeObject, R = T> {
  /** Cuts an object down as soon as it is read, so that a large state is never whole in memory. */
  reduce(object: T): R;
  /** The complete state at one revision. */
  replace(objects: readonly R[]): void;
  upsert(object: R): void;
  remove(object: R): void;
}

export interface ReflectorOptions {
  readonly client: Client;
  readonly resource: ResourceRef;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** Learns the initial state from the watch itself; falls back to a list when the server refuses. */
  readonly watchList?: boolean | undefined;
  /** A watch silent for this long is restarted. Servers send a bookmark each minute. Default 3 min; 0 = never. */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Reads the state in pages of this size and lets others in between; then it is the newest state that is read.
   * Without it any state the server has at hand will do, which comes in one answer.
   */
  readonly pageSize?: number | undefined;
  /** Makes rare paths common in a simulation. Default: never. */
  readonly sometimes?: Sometimes | undefined;
}
