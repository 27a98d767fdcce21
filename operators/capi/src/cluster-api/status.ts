import type { ClusterOperator } from '@capstan/api/config';
import { performChange, timestamp } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { deepEqual, setCondition } from '@capstan/meta';
import type { Clock, Condition } from '@capstan/meta';
import { CLUSTER_OPERATOR, CLUSTER_OPERATORS } from '../vocabulary.js';
import { conditionsOf } from './conditions.js';
import type { Plan } from './decide.js';
import type { CapiMetrics } from './metrics.js';
import { relatedObjects } from './related-objects.js';
import type { Snapshot } from './snapshot.js';
import { failureText } from './steps/write.js';
import type { Failure } from './steps/write.js';

/** What ClusterOperator/cluster-api reports. */
export interface Outcome {
  readonly snapshot: Snapshot;
  readonly plan: Plan;
  readonly failures: readonly Failure[];
}

/** What writes ClusterOperator/cluster-api. */
export interface StatusWriter {
  readonly client: Client;
  readonly clock: Clock;
  readonly metrics: CapiMetrics;
  readonly release: string;
}

/** Status is written once, at the end, also on failure, and not when nothing changed. */
export async function writeStatus(
  { failures, plan, snapshot }: Outcome,
  { client, clock, metrics, release }: StatusWriter,
  signal: AbortSignal,
): Promise<void> {
  const before = snapshot.clusterOperator ?? (await create(client, signal));
  const now = timestamp(clock);
  const updates = conditionsOf(plan, { bad: snapshot.releases.bad, failures: failures.map(failureText) });
  metrics.saw(plan, updates);
  const conditions = updates.reduce<readonly Condition[]>(
    (list, update) => setCondition(list, update, now),
    (before.status?.conditions ?? []) as readonly Condition[],
  );
  const versions = release === '' ? {} : { versions: [{ name: 'operator', version: release }] };
  const related = relatedObjects(snapshot);
  const status = { ...before.status, conditions: [...conditions], relatedObjects: related, ...versions };
  if (deepEqual(before.status, status)) return;
  const after = { ...before, status };
  await performChange(
    client,
    { verb: 'patch', kind: CLUSTER_OPERATORS, before, after, subresource: 'status' },
    { signal },
  );
}

async function create(client: Client, signal: AbortSignal): Promise<ClusterOperator> {
  const object: ClusterOperator = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterOperator',
    metadata: { name: CLUSTER_OPERATOR },
    spec: {},
  };
  return (await performChange(
    client,
    { verb: 'create', kind: CLUSTER_OPERATORS, object },
    { signal },
  )) as ClusterOperator;
}
