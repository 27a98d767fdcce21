import type { Result } from '@capstan/kube';
import { markOld, oldFalse } from '../conditions/old-conditions.js';
import type { External } from '../external/external-objects.js';
import { isDefined } from '../external/external-objects.js';
import { isGoing } from '../machines.js';
import { CHECK_LOGS, finalizers } from '../names.js';
import { throwAll } from '../controller-context.js';
import type { Reference } from '../types.js';
import { dropFinalizer } from '../writing/finalizer.js';
import type { ClusterWork } from './references.js';
import { directChildren, goingFirst, pendingText } from './scope.js';
import type { ClusterScope } from './scope.js';

const LOOK_AGAIN_MS = 5_000;
const failed = { reason: 'InternalError', message: CHECK_LOGS };

/** What is in the way of the end of a cluster. */
export type Obstacle = 'unknown' | 'workers' | 'control-plane' | 'infrastructure';

/** What has to go next; undefined when the cluster may go. */
export function nextObstacle(scope: ClusterScope): Obstacle | undefined {
  const { cluster, descendants } = scope;
  if (descendants === undefined) return 'unknown';
  if (goingFirst(cluster, descendants).some(([, , objects]) => objects.length > 0)) return 'workers';
  const isLeft = (reference: Reference | undefined, found: unknown): boolean =>
    isDefined(reference) && found !== undefined;
  const isUnseen = (reference: Reference | undefined, found: unknown, isMissing: boolean | undefined): boolean =>
    isDefined(reference) && found === undefined && isMissing !== true;
  const { controlPlaneRef, infrastructureRef } = cluster.spec ?? {};
  if (isUnseen(controlPlaneRef, scope.controlPlane, scope.isControlPlaneMissing)) return 'unknown';
  if (isLeft(controlPlaneRef, scope.controlPlane)) return 'control-plane';
  if (isUnseen(infrastructureRef, scope.infrastructure, scope.isInfrastructureMissing)) return 'unknown';
  return isLeft(infrastructureRef, scope.infrastructure) ? 'infrastructure' : undefined;
}

/** Takes down what belongs to a cluster, in order: workers, control plane, infrastructure; then lets it go. */
export async function reconcileDeletion(work: ClusterWork, scope: ClusterScope): Promise<Result | void> {
  const { cluster } = scope;
  const obstacle = nextObstacle(scope);
  scope.deleting = failed;
  if (obstacle === 'unknown') return;
  if (obstacle === 'workers') return removeWorkers(work, scope);
  const now = work.context.now();
  const { controlPlaneRef, infrastructureRef } = cluster.spec ?? {};
  if (obstacle === 'control-plane') return remove(work, scope, scope.controlPlane, 'WaitingForControlPlaneDeletion');
  if (isDefined(controlPlaneRef)) markOld(cluster, oldFalse('ControlPlaneReady', 'Deleted', 'Info'), now);
  if (obstacle === 'infrastructure')
    return remove(work, scope, scope.infrastructure, 'WaitingForInfrastructureDeletion');
  if (isDefined(infrastructureRef)) markOld(cluster, oldFalse('InfrastructureReady', 'Deleted', 'Info'), now);
  scope.deleting = { reason: 'DeletionCompleted', message: 'Deletion completed' };
  dropFinalizer(cluster, finalizers.cluster);
  const message = `Cluster ${cluster.metadata.name ?? ''} has been deleted`;
  work.announce(cluster, { type: 'Normal', reason: 'Deleted', message });
}

async function removeWorkers(work: ClusterWork, scope: ClusterScope): Promise<Result> {
  const { cluster, descendants } = scope;
  if (descendants === undefined) return {};
  const errors: unknown[] = [];
  for (const [kind, child] of directChildren(cluster, descendants)) {
    if (isGoing(child)) continue;
    await work.context.objects.remove(kind, child).catch((error: unknown) => errors.push(error));
  }
  throwAll(errors);
  scope.deleting = { reason: 'WaitingForWorkersDeletion', message: pendingText(cluster, descendants) };
  return { requeueAfterMs: LOOK_AGAIN_MS };
}

async function remove(
  work: ClusterWork,
  scope: ClusterScope,
  external: External | undefined,
  reason: string,
): Promise<void> {
  if (external === undefined) return;
  await work.context.external.remove(external);
  scope.deleting = { reason, message: `Waiting for ${external.object.kind} to be deleted` };
}
