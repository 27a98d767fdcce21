import { isCalm, passText } from '@capstan/simulation';
import type { RehearsalOutcome, RehearsalPass } from '@capstan/simulation';
import type { PassResult } from './plan.js';

/** A run that lost or changed something, or did not end. */
export interface FailedRehearsal {
  readonly what: string;
  readonly problems: readonly string[];
  /** The command that does the same again. */
  readonly replay: string;
}

/** What all runs of one subject come to. */
export interface RehearsalSummary {
  /** How the one ended in which nothing goes wrong. */
  readonly calm: RehearsalOutcome | undefined;
  readonly run: number;
  readonly done: number;
  readonly undone: number;
  readonly failed: readonly FailedRehearsal[];
}

/** Longer lists are cut. */
export const MOST_PROBLEMS = 10;

/** Sums the runs of a subject up; `command` selects the subject, and everything but the pass. */
export function summaryOf(results: readonly PassResult[], command: string): RehearsalSummary {
  const failed = results
    .map(({ outcome, pass }) => ({
      what: passText(pass),
      problems: problemsOf(outcome),
      replay: `${command}${passFlags(pass)}`,
    }))
    .filter(({ problems }) => problems.length > 0);
  const count = (result: RehearsalOutcome['result']): number =>
    results.filter(({ outcome }) => outcome.result === result).length;
  return {
    calm: results.find(({ pass }) => isCalm(pass))?.outcome,
    run: results.length,
    done: count('done'),
    undone: count('undone'),
    failed,
  };
}

/** By these flags a command rehearses that pass alone. */
function passFlags({ failAt, isFaulty, seed }: RehearsalPass): string {
  if (isFaulty) return ` --seed ${seed}`;
  return failAt === undefined ? ' --seeds 0' : ` --fail-at ${failAt}`;
}

/** What is wrong with how a run ended; an undone one that changes nothing is what may become of it under faults. */
function problemsOf({ differences, message = '', reason = '', result }: RehearsalOutcome): readonly string[] {
  const stuck = result === 'stuck' ? [`it does not end, at step ${reason}: ${message}`] : [];
  const rest = differences.length - MOST_PROBLEMS;
  const shown = differences.slice(0, MOST_PROBLEMS);
  return [...stuck, ...shown, ...(rest > 0 ? [`and ${rest} more differences`] : [])];
}

/** A word of a command line as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
