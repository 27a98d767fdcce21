import { mark } from '../conditions/conditions.js';
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
import type { ClusterScope } from './scope.js';

/** Where a cluster is in its life. */
export function phaseOf(cluster: Cluster): string {
  if (isGoing(cluster)) return 'Deleting';
  if (cluster.status?.initialization?.infrastructureProvisioned === true && hasEndpoint(cluster)) return 'Provisioned';
  if (isDefined(cluster.spec?.infrastructureRef) || isDefined(cluster.spec?.controlPlaneRef)) return 'Provisioning';
  return cluster.status?.phase ?? 'Pending';
}

const isOfPool = ({ metadata }: Machine): boolean => metadata.labels?.[labels.machinePoolName] !== undefined;

/** Writes what is known onto the status; true when the phase is another. */
export function updateStatus(scope: ClusterScope, view: ClusterView, now: string): boolean {
  const { cluster, descendants } = scope;
  const phase = phaseOf(cluster);
  const isOtherPhase = phase !== cluster.status?.phase;
  const controlPlane = controlPlaneCounts(scope) ?? cluster.status?.controlPlane ?? {};
  const workerMachines = descendants?.workers.filter((machine) => !isOfPool(machine));
  const workers =
    descendants === undefined
      ? (cluster.status?.workers ?? {})
      : workerCounts(cluster, { ...descendants, workers: workerMachines ?? [] });
  cluster.status = { ...cluster.status, phase, controlPlane, workers };
  const machines = descendants && [...descendants.controlPlaneMachines, ...(workerMachines ?? [])];
  const conditions = [
    remoteConnection(cluster, view),
    infrastructureReady(scope),
    controlPlaneAvailable(scope),
    controlPlaneInitialized(scope),
    workersAvailable(descendants),
    machinesAre('Ready', 'ControlPlaneMachinesReady', descendants?.controlPlaneMachines),
    machinesAre('Ready', 'WorkerMachinesReady', workerMachines),
    machinesAre(
      'UpToDate',
      'ControlPlaneMachinesUpToDate',
      descendants && ripe(descendants.controlPlaneMachines, view.nowMs),
    ),
    machinesAre('UpToDate', 'WorkerMachinesUpToDate', workerMachines && ripe(workerMachines, view.nowMs)),
    progress('RollingOut', scope),
    progress('ScalingUp', scope),
    progress('ScalingDown', scope),
    remediating(machines),
    deleting(scope),
  ];
  for (const condition of conditions) if (condition !== undefined) mark(cluster, condition, now);
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
