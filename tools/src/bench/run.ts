import type { BenchContext, BenchRow, BenchSuite, Measurement, RowResult } from './model.js';

/** How many times worse than its stored ratio a row may be: wide, because machines differ and are shared. */
const regressionLimit = 3;
/** One bad try is the machine; this many are the code. */
const maxTries = 3;
const fullRounds = 5;
const quickRounds = 3;
/** How many times worse than stored a first round may be without anybody doubting it. */
const DOUBT = 1.5;

/** Ratios of earlier runs by `suite/row`. */
export type Baseline = Readonly<Record<string, number>>;

/** The name of a row in the baseline. */
function rowKey(suite: string, row: string): string {
  return `${suite}/${row}`;
}

/** Runs one suite; `onRow` hears of each row as soon as it is done. */
export async function runSuite(
  suite: BenchSuite,
  context: BenchContext,
  baseline: Baseline,
  onRow: (result: RowResult) => void = () => {},
): Promise<RowResult[]> {
  const open = await suite.open(context);
  const results: RowResult[] = [];
  try {
    for (const row of open.rows) {
      const result = await runRow(suite, row, context, baseline[rowKey(suite.name, row.name)]);
      onRow(result);
      results.push(result);
    }
  } finally {
    await open.close?.();
  }
  return results;
}

async function runRow(
  { name: suite, counts = 'best' }: BenchSuite,
  row: BenchRow,
  context: BenchContext,
  storedRatio: number | undefined,
): Promise<RowResult> {
  for (let tries = 1; ; tries += 1) {
    const measured = await measure(row, context, { summary: SUMMARIES[counts], stored: storedRatio });
    const { ratio } = measured;
    const worse = ratio !== undefined && storedRatio !== undefined && storedRatio / ratio > regressionLimit;
    if (worse && tries < maxTries) continue;
    return {
      suite,
      name: row.name,
      unit: row.unit,
      better: row.better,
      ...measured,
      ...(row.target === undefined ? {} : { target: row.target }),
      ...(row.missing === undefined ? {} : { missing: row.missing }),
      ...(storedRatio === undefined ? {} : { storedRatio }),
      tries,
      regressed: worse,
    };
  }
}

type Summary = (values: readonly number[], better: BenchRow['better']) => number;

const SUMMARIES: Readonly<Record<'best' | 'median', Summary>> = {
  /** Noise only ever makes the number of some work worse. */
  best: (values, better) => (better === 'higher' ? Math.max(...values) : Math.min(...values)),
  /** Of what several programs do together, a lucky round says as little as an unlucky one. */
  median: (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN,
};

/** Several rounds, ours and the reference by turns. */
async function measure(
  row: BenchRow,
  context: BenchContext,
  { stored, summary }: { readonly summary: Summary; readonly stored: number | undefined },
): Promise<Pick<RowResult, 'ours' | 'reference' | 'ratio'>> {
  const once = async (run: Measurement): Promise<number> => {
    const value = await run(context);
    if (!Number.isFinite(value) || value <= 0) throw new Error(`${row.name}: measured ${value} ${row.unit}`);
    return value;
  };
  const [values, yardsticks]: [number[], number[]] = [[], []];
  const ratio = (): number => {
    const [ours, reference] = [summary(values, row.better), summary(yardsticks, row.better)];
    return row.better === 'higher' ? ours / reference : reference / ours;
  };
  for (let round = 0; round < (context.quick ? quickRounds : fullRounds); round += 1) {
    values.push(await once(row.run));
    if (row.reference !== undefined) yardsticks.push(await once(row.reference.run));
    // A quick look goes on only where the first one gave reason to.
    if (context.quick && stored !== undefined && ratio() * DOUBT > stored) break;
  }
  const ours = summary(values, row.better);
  if (row.reference === undefined) return { ours };
  const reference = summary(yardsticks, row.better);
  return { ours, reference: { name: row.reference.name, value: reference }, ratio: ratio() };
}

/** The baseline after a run: rows of the suites that ran are replaced, also those that are gone; the rest stays. */
export function updatedBaseline(old: Baseline, results: readonly RowResult[]): Record<string, number> {
  const ran = new Set(results.map((result) => result.suite));
  const entries = Object.entries(old).filter(([key]) => !ran.has(key.slice(0, key.indexOf('/'))));
  for (const { suite, name, ratio } of results) {
    if (ratio !== undefined) entries.push([rowKey(suite, name), Number(ratio.toPrecision(3))]);
  }
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
