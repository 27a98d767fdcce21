import { eachBounded } from '@capstan/migration';
import { isCalm } from '@capstan/simulation';
import type { RehearsalOutcome, RehearsalPass } from '@capstan/simulation';
import type { Runner } from './runner.js';

/** What is rehearsed by a scenario of its own: a hosted cluster, a set of machines. */
export interface Subject {
  /** As the user names it. */
  readonly id: string;
  /** Why it is not rehearsed at all; undefined where it is. */
  readonly ineligible: string | undefined;
}

/** A run and how it has ended. */
export interface PassResult {
  readonly pass: RehearsalPass;
  readonly outcome: RehearsalOutcome;
}

/** What is known of a subject so far. */
export interface SubjectResults<S extends Subject> {
  readonly subject: S;
  readonly results: PassResult[];
}

/** How runs are carried out, and who is notified of each. */
export interface PlanOptions {
  readonly runner: Runner;
  /** So many runs more of that subject are over. */
  readonly onPass: (subject: string, count: number) => void;
}

/**
 * Rehearses every subject, by the scenario at its place: at first those passes in which nothing goes wrong. A subject that
 * such a pass does not bring to its end is rehearsed no further, and one that is not eligible not at all.
 */
export async function rehearseAll<S extends Subject>(
  subjects: readonly S[],
  passes: readonly RehearsalPass[],
  { onPass, runner }: PlanOptions,
): Promise<readonly SubjectResults<S>[]> {
  const all: readonly SubjectResults<S>[] = subjects.map((subject) => ({ subject, results: [] }));
  const rounds = [passes.filter(isCalm), passes.filter((pass) => !isCalm(pass))];
  for (const round of rounds) {
    const jobs = all.flatMap((each, scenario) => {
      const isOver = each.subject.ineligible !== undefined || isBlocked(each.results);
      if (isOver) onPass(each.subject.id, round.length);
      return isOver ? [] : round.map((pass) => ({ each, scenario, pass }));
    });
    await eachBounded(jobs, runner.width, async ({ each, pass, scenario }) => {
      const outcome = await runner.run({ scenario, pass });
      each.results.push({ pass, outcome });
      onPass(each.subject.id, 1);
    });
  }
  return all.map(({ results, subject }) => ({ subject, results: results.toSorted(byPass(passes)) }));
}

function isBlocked(results: readonly PassResult[]): boolean {
  return results.some(({ outcome, pass }) => isCalm(pass) && outcome.result !== 'done');
}

/** Threads end in any order, the report has one. */
function byPass(passes: readonly RehearsalPass[]): (one: PassResult, other: PassResult) => number {
  return (one, other) => passes.indexOf(one.pass) - passes.indexOf(other.pass);
}
