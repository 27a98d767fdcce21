import type { ConditionSet } from '../conditions.js';
import type { Snapshot } from '../snapshot.js';

/** Checks one thing and sets its conditions; false when later checks and writes depend on it and must not run. */
export type Check = (snapshot: Snapshot, conditions: ConditionSet) => boolean;

/** Problems as one message. */
export function joined(problems: readonly string[]): string {
  return problems.join('; ');
}
