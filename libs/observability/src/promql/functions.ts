import type { Expression } from './expression.js';
import type { LabelSet, Sample } from './series.js';

/** How much further than the usual gap between samples the edge of a range may be, to be taken for one more gap. */
const GAP_TOLERANCE = 1.1;

/**
 * How much a counter grew in the range that ends at `endMs`, stretched to its edges as Prometheus does; undefined with
 * fewer than two samples. A fall is a restart from zero.
 */
export function increaseOver(samples: readonly Sample[], endMs: number, rangeMs: number): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < 2) return undefined;
  let growth = last.value - first.value;
  for (const [at, { value }] of samples.entries()) {
    const before = samples[at - 1]?.value ?? 0;
    if (at > 0 && value < before) growth += before;
  }
  const sampledMs = last.ms - first.ms;
  const gapMs = sampledMs / (samples.length - 1);
  const edge = (distanceMs: number): number => (distanceMs >= gapMs * GAP_TOLERANCE ? gapMs / 2 : distanceMs);
  let toStartMs = edge(first.ms - (endMs - rangeMs));
  // A counter is never below zero, so it cannot have grown for longer than it takes to reach its first value.
  if (growth > 0 && first.value >= 0) toStartMs = Math.min(toStartMs, sampledMs * (first.value / growth));
  return growth * ((sampledMs + toStartMs + edge(endMs - last.ms)) / sampledMs);
}

/** What is known of series that are not there: the labels that were asked for by one value and in no other way. */
export function absentLabels(of: Expression | undefined): LabelSet {
  if (of?.kind !== 'selector') return {};
  const asked = of.matchers.map(({ label }) => label);
  const once = of.matchers.filter(
    ({ label, op, value }) => op === '=' && value !== '' && asked.indexOf(label) === asked.lastIndexOf(label),
  );
  return Object.fromEntries(once.map(({ label, value }) => [label, value]));
}

/** How many observations were at most so large. */
export interface Bucket {
  readonly bound: number;
  readonly count: number;
}

/** The value below which this share of the observations lies, taking them to be spread evenly within a bucket. */
export function bucketQuantile(share: number, unordered: readonly Bucket[]): number {
  if (!(share >= 0 && share <= 1)) return share < 0 ? -Infinity : share > 1 ? Infinity : Number.NaN;
  const buckets = monotonic(unordered.toSorted((a, b) => a.bound - b.bound));
  const all = buckets.pop();
  const greatest = buckets.at(-1);
  if (all?.bound !== Infinity || greatest === undefined || all.count === 0) return Number.NaN;
  const rank = share * all.count;
  const at = buckets.findIndex(({ count }) => count >= rank);
  const found = buckets[at];
  // Nothing is known of how far beyond the greatest bound they are.
  if (found === undefined) return greatest.bound;
  const before = buckets[at - 1] ?? { bound: 0, count: 0 };
  return before.bound + (found.bound - before.bound) * ((rank - before.count) / (found.count - before.count));
}

/** Counts never fall from bucket to bucket; where sums of rates have it so, it is the error of their arithmetic. */
function monotonic(buckets: readonly Bucket[]): Bucket[] {
  let most = 0;
  return buckets.map(({ bound, count }) => {
    most = Math.max(most, count);
    return { bound, count: most };
  });
}
