/**
 * What `list.push(...others)` and `Math.max(...numbers)` do, for lists of any length: an argument takes room on the stack, and
 * over some 120,000 of them a call throws a RangeError.
 */

/** Adds all elements of others to the end of a list, and returns it; the list itself may be among them. */
export function pushAll<T>(list: T[], ...others: readonly Iterable<NoInfer<T>>[]): T[] {
  for (const other of others)
    if (Array.isArray(other)) pushArray(list, other as readonly T[]);
    else for (const each of other) list.push(each);
  return list;
}

function pushArray<T>(list: T[], other: readonly T[]): void {
  const { length } = other;
  for (let at = 0; at < length; at += 1) list.push(other[at] as T);
}

/** The largest of some numbers, at least that much; NaN where one is. */
export function maxOf(numbers: Iterable<number>, least = -Infinity): number {
  let largest = least;
  for (const each of numbers) largest = Math.max(largest, each);
  return largest;
}

/** The smallest of some numbers, at most that much; NaN where one is. */
export function minOf(numbers: Iterable<number>, most = Infinity): number {
  let smallest = most;
  for (const each of numbers) smallest = Math.min(smallest, each);
  return smallest;
}
