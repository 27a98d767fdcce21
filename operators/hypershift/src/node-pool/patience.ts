import type { NodePool, NodePoolCondition, NodePoolStatus } from '@capstan/api/hypershift';
import { deepEqual } from '@capstan/meta';
import { TYPES } from './conditions.js';

/** How long details may wait to be written. */
const DETAILS_WAIT_MS = 3_000;

const TALKATIVE: ReadonlySet<string> = new Set([TYPES.machinesReady, TYPES.nodesHealthy, TYPES.ready]);

/** A status without what changes with every step of every machine. */
function outline(status: NodePoolStatus): unknown {
  const { conditions = [], nodesInfo: _, replicas: __, ...rest } = status;
  const told = conditions.map((condition: NodePoolCondition) => {
    const { message: ___, reason: ____, ...kept } = condition;
    return TALKATIVE.has(condition.type) ? kept : condition;
  });
  return { ...rest, conditions: told };
}

/**
 * Puts several changes of detail into one write: while machines come up, each of them changes what is said of the pool many
 * times. Whatever else changes is written at once. What waits when a process ends is found again by the next.
 */
export class Patience {
  readonly #waiting = new Map<string, number>();

  /** Milliseconds that a new status of a pool is to wait; 0 when it is to be written now. */
  waitMs(key: string, before: NodePool['status'], after: NodePoolStatus, nowMs: number): number {
    if (!deepEqual(outline(before ?? {}), outline(after))) return this.#done(key);
    if (deepEqual(before ?? {}, after)) return this.#done(key);
    const since = this.#waiting.get(key) ?? nowMs;
    this.#waiting.set(key, since);
    const left = since + DETAILS_WAIT_MS - nowMs;
    return left > 0 ? left : this.#done(key);
  }

  #done(key: string): 0 {
    this.#waiting.delete(key);
    return 0;
  }
}
