import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

import { addCounts, noCounts } from './counts.js';
import { outcomeOf, recordOutcomes } from './outcomes.js';
import { recordCounts } from './record-counts.js';

/** Ends every run with one plain line of counts. The runner wants a default export here. */
// oxlint-disable-next-line import/no-default-export
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], _reason: TestRunEndReason): void {
    const outcomes = modules.map(outcomeOf);
    recordOutcomes(outcomes);
    const outside = { ...noCounts, failed: unhandledErrors.length };
    recordCounts(outcomes.map(({ counts }) => counts).reduce(addCounts, outside));
  }
}
