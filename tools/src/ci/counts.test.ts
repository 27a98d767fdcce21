import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';

import { countTests } from './counts-reporter.js';
import { formatCounts, sumCounts } from './counts.js';
import { presentRealKubes } from './real-versions.js';

/** As much of a module of the runner as counting looks at. */
function moduleOf(states: readonly string[], errors: number, suiteErrors = 0): TestModule {
  const made = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
  const fake: unknown = {
    errors: () => made(errors),
    children: {
      allSuites: () => [{ errors: () => made(suiteErrors) }],
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
    },
  };
  return fake as TestModule;
}

describe('counts', () => {
  it('sums lines of the plain form', () => {
    const sum = sumCounts('3 passed, 0 failed, 1 skipped\n40 passed, 2 failed, 0 skipped\n');
    expect(formatCounts(sum)).toBe('43 passed, 2 failed, 1 skipped');
  });

  it('refuses anything else rather than counting less', () => {
    expect(() => sumCounts('3 passed\n')).toThrow('not a line of counts: 3 passed');
  });

  it('counts tests by state, and every failure outside a test as one', () => {
    const modules = [moduleOf(['passed', 'passed', 'skipped', 'pending'], 0), moduleOf(['failed'], 1, 2)];
    expect(countTests(modules, 1)).toEqual({ passed: 2, failed: 5, skipped: 2 });
  });
});

describe('the kube-apiservers at hand', () => {
  it('are each named once, the oldest first', () => {
    const asset = (version: string) => ({ version, source: 'cache', dir: '', kubeApiserver: '', etcd: '' }) as const;
    const found = presentRealKubes((wanted) => asset(wanted ?? 'v1.36.3'));
    expect(found.map((each) => each.version)).toEqual(['v1.30.14', 'v1.36.3']);
    expect(presentRealKubes(() => undefined)).toEqual([]);
  });
});
