import { errorText, performChange } from '@capstan/kube';
import type { Change, EventSubject } from '@capstan/kube';
import { isForbidden, isInvalid } from '@capstan/meta';
import type { NodePoolDependencies } from '../dependencies.js';
import type { Pool } from '../snapshot.js';

/** Writes the changes in order, up to the first failure. */
export async function act(
  { client, recorder }: NodePoolDependencies,
  nodePool: Pool,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    for (const change of changes) await performChange(client, change, { signal });
    return undefined;
  } catch (error) {
    // The server refuses the object itself: no retry helps, so the user of the NodePool has to know.
    if (isInvalid(error) || isForbidden(error))
      recorder.record(subjectOf(nodePool), { type: 'Warning', reason: 'ReconcileError', message: errorText(error) });
    return { error };
  }
}

/** The NodePool as the subject of events. */
export function subjectOf({ apiVersion, kind, metadata: { name = '', namespace, uid = '' } }: Pool): EventSubject {
  return { apiVersion, kind, name, namespace, uid };
}
