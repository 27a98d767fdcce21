import type { ConditionText } from '../conditions/conditions.js';
import { mark, markAll } from '../conditions/conditions.js';
import { markOld, oldCondition, oldFalse, oldSummary, oldTrue } from '../conditions/old-conditions.js';
import { isDefined } from '../external/external-objects.js';
import { isGoing } from '../machines.js';
import { labels } from '../names.js';
import type { Cluster, Machine } from '../types.js';
import {
  available,
  controlPlaneAvailable,
  controlPlaneInitialized,
  deleting,
  infrastructureReady,
  machinesAre,
  progress,
  remediating,
  remoteConnection,
  ripe,
  workersAvailable,
} from './conditions.js';
import type { ClusterView } from './conditions.js';
import { controlPlaneCounts, workerCounts } from './replicas.js';
import { hasEndpoint } from './references.js';
import type { ClusterScope, Descendants } from './scope.js';

/** Where a cluster is in its life. */
export function phaseOf(cluster: Cluster): string {
  if (isGoing(cluster)) return 'Deleting';
  if (cluster.status?.initialization?.infrastructureProvisioned === true && hasEndpoint(cluster)) return 'Provisioned';
  if (isDefined(cluster.spec?.infrastructureRef) || isDefined(cluster.spec?.controlPlaneRef)) return 'Provisioning';
  return cluster.status?.phase ?? 'Pending';
}

const isOfPool = ({ metadata }: Machine): boolean => metadata.labels?.[labels.machinePoolName] !== undefined;

/** The counts of a cluster as far as they are known. */
function countsOf(scope: ClusterScope): Pick<NonNullable<Cluster['status']>, 'controlPlane' | 'workers'> {
  const { cluster, descendants } = scope;
  const { controlPlane = {}, workers = {} } = cluster.status ?? {};
  return {
    controlPlane: controlPlaneCounts(scope) ?? controlPlane,
    workers: descendants === undefined ? workers : workerCounts(cluster, descendants),
  };
}

function machineConditions(descendants: Descendants | undefined, nowMs: number): ConditionText[] {
  const { controlPlaneMachines: own, workers } = descendants ?? {};
  return [
    machinesAre('Ready', 'ControlPlaneMachinesReady', own),
    machinesAre('Ready', 'WorkerMachinesReady', workers),
    machinesAre('UpToDate', 'ControlPlaneMachinesUpToDate', own && ripe(own, nowMs)),
    machinesAre('UpToDate', 'WorkerMachinesUpToDate', workers && ripe(workers, nowMs)),
    remediating(own && workers && [...own, ...workers]),
  ];
}

/** Machines of pools are not counted here. */
function withoutPools(descendants: Descendants | undefined): Descendants | undefined {
  return descendants && { ...descendants, workers: descendants.workers.filter((machine) => !isOfPool(machine)) };
}

/** Writes what is known onto the status; true when the phase is another. */
export function updateStatus(known: ClusterScope, view: ClusterView, now: string): boolean {
  const { cluster } = known;
  const scope = { ...known, descendants: withoutPools(known.descendants) };
  const phase = phaseOf(cluster);
  const isOtherPhase = phase !== cluster.status?.phase;
  cluster.status = { ...cluster.status, phase, ...countsOf(scope) };
  const conditions = [
    remoteConnection(cluster, view),
    infrastructureReady(scope),
    controlPlaneAvailable(scope),
    controlPlaneInitialized(scope),
    workersAvailable(scope.descendants),
    ...machineConditions(scope.descendants, view.nowMs),
    progress('RollingOut', scope),
    progress('ScalingUp', scope),
    progress('ScalingDown', scope),
    deleting(scope),
  ];
  markAll(cluster, conditions, now);
  mark(cluster, available(cluster), now);
  return isOtherPhase;
}

/** The old condition that a control plane without provider is there. */
export function markOwnControlPlane({ cluster, descendants }: ClusterScope, now: string): void {
  const type = 'ControlPlaneInitialized';
  if (isDefined(cluster.spec?.controlPlaneRef) || oldCondition(cluster, type)?.status === 'True') return;
  const isThere = descendants?.controlPlaneMachines.some(
    (machine) => !isGoing(machine) && machine.status?.nodeRef !== undefined,
  );
  const message = 'Waiting for the first control plane machine to have its status.nodeRef set';
  markOld(cluster, isThere === true ? oldTrue(type) : oldFalse(type, 'MissingNodeRef', 'Info', message), now);
}

/** The old Ready. */
export function markOldReady(cluster: Cluster, now: string): void {
  markOld(cluster, oldSummary(cluster, ['ControlPlaneReady', 'InfrastructureReady']), now);
}
