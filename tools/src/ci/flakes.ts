/** How many tests of one run may fail first and pass on a fresh server. */
export const FLAKE_BUDGET = 3;

/** How much of the budget is spent, and on which tests. */
export function flakeReport(flaky: readonly string[]): string[] {
  return [
    `passed the second time only: ${flaky.length}, with a budget of ${FLAKE_BUDGET}`,
    ...flaky.map((each) => `  passed the second time only: ${each}`),
  ];
}

/** The failures of a run: none within the budget, all flaky tests beyond it. */
export function flakesOverBudget(flaky: readonly string[]): string[] {
  if (flaky.length <= FLAKE_BUDGET) return [];
  return flaky.map((each) => `passed the second time only, and ${flaky.length} did: ${each}`);
}
