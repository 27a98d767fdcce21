import type { NodePool } from '@capstan/api/hypershift';
import { NODE_POOLS } from '@capstan/hosting';
import { Converger, objectKey, timestamp } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import { mergeConditions } from '../conditions.js';
import type { Decision } from '../decide.js';
import type { NodePoolDependencies } from '../dependencies.js';
import { withEntries } from '../machines/shared.js';
import type { Pool } from '../snapshot.js';
import { statusWaitMs } from '../status-details.js';
import { subjectOf } from './act.js';

/** Writes annotations, status and events where they differ. Returns how long a status of details only has to wait. */
export async function writeStatus(
  { client, clock, metrics, ownWrites, recorder }: NodePoolDependencies,
  nodePool: Pool,
  { conditions: decided, findings }: Pick<Decision, 'conditions' | 'findings'>,
): Promise<number> {
  const { conditions, events, fulfilled } = mergeConditions(nodePool, decided, timestamp(clock));
  for (const { message, reason } of events) recorder.record(subjectOf(nodePool), { type: 'Warning', reason, message });
  const annotations = withEntries(nodePool.metadata.annotations, findings.annotations);
  const before: NodePool = nodePool;
  const annotated = { ...before, metadata: { ...before.metadata, annotations } };
  const converger = new Converger({ client });
  const isChanged = !deepEqual(before.metadata.annotations ?? {}, annotations);
  const saved = isChanged ? await converger.patch(NODE_POOLS, before, annotated) : before;
  const status = { ...findings.status, conditions };
  const waitMs = statusWaitMs(ownWrites, objectKey(nodePool), { before: saved.status, after: status }, clock.now());
  const after = waitMs > 0 ? saved : { ...saved, status };
  ownWrites.record(after);
  if (waitMs > 0) return waitMs;
  const written = await converger.perform({
    verb: 'patch',
    kind: NODE_POOLS,
    before: saved,
    after,
    subresource: 'status',
  });
  ownWrites.record(written as NodePool);
  metrics.became(nodePool, fulfilled);
  return 0;
}
