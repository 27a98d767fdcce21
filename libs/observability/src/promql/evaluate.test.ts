import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.js';
import { parsePromql } from './parse.js';
import { SeriesStore } from './series.js';
import type { LabelSet, Series } from './series.js';

/** Values a minute apart, from minute 0 on; a gap where there is none. */
function series(name: string, labels: LabelSet, values: readonly (number | undefined)[]): Series {
  const samples = values.flatMap((value, at) => (value === undefined ? [] : [{ ms: at * 60_000, value }]));
  return { name, labels, samples };
}

function ask(text: string, minute: number, ...given: readonly Series[]): unknown {
  const value = evaluate(parsePromql(text), new SeriesStore(given), minute * 60_000);
  return typeof value === 'number' ? value : value.map((each) => [each.labels, each.value]);
}

describe('a rate', () => {
  it.each<[string, readonly (number | undefined)[], number, unknown]>([
    ['is what a steady counter grows in a second', [0, 60, 120, 180, 240, 300], 5, [[{}, 1]]],
    ['takes a fall for a restart from zero', [600, 660, 720, 60, 120, 180], 5, [[{}, (60 + 60 + 60 + 60) / 240]]],
    ['needs two samples', [undefined, undefined, undefined, undefined, undefined, 7], 5, []],
    ['is nothing when the counter stands', [5, 5, 5, 5, 5, 5], 5, [[{}, 0]]],
    [
      'does not reach back beyond where the counter was zero',
      [undefined, undefined, undefined, 0, 60, 120],
      5,
      [[{}, 120 / 300]],
    ],
    [
      'reaches half a gap beyond samples that begin late',
      [undefined, undefined, 600, 660, 720, 780],
      5,
      [[{}, (180 * 3.5) / 3 / 300]],
    ],
    ['forgets what is as old as its range', [0, 1000, 1000, 1000, 1000, 1000, 1000], 6, [[{}, 0]]],
  ])('%s', (_title, values, minute, expected) => {
    expect(ask('rate(c[5m])', minute, series('c', {}, values))).toEqual(expected);
  });

  it('is the increase divided by the seconds of its range', () => {
    const given = series('c', {}, [0, 10, 20, 30, 40, 50]);
    expect(ask('increase(c[5m]) / 300 == rate(c[5m])', 5, given)).toEqual([[{}, 50 / 300]]);
  });
});

describe('a quantile', () => {
  const at = (counts: Readonly<Record<string, number>>): Series[] =>
    Object.entries(counts).map(([le, count]) => series('b', { le, x: 'y' }, [count]));

  it.each<[string, number, Readonly<Record<string, number>>, number]>([
    ['lies evenly within its bucket', 0.5, { '0.1': 0, '1': 10, '+Inf': 10 }, 0.55],
    ['of the first bucket begins at zero', 0.5, { '0.1': 10, '1': 10, '+Inf': 10 }, 0.05],
    ['beyond the greatest bound is that bound', 0.95, { '0.1': 1, '1': 2, '+Inf': 10 }, 1],
    ['of nothing is no number', 0.95, { '0.1': 0, '1': 0, '+Inf': 0 }, Number.NaN],
    ['without a last bucket is no number', 0.95, { '0.1': 1, '1': 2 }, Number.NaN],
    ['above one is infinite', 2, { '0.1': 1, '+Inf': 2 }, Infinity],
    ['below zero is infinite too', -1, { '0.1': 1, '+Inf': 2 }, -Infinity],
    ['bears counts that fall a little', 1, { '0.1': 5, '1': 4.999, '+Inf': 5 }, 0.1],
  ])('%s', (_title, share, counts, expected) => {
    const [[labels, value]] = ask(`histogram_quantile(${share}, b)`, 0, ...at(counts)) as [[LabelSet, number]];
    expect(labels).toEqual({ x: 'y' });
    if (Number.isFinite(expected)) expect(value).toBeCloseTo(expected, 10);
    else expect(value).toBe(expected);
  });
});

describe('series', () => {
  const given = [
    series('c', { a: '1', b: 'x' }, [1]),
    series('c', { a: '2', b: 'x' }, [2]),
    series('c', { a: '1', b: 'y' }, [4]),
    series('d', { a: '1' }, [10]),
    series('d', { a: '3' }, [30]),
  ];

  it.each<[string, unknown]>([
    [
      'c{a="1"}',
      [
        [{ a: '1', b: 'x' }, 1],
        [{ a: '1', b: 'y' }, 4],
      ],
    ],
    ['c{a!="1"}', [[{ a: '2', b: 'x' }, 2]]],
    ['c{a=~"2|3"}', [[{ a: '2', b: 'x' }, 2]]],
    ['c{b!~"x"}', [[{ a: '1', b: 'y' }, 4]]],
    ['c{other=""} > 2', [[{ a: '1', b: 'y' }, 4]]],
    [
      'sum by (a) (c)',
      [
        [{ a: '1' }, 5],
        [{ a: '2' }, 2],
      ],
    ],
    [
      'sum without (a) (c)',
      [
        [{ b: 'x' }, 3],
        [{ b: 'y' }, 4],
      ],
    ],
    ['sum(c)', [[{}, 7]]],
    ['max(c) - min(c) + avg(c) * count(c)', [[{}, 10]]],
    ['sum(nothing)', []],
    ['sum by (a) (c) / d', [[{ a: '1' }, 0.5]]],
    ['sum by (a) (c) and d', [[{ a: '1' }, 5]]],
    ['sum by (a) (c) unless d', [[{ a: '2' }, 2]]],
    ['absent(c)', []],
    ['absent(c{a="1"})', []],
    ['absent(c{a="9",b=~"x"})', [[{ a: '9' }, 1]]],
    ['absent(c{a="9",a!="8"})', [[{}, 1]]],
    ['absent(c > 100)', [[{}, 1]]],
    [
      'sum by (a) (c) or d',
      [
        [{ a: '1' }, 5],
        [{ a: '2' }, 2],
        [{ a: '3' }, 30],
      ],
    ],
    ['sum by (a) (c) < bool d', [[{ a: '1' }, 1]]],
    ['sum by (a) (c) < d', [[{ a: '1' }, 5]]],
    ['c{b="y"} * on (a) d', [[{ a: '1' }, 40]]],
    ['c{b="y"} * ignoring (b) d', [[{ a: '1' }, 40]]],
    ['20 < d', [[{ a: '3' }, 30]]],
    [
      '-d % 7',
      [
        [{ a: '1' }, -3],
        [{ a: '3' }, -2],
      ],
    ],
    ['0 * d / 0 > 0', []],
    ['2 ^ 3 - 1 >= 7', 1],
    ['1 != 1', 0],
    ['time()', 0],
    ['1h + Inf', Infinity],
  ])('%s', (text, expected) => {
    expect(ask(text, 0, ...given)).toEqual(expected);
  });

  it('stand for five minutes after their last sample', () => {
    expect(ask('d', 4, ...given)).toHaveLength(2);
    expect(ask('d', 5, ...given)).toEqual([]);
  });

  it('that have two partners are refused', () => {
    expect(() => ask('d / on (a) c', 0, ...given)).toThrow('more than one series to the right of /');
  });
});
