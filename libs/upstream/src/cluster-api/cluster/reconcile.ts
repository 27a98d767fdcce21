import type { Reconcile, Result } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { isDefined } from '../external/external-objects.js';
import { SECRETS } from '../kinds.js';
import { isGoing } from '../machines.js';
import { finalizers } from '../names.js';
import { alwaysFinish, doAll } from '../controller-context.js';
import type { Step } from '../controller-context.js';
import type { Cluster } from '../types.js';
import { ensureFinalizer } from '../writing/finalizer.js';
import { reconcileDeletion } from './deletion.js';
import { hasEndpoint, reconcileControlPlane, reconcileInfrastructure } from './references.js';
import type { ClusterWork } from './references.js';
import { findDescendants } from './scope.js';
import type { ClusterScope } from './scope.js';
import { markOldReady, markOwnControlPlane, updateStatus } from './status.js';

const OWNED = {
  owned: [
    'Paused',
    'InfrastructureReady',
    'ControlPlaneAvailable',
    'ControlPlaneInitialized',
    'ControlPlaneMachinesReady',
    'ControlPlaneMachinesUpToDate',
    'WorkersAvailable',
    'WorkerMachinesReady',
    'WorkerMachinesUpToDate',
    'RemoteConnectionProbe',
    'RollingOut',
    'ScalingUp',
    'ScalingDown',
    'Remediating',
    'Deleting',
    'Available',
  ],
  ownedOld: ['Ready', 'ControlPlaneReady', 'InfrastructureReady'],
} as const;

const LOOK_FOR_KUBECONFIG_MS = 30_000;

export interface ClusterOptions extends ClusterWork {
  /** How long a cluster may be unreachable before the condition reports it. */
  readonly remoteConnectionGraceMs: number;
}

/** Brings a cluster to what it should be. */
export function reconcileCluster(options: ClusterOptions): Reconcile {
  const { context } = options;
  return async ({ namespace, name }, { signal }) => {
    const cluster = await context.objects.get<Cluster>('Cluster', namespace, name);
    if (cluster === undefined) return;
    if (await ensureFinalizer(context.objects, 'Cluster', cluster, finalizers.cluster)) return;
    const helper = context.helper('Cluster', cluster);
    if (await context.stopsForPause('Cluster', cluster, cluster)) return;
    const scope: ClusterScope = { cluster };
    return alwaysFinish(
      () => doAll(stepsFor(options, cluster), scope),
      (isObserved) => {
        const setStatus = (): void => setClusterStatus(options, scope);
        return helper.patch(cluster, { ...OWNED, isObserved, signal, setStatus });
      },
    );
  };
}

function setClusterStatus(
  { context, announce, remoteConnectionGraceMs: graceMs }: ClusterOptions,
  scope: ClusterScope,
): void {
  const { cluster } = scope;
  const { clock, guests } = context;
  const view = { probe: guests.probeState(cluster), nowMs: clock.now(), graceMs };
  if (updateStatus(scope, view, context.now())) {
    const phase = cluster.status?.phase ?? '';
    const message = `Cluster ${cluster.metadata.name ?? ''} is ${phase}`;
    announce(cluster, { type: 'Normal', reason: phase, message });
  }
  markOldReady(cluster, context.now());
}

function stepsFor(work: ClusterOptions, cluster: ClusterScope['cluster']): Step<ClusterScope>[] {
  const always: Step<ClusterScope>[] = [
    (scope) => reconcileInfrastructure(work, scope),
    (scope) => reconcileControlPlane(work, scope),
    async (scope) => {
      scope.descendants = await findDescendants(work.context, scope.cluster);
    },
  ];
  if (isGoing(cluster)) return [...always, (scope) => reconcileDeletion(work, scope)];
  return [
    ...always,
    (scope) => awaitKubeconfig(work, scope),
    (scope) => markOwnControlPlane(scope, work.context.now()),
  ];
}

/** The kubeconfig of a cluster without control plane provider is created elsewhere. */
async function awaitKubeconfig({ context }: ClusterWork, { cluster }: ClusterScope): Promise<Result | void> {
  if (!hasEndpoint(cluster) || isDefined(cluster.spec?.controlPlaneRef)) return;
  const { namespace, name = '' } = cluster.metadata;
  try {
    await context.client.get(SECRETS, `${name}-kubeconfig`, { namespace });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { requeueAfterMs: LOOK_FOR_KUBECONFIG_MS };
  }
}
