import { describe, expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';

import { formatCounts, sumCounts } from './counts.js';
import { outcomeOf } from './outcomes.js';
import { presentRealKubes } from './real-versions.js';

/** As much of a module of the runner as counting looks at. */
function moduleOf(
  states: readonly string[],
  errors: readonly string[],
  suiteErrors: readonly string[] = [],
): TestModule {
  const made = (messages: readonly string[]): unknown[] => messages.map((message) => ({ message }));
  const tests = states.map((state, at) => ({
    fullName: `test ${at}`,
    result: () => ({ state, errors: made(state === 'failed' ? ['\nwhy\nand where'] : []) }),
  }));
  const fake: unknown = {
    relativeModuleId: 'a.test.ts',
    state: () => (states.includes('failed') ? 'failed' : 'passed'),
    errors: () => made(errors),
    children: { allSuites: () => [{ errors: () => made(suiteErrors) }], allTests: () => tests },
  };
  return fake as TestModule;
}

describe('counts', () => {
  it('sums lines of the plain form', () => {
    const sum = sumCounts('3 passed, 0 failed, 1 skipped\n40 passed, 2 failed, 0 skipped\n');
    expect(formatCounts(sum)).toBe('43 passed, 2 failed, 1 skipped');
  });

  it('carries what a run lacked into the sum', () => {
    const sum = sumCounts('3 passed, 0 failed, 1 skipped\nno-real-kube-apiserver: 0 passed, 0 failed, 9 skipped\n');
    expect(formatCounts(sum)).toBe('no-real-kube-apiserver: 3 passed, 0 failed, 10 skipped');
  });

  it('refuses anything else rather than counting less', () => {
    expect(() => sumCounts('3 passed\n')).toThrow('not a line of counts: 3 passed');
  });

  it('are of tests by state, and of every failure outside a test', () => {
    const passed = outcomeOf(moduleOf(['passed', 'passed', 'skipped', 'pending'], []));
    expect(passed).toEqual({
      file: 'a.test.ts',
      hasPassed: true,
      counts: { passed: 2, failed: 0, skipped: 2 },
      failures: [],
    });
    const failed = outcomeOf(moduleOf(['failed'], ['no such file'], ['a hook']));
    expect(failed.counts).toEqual({ passed: 0, failed: 3, skipped: 0 });
    expect(failed.failures).toEqual(['outside any test: no such file', 'outside any test: a hook', 'test 0: why']);
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
