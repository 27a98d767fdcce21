import type { NodePool, NodePoolCondition, NodePoolStatus } from '@capstan/api/hypershift';
import { deepEqual } from '@capstan/meta';
import { TYPES } from './conditions.js';

/** How long details may wait to be looked at, and to be written after those before them. */
export const DETAILS_WAIT_MS = 5_000;

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
  /** When details of pools were written last; the oldest first. */
  readonly #writtenMs = new Map<string, number>();

  /** Milliseconds that a new status of a pool is to wait; 0 when it is to be written now. */
  waitMs(key: string, before: NodePool['status'], after: NodePoolStatus, nowMs: number): number {
    if (deepEqual(before ?? {}, after)) return 0;
    if (deepEqual(outline(before ?? {}), outline(after))) {
      const writtenMs = this.#writtenMs.get(key) ?? -Infinity;
      const sinceMs = nowMs - writtenMs;
      if (sinceMs >= 0 && sinceMs < DETAILS_WAIT_MS) return DETAILS_WAIT_MS - sinceMs;
    }
    this.#written(key, nowMs);
    return 0;
  }

  #written(key: string, nowMs: number): void {
    for (const [pool, writtenMs] of this.#writtenMs) {
      if (nowMs - writtenMs < DETAILS_WAIT_MS) break;
      this.#writtenMs.delete(pool);
    }
    this.#writtenMs.delete(key);
    this.#writtenMs.set(key, nowMs);
  }
}
