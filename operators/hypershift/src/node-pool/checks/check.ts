import type { ConditionSet } from '../conditions.js';
import type { Snapshot } from '../snapshot.js';

/** Looks at one thing and says what it found; false when nothing after it makes sense. */
export type Check = (snapshot: Snapshot, conditions: ConditionSet) => boolean;

/** Problems as one message. */
export function joined(problems: readonly string[]): string {
  return problems.join('; ');
}
