import type { BenchContext, BenchRow, BenchSuite, Measurement, RowResult, Spread } from './model.js';

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

/** Runs one suite; without a baseline its ratios are stored. `onRow` is called with each row as soon as it is done. */
export async function runSuite(
  suite: BenchSuite,
  context: BenchContext,
  baseline: Baseline | undefined,
  onRow: (result: RowResult) => void = () => {},
): Promise<RowResult[]> {
  const open = await suite.open(context);
  const results: RowResult[] = [];
  try {
    for (const row of open.rows) {
      const result = await runRow(suite, row, context, baseline);
      onRow(result);
      results.push(result);
    }
  } finally {
    await open.close?.();
  }
  return results;
}

async function runRow(
  { name: suite, counts = 'best', rounds = fullRounds }: BenchSuite,
  row: BenchRow,
  context: BenchContext,
  baseline: Baseline | undefined,
): Promise<RowResult> {
  const storedRatio = baseline?.[rowKey(suite, row.name)];
  // A quick look goes on only where the first one gave reason to, or where it is going to be what others are held to.
  const isEnough = (ratio: number | undefined): boolean =>
    context.quick && baseline !== undefined && !(storedRatio !== undefined && isWorse(ratio, storedRatio, DOUBT));
  for (let tries = 1; ; tries += 1) {
    const measured = await measure(row, context, { counts, isEnough, rounds });
    const worse = storedRatio !== undefined && isWorse(measured.ratio, storedRatio, regressionLimit);
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

/** Whether a ratio is so many times worse than the stored one; what has none is never. */
function isWorse(ratio: number | undefined, stored: number, times: number): boolean {
  return ratio !== undefined && stored / ratio > times;
}

type Summary = (values: readonly number[], better: BenchRow['better']) => number;

const SUMMARIES: Readonly<Record<'best' | 'median', Summary>> = {
  /** Noise only ever makes the number of some work worse. */
  best: (values, better) => (better === 'higher' ? Math.max(...values) : Math.min(...values)),
  /** Where several processes work together, the best round means as little as the worst. */
  median: (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN,
};

interface Manner {
  readonly counts: NonNullable<BenchSuite['counts']>;
  /** Whether a round that gave this ratio may be the last. */
  readonly isEnough: (ratio: number | undefined) => boolean;
  readonly rounds: number;
}

/** Several rounds, ours and the reference by turns; who comes second finds the machine as the first one left it. */
async function measure(
  row: BenchRow,
  context: BenchContext,
  { counts, isEnough, rounds }: Manner,
): Promise<Pick<RowResult, 'ours' | 'spread' | 'reference' | 'ratio'>> {
  const once = async (run: Measurement): Promise<number> => {
    const value = await run(context);
    if (!Number.isFinite(value) || value <= 0) throw new Error(`${row.name}: measured ${value} ${row.unit}`);
    return value;
  };
  const [values, yardsticks]: [number[], number[]] = [[], []];
  const summary = (of: readonly number[]): number => SUMMARIES[counts](of, row.better);
  const ratio = (): number | undefined => {
    if (row.reference === undefined) return undefined;
    const [ours, reference] = [summary(values), summary(yardsticks)];
    return row.better === 'higher' ? ours / reference : reference / ours;
  };
  const turns: (readonly [Measurement, number[]])[] = [[row.run, values]];
  if (row.reference !== undefined) turns.push([row.reference.run, yardsticks]);
  for (let round = 0; round < (context.quick ? quickRounds : rounds); round += 1) {
    for (const [run, into] of turns) into.push(await once(run));
    turns.reverse();
    if (isEnough(ratio())) break;
  }
  const summaryOf = (of: readonly number[]): { readonly value: number; readonly spread?: Spread } => {
    const value = summary(of);
    return counts === 'median' ? { value, spread: [Math.min(...of), Math.max(...of)] } : { value };
  };
  const { value: ours, ...more } = summaryOf(values);
  const times = ratio();
  if (row.reference === undefined || times === undefined) return { ours, ...more };
  return { ours, ...more, reference: { name: row.reference.name, ...summaryOf(yardsticks) }, ratio: times };
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
