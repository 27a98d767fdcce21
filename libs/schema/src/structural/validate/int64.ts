/** The integers of the server. */

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

/** Whether the server decodes the number to an `int64`; every other number it holds as a float. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : value >= int64Min && value <= int64Max;
}
