/** Durations as the `duration` format of schemas reads them: Go's, or words such as `3 days 2 hours`. */
import { parseDuration, TimeParseError } from '@capstan/meta';

const second = 1_000_000_000n;

/** Spellings of each unit; the last one stands for all words that begin with it. */
const units: readonly (readonly [readonly string[], bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', '\u00b5s', 'micro'], 1000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], second],
  [['m', 'min'], 60n * second],
  [['h', 'hr', 'hour'], 3600n * second],
  [['d', 'day'], 86_400n * second],
  [['w', 'wk', 'week'], 604_800n * second],
];

/** A Go duration in nanoseconds, or undefined. */
export function parseGoDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof TimeParseError) return undefined;
    throw error;
  }
}

/** Nanoseconds, or undefined when nothing in the text is a duration. */
export function parseFormatDuration(text: string): bigint | undefined {
  const exact = parseGoDuration(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const [, amount = '0', word = ''] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-z\u00b5]+)/g)) {
    const unit = word.toLowerCase();
    for (const [spellings, nanos] of units) {
      const matches = spellings.filter((s, i) => s === unit || (i === spellings.length - 1 && unit.startsWith(s)));
      for (const _ of matches) total = (total ?? 0n) + BigInt(amount) * nanos;
    }
  }
  return total;
}
