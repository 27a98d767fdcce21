import { expect, it } from 'vitest';

import { FLAKE_BUDGET, flakeReport, flakesOverBudget } from './flakes.js';

const flakes = (count: number): string[] => Array.from({ length: count }, (_, at) => `test ${at}`);

it('passes a run within the budget, and names its flaky tests', () => {
  expect(flakesOverBudget(flakes(FLAKE_BUDGET))).toEqual([]);
  expect(flakeReport(flakes(1))).toEqual([
    'passed the second time only: 1, with a budget of 3',
    '  passed the second time only: test 0',
  ]);
});

it('fails a run over the budget for each of its flaky tests', () => {
  expect(flakesOverBudget(flakes(FLAKE_BUDGET + 1))).toHaveLength(FLAKE_BUDGET + 1);
  expect(flakesOverBudget(flakes(4))[0]).toBe('passed the second time only, and 4 did: test 0');
});
