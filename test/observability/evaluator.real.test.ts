import { OBSERVED } from '@capstan/cli/observability';
import { evaluate, parsePromql, SeriesStore } from '@capstan/observability/promql';
import type { LabelSet, Series } from '@capstan/observability/promql';
import { propertySeed } from '@capstan/tools';
import { expect, it } from 'vitest';
import { hasPromtool, promtool, promtoolSeries, seriesText } from './promtool.js';

/*
 * Our evaluator and that of Prometheus, over the same random series with gaps and restarts. The seed is printed;
 * CAPSTAN_SEED repeats a run.
 */

const MINUTES = 40;
const ROUNDS = 8;
const BOUNDS = ['0.1', '0.5', '1', '+Inf'];

const EXPRESSIONS = [
  'rate(c[5m])',
  'increase(c[7m])',
  'sum by (x) (rate(c[5m]))',
  'sum without (y) (rate(c[3m]))',
  'max(c) - min(c)',
  'avg by (x) (g)',
  'count by (y) (g > 0)',
  'histogram_quantile(0.95, sum by (le, x) (rate(h_bucket[5m])))',
  'histogram_quantile(0.5, sum by (le) (rate(h_bucket[10m])))',
  'sum(rate(c{y=~"a|b"}[5m])) / (sum(rate(c[5m])) > 0)',
  'sum by (x) (rate(c[5m])) > 0.2',
  'sum by (x) (g) and sum by (x) (rate(c[5m])) > bool 0.1',
  'sum by (x) (g) or sum by (y) (g)',
  'sum by (x) (g) unless sum by (x) (c) > 100',
  'absent(g)',
  'absent(nothing{x="1",y=~"a"})',
  'sum by (x) (g) == 0 or absent(g{x="none"})',
  'g * on (x, y) c',
  'g % 7 ^ 2',
  'time() - g',
  '-g < 3',
] as const;

/** A small generator of numbers from 0 up to 1, so that the seed alone decides the series. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Counters that restart, gauges, buckets that stay in order; all with gaps. */
function randomSeries(random: () => number): Series[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const found: Series[] = [];
  for (const x of ['1', '2'])
    for (const y of ['a', 'b', 'c']) {
      const [restarts, gaps] = [random() * 0.15, random() * 0.3];
      const totals = { c: 0, h: BOUNDS.map(() => 0) };
      const lines = ['c', 'g', ...BOUNDS].map(() => [] as { ms: number; value: number }[]);
      for (let minute = 0; minute <= MINUTES; minute += 1) {
        if (random() < restarts) Object.assign(totals, { c: 0, h: BOUNDS.map(() => 0) });
        totals.c += below(50);
        const seen = below(BOUNDS.length);
        totals.h = totals.h.map((count, at) => (at >= seen ? count + 1 : count));
        if (random() < gaps) continue;
        const values = [totals.c, below(100) - 20, ...totals.h];
        for (const [at, value] of values.entries()) lines[at]?.push({ ms: minute * 60_000, value });
      }
      const labels = { x, y };
      const names = [
        { name: 'c', labels },
        { name: 'g', labels },
        ...BOUNDS.map((le) => ({ name: 'h_bucket', labels: { ...labels, le } })),
      ];
      found.push(...names.map((name, at) => ({ ...name, samples: lines[at] ?? [] })));
    }
  return found;
}

/** Results by their labels. */
type Results = Readonly<Record<string, number>>;

function ours(text: string, series: readonly Series[], minute: number): Results {
  const value = evaluate(parsePromql(text), new SeriesStore(series), minute * 60_000);
  const elements = typeof value === 'number' ? [{ name: '', labels: {}, value }] : value;
  return Object.fromEntries(elements.map((each) => [seriesText(each.name, each.labels), each.value]));
}

const WHEN = [4, 13, 27, MINUTES];
const ASKED = EXPRESSIONS.flatMap((text) => WHEN.map((minute) => ({ text, minute })));

/** The results of Prometheus. The tool prints results only when they are not as expected, so something else is expected. */
async function theirs(series: readonly Series[]): Promise<Results[]> {
  const wrong = [{ labels: 'no_such_series', value: 1 }];
  const asked = ASKED.map(({ text, minute }) => ({ expr: text, eval_time: `${minute}m`, exp_samples: wrong }));
  const tests = [{ interval: '1m', input_series: promtoolSeries(series, MINUTES), promql_expr_test: asked }];
  const file = { 'tests.yaml': { rule_files: [], evaluation_interval: '1m', tests } };
  const output = await promtool(['test', 'rules', 'tests.yaml'], file).catch(
    (error: { stderr?: string; stdout?: string }) => {
      return `${error.stdout ?? ''}${error.stderr ?? ''}`;
    },
  );
  const lines = [...output.matchAll(/^ +got: (.*)$/gm)].map(([, line = '']) => line);
  return lines.map((line) => {
    const results = [...line.matchAll(/(\w*)\{([^}]*)\} (\S+?)(?:,|$)/g)].map(([, name = '', pairs = '', value]) => {
      const labels = [...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text]);
      return [seriesText(name, Object.fromEntries(labels) as LabelSet), Number(value)] as const;
    });
    return Object.fromEntries(results);
  });
}

/** Where two differ. The order in which numbers are added is not specified, so the last digits do not count. */
function differences(mine: Results, other: Results): string[] {
  return [...new Set([...Object.keys(mine), ...Object.keys(other)])].flatMap((labels) => {
    const [a, b] = [mine[labels], other[labels]];
    const isSame = Object.is(a, b) || Math.abs((a ?? Number.NaN) - (b ?? Number.NaN)) <= Math.abs(a ?? 0) * 1e-9;
    return isSame ? [] : [`${labels}: ours ${a}, theirs ${b}`];
  });
}

it.skipIf(!hasPromtool())('Prometheus evaluates as our evaluator does', { timeout: 300_000 }, async () => {
  const random = randomFrom(propertySeed());
  let compared = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const series = randomSeries(random);
    const results = await theirs(series);
    expect(results).toHaveLength(ASKED.length);
    const found = ASKED.flatMap(({ text, minute }, at) => {
      const mine = ours(text, series, minute);
      compared += Object.keys(mine).length;
      return differences(mine, results[at] ?? {}).map((each) => `${text} at ${minute}m: ${each}`);
    });
    expect(found).toEqual([]);
  }
  expect(compared).toBeGreaterThan(ROUNDS * EXPRESSIONS.length);
});

it.skipIf(!hasPromtool())('Prometheus reads the expressions of all panels', async () => {
  const panels = OBSERVED.flatMap(({ rows }) => rows.flatMap((row) => row.panels));
  const rules = panels.flatMap(({ queries }) => queries).map(({ expr }, at) => ({ record: `panel:query:${at}`, expr }));
  expect(rules.length).toBeGreaterThan(10);
  const output = await promtool(['check', 'rules', 'panels.yaml'], {
    'panels.yaml': { groups: [{ name: 'panels', rules }] },
  });
  expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
});
