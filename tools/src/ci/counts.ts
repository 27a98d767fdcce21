/** How a run of the tests ended. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One word for what the run lacked; it precedes the counts, so that they are never taken for those of a whole run. */
  readonly lack?: string | undefined;
}

/** The lack of a run without any real kube-apiserver. */
export const NO_REAL_SERVER = 'no-real-kube-apiserver';

/** Nothing has run. */
export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Both runs together. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sum = { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
  const lack = a.lack ?? b.lack;
  return lack === undefined ? sum : { ...sum, lack };
}

/** `N passed, N failed, N skipped`: the form scripts read, alone on its line, with the lack and a colon before it. */
export function formatCounts(counts: Counts): string {
  const lack = counts.lack === undefined ? '' : `${counts.lack}: `;
  return `${lack}${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}

/** The sum of all lines of that form in a text; a line that is anything else is an error. */
export function sumCounts(text: string): Counts {
  let sum = noCounts;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const found = /^(?:([\w-]+): )?(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(line);
    if (found === null) throw new Error(`not a line of counts: ${line}`);
    const [, lack, passed, failed, skipped] = found;
    sum = addCounts(sum, { passed: Number(passed), failed: Number(failed), skipped: Number(skipped), lack });
  }
  return sum;
}
