import type { JsonObject } from '@capstan/meta';

/**
 * A status whose `observedGeneration`s speak of a copy: one that had been observed is observed, one that had not is not. A
 * copy starts to count anew, so the numbers of its original would say that it was observed before it was written.
 */
export function rebaseGenerations(
  status: unknown,
  { from, to }: { readonly from: number; readonly to: number },
): unknown {
  if (Array.isArray(status)) return status.map((item) => rebaseGenerations(item, { from, to }));
  if (typeof status !== 'object' || status === null) return status;
  const entries = Object.entries(status as JsonObject).map(([key, value]) =>
    key === 'observedGeneration' && typeof value === 'number'
      ? [key, value >= from ? to : Math.max(0, to - 1)]
      : [key, rebaseGenerations(value, { from, to })],
  );
  return Object.fromEntries(entries) as JsonObject;
}
