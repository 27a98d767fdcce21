import { copyMembers } from './values.js';

/**
 * As `{ ...base, ...more }`, to be added to or frozen. A spread of what is not frozen is quicker, but V8 gives the copy a
 * hidden class that knows no others after it: with the next field, or when it is frozen, each copy gets one of its own,
 * and whoever reads it later meets an object the like of which was never seen.
 */
export function extended<A extends object, B extends object>(base: A, more: B): Omit<A, keyof B> & B {
  return Object.assign(copyMembers(base), more);
}
