import type { Sayings } from '../conditions.js';
import type { Facts } from '../facts.js';

/** Looks at one thing and says what it found; false when nothing after it makes sense. */
export type Check = (facts: Facts, said: Sayings) => boolean;

/** Problems as one message. */
export function joined(problems: readonly string[]): string {
  return problems.join('; ');
}
