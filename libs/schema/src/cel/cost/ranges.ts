/** Ranges of sizes and costs; sums and products stop at the largest 64-bit number. */

/** Least and most a size may be. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** Least and most something may cost. */
export type CostRange = SizeRange;

/** Beyond counting. The difference to 2^64 - 1 is lost in a double and does not matter. */
export const uncountable: number = 2 ** 64;

/** One less than beyond counting: the largest double below stands for it. */
export const barelyCountable: number = 2 ** 64 - 2 ** 11;

/** Nothing is known about the size. */
export const unknownSize: SizeRange = { min: 0, max: uncountable };

function capped(value: number): number {
  return value > uncountable ? uncountable : value;
}

/** Exactly so much. */
export function fixed(value: number): SizeRange {
  return { min: value, max: value };
}

/** The sum. */
export function addRange(a: SizeRange, b: SizeRange): SizeRange {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) };
}

/** The product. */
export function multiplyRange(a: SizeRange, b: SizeRange): SizeRange {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** A multiple, rounded up. */
export function scaleRange(range: SizeRange, factor: number): SizeRange {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

/** The range that holds both. */
export function union(a: SizeRange, b: SizeRange): SizeRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** The size of the data a path leads to, or undefined. Paths are a variable, then fields, `@items`, `@keys`, `@values`. */
export type SizeEstimator = (path: readonly string[]) => SizeRange | undefined;
