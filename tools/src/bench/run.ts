import type { BenchContext, BenchRow, BenchSuite, Measurement, RowResult } from './model.js';

/** How many times worse than its stored ratio a row may be: wide, because machines differ and are shared. */
const regressionLimit = 3;
/** One bad try is the machine; this many are the code. */
const maxTries = 3;
const fullRounds = 5;
const quickRounds = 3;

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
      const result = await runRow(suite.name, row, context, baseline[rowKey(suite.name, row.name)]);
      onRow(result);
      results.push(result);
    }
  } finally {
    await open.close?.();
  }
  return results;
}

async function runRow(
  suite: string,
  row: BenchRow,
  context: BenchContext,
  storedRatio: number | undefined,
): Promise<RowResult> {
  for (let tries = 1; ; tries += 1) {
    const measured = await measure(row, context);
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

/** The best of several rounds, ours and the reference by turns: noise only ever makes a number worse. */
async function measure(row: BenchRow, context: BenchContext): Promise<Pick<RowResult, 'ours' | 'reference' | 'ratio'>> {
  const best = (a: number, b: number): number => (row.better === 'higher' ? Math.max(a, b) : Math.min(a, b));
  const once = async (run: Measurement): Promise<number> => {
    const value = await run(context);
    if (!Number.isFinite(value) || value <= 0) throw new Error(`${row.name}: measured ${value} ${row.unit}`);
    return value;
  };
  let ours: number | undefined;
  let reference: number | undefined;
  for (let round = 0; round < (context.quick ? quickRounds : fullRounds); round += 1) {
    const value = await once(row.run);
    ours = ours === undefined ? value : best(ours, value);
    if (row.reference === undefined) continue;
    const yardstick = await once(row.reference.run);
    reference = reference === undefined ? yardstick : best(reference, yardstick);
  }
  ours ??= Number.NaN;
  if (row.reference === undefined || reference === undefined) return { ours };
  const ratio = row.better === 'higher' ? ours / reference : reference / ours;
  return { ours, reference: { name: row.reference.name, value: reference }, ratio };
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
