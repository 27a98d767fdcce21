import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import { patchFrom } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { pendingCollections } from '@capstan/migration';
import {
  CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MIGRATION_COPIED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_PAUSED_ANNOTATION,
  NODE_POOLS,
  PAUSED_ANNOTATION,
  acknowledgedLock,
  annotated,
  isPrivate,
} from '@capstan/hosting';
import { healthOf } from '../checks/health.js';
import { readBaseline, storeBaseline } from '../checks/baseline.js';
import { recordWorkloads } from '../checks/workloads.js';
import { waitedFor } from '../step-wait.js';
import type { Migration, StepAction, Waiting } from '../model.js';
import { MigrationFailure } from '../reasons.js';
import { clusterApiDeployments, podsOf, scaledDown, writeDeployment } from '../workloads/deployments.js';
import type { Deployment } from '../workloads/deployments.js';

/** NodePools of the HostedCluster. */
async function nodePoolsOf({ hostedCluster, parts, signal }: Migration): Promise<readonly NodePool[]> {
  const { name, namespace } = hostedCluster.metadata;
  const { items } = await parts.client.list<NodePool>(NODE_POOLS, { namespace, signal });
  return items.filter(({ spec }) => spec?.clusterName === name);
}

export function controlPlaneOf({
  hostedCluster,
  namespace,
  parts,
  signal,
}: Migration): Promise<HostedControlPlane | undefined> {
  const { name = '' } = hostedCluster.metadata;
  return parts.client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, name, { namespace, signal }).catch(ignoreNotFound);
}

/** Waits until every controller of the cluster has ended its last reconcile and reported so, for this very lock. */
export const acknowledge: StepAction = async (migration) =>
  // A migration that was further already has stopped them: a restart does not ask again.
  (await hasMoved(migration)) ? undefined : awaitAcknowledgements(migration);

/**
 * The same before the rollback of a cluster that is committed, whose operator has been at work. One that fails earlier was
 * acknowledged when it began.
 */
export const acknowledgeRollback: StepAction = async (migration) =>
  isPrivate(migration.hostedCluster) ? awaitAcknowledgements(migration) : undefined;

async function awaitAcknowledgements(migration: Migration): Promise<Waiting | undefined> {
  const { hostedCluster, journal, parts, signal } = migration;
  const controlPlane = await lockControlPlane(migration, journal.id);
  const missing = (of: readonly Acknowledging[]): readonly string[] =>
    of
      .filter((each) => acknowledgedLock(each.status?.conditions as readonly Condition[] | undefined) !== journal.id)
      .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`);
  const ofControlPlane = missing(isStillAsked(migration) ? controlPlane : []);
  const ofOperator = missing([hostedCluster, ...(await nodePoolsOf(migration))]);
  // One that has ended writes nothing, and reads the lock before anything else when it starts again.
  const isGone =
    ofOperator.length > 0 && !isPrivate(hostedCluster) && (await parts.isLegacyOperatorGone?.(signal)) === true;
  const all = [...(isGone ? [] : ofOperator), ...ofControlPlane];
  return all.length === 0 ? undefined : waitFor('the operators to acknowledge the lock', all);
}

type Acknowledging = Pick<HostedCluster | HostedControlPlane | NodePool, 'kind' | 'metadata' | 'status'>;

/** An older control plane operator acknowledges nothing: once it is scaled down, it writes nothing either. */
const CONTROL_PLANE_LIMIT_MS = 60_000;

function isStillAsked({ memory, parts }: Migration): boolean {
  const wait = memory.waits.get('acknowledge');
  return wait === undefined || waitedFor(wait, parts.clock.monotonic()).allMs < CONTROL_PLANE_LIMIT_MS;
}

/** The control plane operator knows only its own object: the lock is passed on to it, and taken off it again. */
export async function lockControlPlane(
  migration: Migration,
  lock: string | undefined,
): Promise<readonly HostedControlPlane[]> {
  const before = await controlPlaneOf(migration);
  if (before === undefined) return [];
  const after = annotated(before, { [MIGRATION_IN_PROGRESS_ANNOTATION]: lock });
  const { parts, signal } = migration;
  return [await patchFrom(parts.client, HOSTED_CONTROL_PLANES, { before, after }, { signal })];
}

/**
 * Waits for the deletions that cannot be copied: those of the garbage collector, which is not stopped, and that of the Cluster.
 * Others are copied as they are, however far they have come: in a rollout, or behind a drain, there is always one. A NodePool
 * that is being deleted waits for its operator, after the lock.
 */
export const settle: StepAction = async (migration) => {
  if ((await readBaseline(migration)) !== undefined || (await hasMoved(migration))) return undefined;
  const objects = (await migration.inventory.standard()).map(({ object }) => object);
  const clusters = objects.filter(({ kind, metadata }) => kind === CLUSTERS.kind && metadata.deletionTimestamp != null);
  const pending = pendingCollections(objects, migration.parts.mapping);
  const names = [...clusters.map(nameOf), ...pending.map(({ object, reason }) => `${nameOf(object)} (${reason})`)];
  return names.length === 0 ? undefined : waitFor('deletions to complete', names);
};

/** Records how the cluster does before anything is changed. */
export const baseline: StepAction = async (migration) => {
  if ((await readBaseline(migration)) !== undefined) return undefined;
  const objects = await migration.inventory.standard();
  const paused = objects.some(({ object }) => object.metadata.annotations?.[MIGRATION_PAUSED_ANNOTATION] !== undefined);
  if (paused)
    throw new MigrationFailure('baseline-lost', 'the baseline of this migration was deleted after it had begun');
  await storeBaseline(migration, healthOf(objects, await controlPlaneOf(migration), await recordWorkloads(migration)));
  return undefined;
};

/** Pauses the Cluster, and every object by itself where the provider reads no other pause. */
export const pause: StepAction = async (migration) => {
  const { parts, signal } = migration;
  const every = parts.ignoresClusterPause(migration.hostedCluster);
  for (const { kind, object } of await migration.inventory.standard()) {
    if (!kind.source.namespaced || (object.kind !== CLUSTERS.kind && !every)) continue;
    const after = paused(object);
    await patchFrom(parts.client, kind.source, { before: object, after }, { optimisticLock: true, signal });
  }
  migration.inventory.forget();
  return undefined;
};

/** The object paused, marked where it was not paused before; the very same object when it is marked already. */
export function paused(object: KubeObject): KubeObject {
  const { annotations = {} } = object.metadata;
  if (annotations[MIGRATION_PAUSED_ANNOTATION] !== undefined || annotations[PAUSED_ANNOTATION] !== undefined)
    return object;
  if (object.kind !== CLUSTERS.kind)
    return annotated(object, { [MIGRATION_PAUSED_ANNOTATION]: 'annotation', [PAUSED_ANNOTATION]: 'true' });
  const spec = object['spec'] as { readonly paused?: boolean } | undefined;
  if (spec?.paused === true) return object;
  return annotated({ ...object, spec: { ...spec, paused: true } }, { [MIGRATION_PAUSED_ANNOTATION]: 'spec' });
}

/** The object as it was before {@link paused}; the very same object where another client has paused it. */
export function unpaused(object: KubeObject): KubeObject {
  const by = object.metadata.annotations?.[MIGRATION_PAUSED_ANNOTATION];
  if (by === undefined) return object;
  const unmarked = annotated(object, { [MIGRATION_PAUSED_ANNOTATION]: undefined });
  if (by === 'annotation') return annotated(unmarked, { [PAUSED_ANNOTATION]: undefined });
  const { paused: _, ...spec } = (unmarked['spec'] ?? {}) as { readonly paused?: boolean };
  return { ...unmarked, spec };
}

/** Scales every Deployment that has no sidecar yet to zero, and waits until its pods have terminated. */
export const scaleDown: StepAction = async (migration) => {
  const { parts } = migration;
  const running: string[] = [];
  for (const before of await clusterApiDeployments(migration)) {
    if (parts.sidecar.has(before)) continue;
    const after = await writeDeployment(migration, before, scaledDown(before));
    if (await hasPods(migration, after)) running.push(nameOf(after));
  }
  return running.length === 0 ? undefined : waitFor('pods to terminate', running);
};

/** Whether a Deployment that was scaled down still has pods, or its controller has not seen that yet. */
export async function hasPods(migration: Migration, deployment: Deployment): Promise<boolean> {
  const { observedGeneration = 0, replicas = 0 } = deployment.status ?? {};
  if (observedGeneration < (deployment.metadata.generation ?? 0) || replicas > 0) return true;
  return !migration.parts.isPodless && (await podsOf(migration, deployment)).length > 0;
}

/** Whether the private controllers may have run: from then on nothing is copied any more. */
export async function isCopied({ inventory }: Migration): Promise<boolean> {
  const objects = await inventory.private();
  return objects.some(({ object }) => object.metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined);
}

/** Whether anything of the control plane already runs, or is about to run, on private types. */
export async function hasMoved(migration: Migration): Promise<boolean> {
  if (await isCopied(migration)) return true;
  return (await clusterApiDeployments(migration)).some((each) => migration.parts.sidecar.has(each));
}

const MOST_NAMES = 5;

/** What is waited for, and the first few of it. */
export function waitFor(what: string, names: readonly string[], afterMs?: number): Waiting {
  const rest = names.length - MOST_NAMES;
  const listed = rest > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : names.join(', ');
  return { message: `waiting for ${what}: ${listed}`, afterMs };
}

export function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name ?? ''}`;
}
