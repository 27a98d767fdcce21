import { performChange } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import { CLUSTER_APIS } from '../../vocabulary.js';
import { observedStatus } from '../revisions.js';
import type { Snapshot } from '../snapshot.js';

/** Reports on ClusterAPI/cluster that its generation is observed: every listed CRD is enforced. */
export async function observe(client: Client, snapshot: Snapshot, signal: AbortSignal): Promise<void> {
  const { clusterApi: before } = snapshot;
  const status = observedStatus(snapshot);
  if (before === undefined || status === undefined || deepEqual(before.status, status)) return;
  const after = { ...before, status };
  await performChange(client, { verb: 'patch', kind: CLUSTER_APIS, before, after, subresource: 'status' }, { signal });
}
