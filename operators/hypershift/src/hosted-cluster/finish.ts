import type { Result } from '@capstan/kube';
import { isConflict } from '@capstan/meta';
import { succeeded } from './conditions.js';
import { setFinding } from './state.js';
import type { Failure, State } from './state.js';

/** When to reconcile after a conflict, should no event come. */
const STALE_MS = 1_000;

/** Runs a piece of work and returns its error. */
export async function attempt(work: () => Promise<unknown>): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** Ends a reconcile: writes its outcome to the status, and decides when the next is due. */
export async function finish(
  state: State,
  failure: Failure | undefined,
  writeStatus: () => Promise<void>,
): Promise<Result> {
  if (isStale(failure)) return { requeueAfterMs: STALE_MS };
  // What is paused was not reconciled at all: the condition stays as it was.
  if (failure !== undefined || !state.pause.isPaused)
    setFinding(state, succeeded(failure, state.blocked ?? state.incomplete));
  const unwritten = await attempt(writeStatus);
  const failed = failure ?? unwritten;
  if (isStale(failed)) return { requeueAfterMs: STALE_MS };
  if (failed !== undefined) throw failed.error;
  return { requeueAfterMs: state.requeueAfterMs };
}

/** The decision was made from stale objects: the next reconcile decides again, and nothing failed. */
function isStale(failure: Failure | undefined): boolean {
  return failure !== undefined && isConflict(failure.error);
}
