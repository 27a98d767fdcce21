import { appendFileSync, readFileSync } from 'node:fs';

import type { TestModule } from 'vitest/node';

import type { Counts } from './counts.js';

/** How the tests of one file ended. */
export interface FileOutcome {
  /** Seen from the root of the repository. */
  readonly file: string;
  readonly hasPassed: boolean;
  readonly counts: Counts;
  /** `test: first line of the error`; a file that does not load and a hook that throws are listed like tests. */
  readonly failures: readonly string[];
}

/** What the runner reports of a file; an error outside any test counts as one failure each. */
export function outcomeOf(module: TestModule): FileOutcome {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())].map(
    ({ message }) => `outside any test: ${firstLine(message)}`,
  );
  counts.failed = failures.length;
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    // Pending is what an interrupted run never came to.
    counts[state === 'pending' ? 'skipped' : state] += 1;
    if (state === 'failed') failures.push(`${test.fullName}: ${firstLine(errors[0]?.message ?? 'no message')}`);
  }
  return { file: module.relativeModuleId, hasPassed: module.state() === 'passed', counts, failures };
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, 300);
}

/** Adds what happened to the files that the environment names, for those who started the run. */
export function recordOutcomes(outcomes: readonly FileOutcome[]): void {
  const outcomesFile = process.env['CAPSTAN_OUTCOMES_FILE'];
  if (outcomesFile) appendFileSync(outcomesFile, outcomes.map((each) => `${JSON.stringify(each)}\n`).join(''));
  recordFailures(outcomes.flatMap(({ file, failures }) => failures.map((failure) => `${file}: ${failure}`)));
}

/** Records failures for the end of the whole run, where they are found without searching. */
export function recordFailures(failures: readonly string[]): void {
  const file = process.env['CAPSTAN_FAILURES_FILE'];
  if (file) appendFileSync(file, failures.map((each) => `${each}\n`).join(''));
}

/** What was recorded, file by file. */
export function readOutcomes(path: string): FileOutcome[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FileOutcome);
}
