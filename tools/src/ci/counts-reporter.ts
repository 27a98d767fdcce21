import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

import type { Counts } from './counts.js';
import { recordCounts } from './record-counts.js';

/** The tests of a run, counted; what failed outside any test counts as one failure each. */
export function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) {
    // A file that does not load, and a hook that throws, fail no test of their own.
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // Pending is what an interrupted run never came to.
      counts[state === 'pending' ? 'skipped' : state] += 1;
    }
  }
  return counts;
}

/** Ends every run with one plain line of counts. The runner wants a default export here. */
// oxlint-disable-next-line import/no-default-export
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], _reason: TestRunEndReason): void {
    recordCounts(countTests(modules, unhandledErrors.length));
  }
}
