import { describe, expect, it } from 'vitest';

import { parseArguments } from './arguments.js';
import { makeContext } from './context.js';
import type { BenchRow, BenchSuite } from './model.js';
import { runSuite, updatedBaseline } from './run.js';
import { formatNumber, formatTable } from './table.js';

/** A row that gives the listed numbers one after the other, the last one again and again. */
function scripted(
  values: readonly number[],
  reference: number | undefined,
  better: BenchRow['better'] = 'higher',
): BenchRow {
  let at = 0;
  return {
    name: 'row',
    unit: 'ops/s',
    better,
    ...(reference === undefined ? {} : { reference: { name: 'yardstick', run: () => reference } }),
    run: () => values[Math.min(at++, values.length - 1)] ?? 0,
  };
}

function suiteOf(row: BenchRow): BenchSuite {
  return { name: 'suite', open: () => ({ rows: [row] }) };
}

const quick = makeContext(true);

describe('a benchmark run', () => {
  it('takes the best of its rounds, which for times is the smallest', async () => {
    const [fast] = await runSuite(suiteOf(scripted([10, 30, 20], 10)), quick, undefined);
    expect(fast).toMatchObject({ ours: 30, ratio: 3, tries: 1, regressed: false });
    const [short] = await runSuite(suiteOf(scripted([10, 30, 20], 5, 'lower')), quick, undefined);
    expect(short).toMatchObject({ ours: 10, ratio: 0.5 });
  });

  it('takes the median if a suite asks for it, of ours and of the reference', async () => {
    const yardsticks = [5, 1, 4];
    const row: BenchRow = {
      ...scripted([10, 30, 20], undefined),
      reference: { name: 'yardstick', run: () => yardsticks.shift() ?? 0 },
    };
    const results = await runSuite({ ...suiteOf(row), counts: 'median' }, quick, undefined);
    expect(results[0]).toMatchObject({ ours: 20, reference: { value: 4 }, ratio: 5 });
    expect(formatTable(results)).toContain('20 ops/s [10–30]  4 [1–5] (yardstick)');
  });

  it('lets ours and the reference begin in turn, for as many rounds as a suite asks for', async () => {
    const order: string[] = [];
    const row: BenchRow = {
      ...scripted([], undefined),
      run: () => order.push('ours'),
      reference: { name: 'yardstick', run: () => order.push('yardstick') },
    };
    await runSuite({ ...suiteOf(row), rounds: 3 }, { ...quick, quick: false }, {});
    expect(order).toEqual(['ours', 'yardstick', 'yardstick', 'ours', 'ours', 'yardstick']);
  });

  it('calls a row regressed after three tries more than three times worse than stored', async () => {
    const [result] = await runSuite(suiteOf(scripted([10], 10)), quick, { 'suite/row': 3.01 });
    expect(result).toMatchObject({ ratio: 1, storedRatio: 3.01, tries: 3, regressed: true });
  });

  it('forgives exactly three times worse, and a slow machine that recovers', async () => {
    const [border] = await runSuite(suiteOf(scripted([10], 10)), quick, { 'suite/row': 3 });
    expect(border).toMatchObject({ tries: 1, regressed: false });
    const [recovered] = await runSuite(suiteOf(scripted([1, 1, 1, 1, 1, 1, 10], 10)), quick, { 'suite/row': 1 });
    expect(recovered).toMatchObject({ ratio: 1, tries: 3, regressed: false });
  });

  it('looks once where a quick first round is nothing to be doubted, and again where it is', async () => {
    const [sure] = await runSuite(suiteOf(scripted([10, 30], 10)), quick, { 'suite/row': 1.4 });
    expect(sure).toMatchObject({ ours: 10, ratio: 1 });
    const [doubted] = await runSuite(suiteOf(scripted([10, 30], 10)), quick, { 'suite/row': 1.6 });
    expect(doubted).toMatchObject({ ours: 30, ratio: 3 });
  });

  it('looks once where there is nothing to compare with, unless what it finds is to be stored', async () => {
    const [fresh] = await runSuite(suiteOf(scripted([10, 30], 10)), quick, {});
    expect(fresh).toMatchObject({ ours: 10, ratio: 1 });
    const [alone] = await runSuite(suiteOf(scripted([10, 30], undefined)), quick, { 'suite/row': 1 });
    expect(alone).toMatchObject({ ours: 10 });
    const [stored] = await runSuite(suiteOf(scripted([10, 30], 10)), quick, undefined);
    expect(stored).toMatchObject({ ours: 30, ratio: 3 });
  });

  it('never compares a row that has no reference', async () => {
    const [result] = await runSuite(suiteOf(scripted([1], undefined)), quick, { 'suite/row': 100 });
    expect(result?.regressed).toBe(false);
    expect(result).not.toHaveProperty('ratio');
  });

  it('refuses a number that no measurement gives', async () => {
    await expect(runSuite(suiteOf(scripted([0], 1)), quick, {})).rejects.toThrow('row: measured 0 ops/s');
  });

  it('closes a suite whose row throws', async () => {
    let closed = 0;
    const failing: BenchSuite = {
      name: 'suite',
      open: () => ({ rows: [scripted([Number.NaN], 1)], close: async () => void (closed += 1) }),
    };
    await expect(runSuite(failing, quick, {})).rejects.toThrow('measured NaN');
    expect(closed).toBe(1);
  });
});

describe('the clock of a measurement', () => {
  it('gives calls per second of the time that passed', async () => {
    let time = 0;
    const context = makeContext(true, () => time);
    expect(context.rate(() => (time += 2))).toBeCloseTo(500, 5);
    const work = async (): Promise<void> => void (time += 4);
    expect(await context.rateAsync(work)).toBeCloseTo(250, 5);
  });
});

describe('the stored ratios', () => {
  it('are replaced for the suites that ran and kept for the others', async () => {
    const results = await runSuite(suiteOf(scripted([12.3456], 10)), quick, undefined);
    expect(updatedBaseline({ 'suite/gone': 1, 'zoo/kept': 2, 'other/kept': 4 }, results)).toEqual({
      'other/kept': 4,
      'suite/row': 1.23,
      'zoo/kept': 2,
    });
  });
});

describe('the table', () => {
  it('has a line per row with ratio, stored ratio and target', async () => {
    const row = { ...scripted([20_000], 10_000), target: 15_000 };
    const results = await runSuite(suiteOf(row), quick, { 'suite/row': 1.5 });
    expect(formatTable(results)).toBe(
      [
        'row                ours           reference  ratio  stored  target',
        'suite/row  20,000 ops/s  10,000 (yardstick)  2.00x   1.50x  15,000  target reached',
      ].join('\n'),
    );
  });

  it.each([
    [0.012345, '0.0123'],
    [999.4, '999'],
    [1234.5, '1,235'],
    [1234567, '1,234,567'],
  ])('writes %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('the command line', () => {
  it.each([
    [[], { suites: [], quick: false, update: false }],
    [['meta', '--quick', '--json', 'x.json'], { suites: ['meta'], quick: true, update: false, json: 'x.json' }],
    [['--update'], { suites: [], quick: false, update: true }],
    [['--json'], '--json needs the name of a file'],
    [['--slow'], 'unknown option --slow'],
    [['nothing'], 'no suite nothing; there are meta'],
  ])('%j', (args, expected) => {
    expect(parseArguments(args, ['meta'])).toEqual(expected);
  });
});
