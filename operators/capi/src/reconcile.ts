import type { ClusterOperator } from '@capstan/api/config';
import { patchFrom, timestamp } from '@capstan/kube';
import type { Client, Reconcile } from '@capstan/kube';
import { setCondition } from '@capstan/meta';
import type { Clock, Condition, KubeObject } from '@capstan/meta';
import { act, failureText, WritesFailed } from './act.js';
import type { Failure } from './act.js';
import { decide } from './decide.js';
import type { Plan } from './decide.js';
import type { Facts, Written } from './facts.js';
import type { Gatherer } from './gather.js';
import type { CapiMetrics } from './metrics.js';
import { conditionsOf } from './status/conditions.js';
import { relatedObjects } from './status/related-objects.js';
import { observedStatus } from './status/revisions.js';
import { CLUSTER_APIS, CLUSTER_OPERATOR, CLUSTER_OPERATORS } from './vocabulary.js';

export interface ReconcileParts {
  readonly gatherer: Gatherer;
  readonly client: Client;
  readonly clock: Clock;
  readonly release: string;
  readonly metrics: CapiMetrics;
}

/** The whole of it: there is one object to reconcile. With both feature gates off nothing is read further or written. */
export function reconcileClusterApi(parts: ReconcileParts): Reconcile {
  const written = new Map<string, Written>();
  return async (_request, { signal }) => {
    const facts = parts.gatherer.gather(written);
    if (!facts.mode.active && !facts.mode.future) return;
    const plan = decide(facts);
    const failures = await act(parts.client, plan, { signal, written, metrics: parts.metrics });
    if (failures.length === 0 && plan.isObserved) await observe(parts, facts, signal);
    await report(parts, { facts, plan, failures }, signal);
    if (failures.length > 0) throw new WritesFailed(failures);
  };
}

async function observe({ client }: ReconcileParts, facts: Facts, signal: AbortSignal): Promise<void> {
  const { clusterApi: before } = facts;
  const status = observedStatus(facts);
  if (before === undefined || status === undefined) return;
  const after = { ...before, status };
  await patchFrom(client, CLUSTER_APIS, { before, after }, { optimisticLock: true, subresource: 'status', signal });
}

/** Status is written once, at the end, also on failure, and not when nothing changed. */
async function report(
  { client, clock, metrics, release }: ReconcileParts,
  { facts, failures, plan }: { readonly facts: Facts; readonly plan: Plan; readonly failures: readonly Failure[] },
  signal: AbortSignal,
): Promise<void> {
  const before = facts.clusterOperator ?? (await create(client, signal));
  const now = timestamp(clock);
  const outcome = { bad: facts.releases.bad, failures: failures.map(failureText) };
  const updates = conditionsOf(plan, outcome);
  metrics.saw(plan, updates);
  const conditions = updates.reduce<readonly Condition[]>(
    (list, update) => setCondition(list, update, now),
    (before.status?.conditions ?? []) as readonly Condition[],
  );
  const versions = release === '' ? {} : { versions: [{ name: 'operator', version: release }] };
  const status = { ...before.status, conditions: [...conditions], relatedObjects: relatedObjects(facts), ...versions };
  const after = { ...before, status };
  await patchFrom<KubeObject>(
    client,
    CLUSTER_OPERATORS,
    { before, after },
    { optimisticLock: true, subresource: 'status', signal },
  );
}

async function create(client: Client, signal: AbortSignal): Promise<ClusterOperator> {
  const made: ClusterOperator = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterOperator',
    metadata: { name: CLUSTER_OPERATOR },
    spec: {},
  };
  return client.create<ClusterOperator>(CLUSTER_OPERATORS, made, { signal });
}
