/** How a run of the tests ended. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Nothing has run. */
export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Both runs together. */
export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** `N passed, N failed, N skipped`: the form scripts read, alone on its line. */
export function formatCounts(counts: Counts): string {
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}

/** The sum of all lines of that form in a text; a line that is anything else is an error. */
export function sumCounts(text: string): Counts {
  let sum = noCounts;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const found = /^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(line);
    if (found === null) throw new Error(`not a line of counts: ${line}`);
    sum = addCounts(sum, { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3]) });
  }
  return sum;
}
