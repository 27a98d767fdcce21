import type { JsonObject } from '@capstan/meta';

/**
 * A status whose `observedGeneration`s speak of a copy: one that had been observed is observed, one that had not is not. A
 * copy starts to count from one, so the numbers of its original would say that it was observed before it was written.
 */
export function rebaseGenerations(
  status: unknown,
  { from, to }: { readonly from: number; readonly to: number },
): unknown {
  if (Array.isArray(status)) return status.map((item) => rebaseGenerations(item, { from, to }));
  if (typeof status !== 'object' || status === null) return status;
  const entries = Object.entries(status as JsonObject).flatMap(([key, value]): readonly [string, unknown][] => {
    if (key !== 'observedGeneration' || typeof value !== 'number')
      return [[key, rebaseGenerations(value, { from, to })]];
    const observed = value >= from ? to : to - 1;
    // Before the first generation nothing was observed, and the field is left out: 0 is not valid everywhere.
    return observed > 0 ? [[key, observed]] : [];
  });
  return Object.fromEntries(entries) as JsonObject;
}
