import { errorText } from '@capstan/kube';
import type { Result } from '@capstan/kube';
import { cutText, isConflict } from '@capstan/meta';
import { found } from './scope.js';
import type { Finding, Scope } from './scope.js';

/** What a piece of work ended with; undefined when it ended well. */
export interface Failure {
  readonly error: unknown;
}

/** What the cache has not seen yet is looked at again after so long, should no event come. */
const STALE_MS = 1_000;

/** Does something, and holds on to what went wrong. */
export async function attempt(work: () => Promise<unknown>): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** Ends a reconcile: says in the status how it went, and what to do next. */
export async function concluded(
  scope: Scope,
  failure: Failure | undefined,
  writeStatus: () => Promise<void>,
): Promise<Result> {
  if (isStale(failure)) return { requeueAfterMs: STALE_MS };
  // What is paused was not reconciled at all: the condition stays as it was.
  if (failure !== undefined || !scope.pause.isPaused) found(scope, succeeded(failure, scope.blocked ?? scope.undone));
  const unwritten = await attempt(writeStatus);
  const failed = failure ?? unwritten;
  if (isStale(failed)) return { requeueAfterMs: STALE_MS };
  if (failed !== undefined) throw failed.error;
  return { requeueAfterMs: scope.lookAgainMs };
}

/** Decided by what is no longer so: to be decided again, and nobody's fault. */
function isStale(failure: Failure | undefined): boolean {
  return failure !== undefined && isConflict(failure.error);
}

/** Whether all steps could be taken. The good reason is spelt as clients of HyperShift expect it. */
export function succeeded(failure: Failure | undefined, undone?: string): Finding {
  const type = 'ReconciliationSucceeded';
  if (failure !== undefined)
    return { type, status: 'False', reason: 'ReconciliationError', message: errorText(failure.error) };
  if (undone !== undefined) return { type, status: 'False', reason: 'Blocked', message: cutText(undone) };
  return { type, status: 'True', reason: 'ReconciliatonSucceeded', message: 'Reconciliation completed successfully' };
}
