import { getCondition } from '@capstan/meta';
import type { ConditionText } from '../conditions/conditions.js';
import { conditionOf, foreignConditions, isTrue, mirrored } from '../conditions/conditions.js';
import { aggregate, summarize } from '../conditions/merge.js';
import type { Weight } from '../conditions/merge.js';
import { isControlPlaneInitialized } from '../external/contract.js';
import { isDefined } from '../external/external-objects.js';
import type { ProbeState } from '../guest-clusters.js';
import { isGoing, isToBeRemediated, isUnhealthy, unhealthyText } from '../machines.js';
import { CHECK_LOGS } from '../names.js';
import { isOwnedBy } from '../owners.js';
import type { Cluster, Conditioned, Machine } from '../types.js';
import type { ClusterScope, Descendants } from './scope.js';

/** What the conditions of a cluster are derived from, in addition to the scope. */
export interface ClusterView {
  readonly probe: ProbeState;
  readonly nowMs: number;
  readonly graceMs: number;
}

const failed = (type: string): ConditionText => ({
  type,
  status: 'Unknown',
  reason: 'InternalError',
  message: CHECK_LOGS,
});

/** Whether the cluster can be reached; undefined while that is unknown. */
export function remoteConnection(cluster: Cluster, { probe, nowMs, graceMs }: ClusterView): ConditionText | undefined {
  const type = 'RemoteConnectionProbe';
  const { lastSuccessAt, failuresInARow } = probe;
  const bad = { type, status: 'False', reason: 'ProbeFailed' } as const;
  if (lastSuccessAt === 0 && failuresInARow < 5)
    return conditionOf(cluster, type) === undefined
      ? { ...bad, message: 'Remote connection not established yet' }
      : undefined;
  if (nowMs - lastSuccessAt <= graceMs) return { type, status: 'True', reason: 'ProbeSucceeded' };
  if (lastSuccessAt === 0) return { ...bad, message: 'Remote connection probe failed' };
  const last = `${new Date(lastSuccessAt).toISOString().slice(0, 19)}Z`;
  return { ...bad, message: `Remote connection probe failed, probe last succeeded at ${last}` };
}

/** The condition texts for a missing object of a provider. */
function absent(type: string, { cluster, kind, was }: { cluster: Cluster; kind: string; was: boolean }): ConditionText {
  const bad = { type, status: 'False' } as const;
  if (!was) return { ...bad, reason: 'ObjectDoesNotExist', message: `${kind} does not exist` };
  const message = isGoing(cluster)
    ? `${kind} has been deleted`
    : `${kind} has been deleted while the cluster still exists`;
  return { ...bad, reason: 'ObjectDeleted', message };
}

/** Whether the infrastructure is ready. */
export function infrastructureReady(scope: ClusterScope): ConditionText {
  const type = 'InfrastructureReady';
  const { cluster, infrastructure } = scope;
  const kind = cluster.spec?.infrastructureRef?.kind ?? '';
  const was = cluster.status?.initialization?.infrastructureProvisioned === true;
  if (infrastructure !== undefined) {
    const fallback = was
      ? ({ status: 'True', reason: 'Ready' } as const)
      : ({
          status: 'False',
          reason: 'NotReady',
          message: `${kind} status.initialization.provisioned is false`,
        } as const);
    return mirrored(infrastructure.object, { from: 'Ready', to: type, fallback, trueReason: 'Ready' });
  }
  return scope.isInfrastructureMissing === true ? absent(type, { cluster, kind, was }) : failed(type);
}

/** Whether the control plane is available. */
export function controlPlaneAvailable(scope: ClusterScope): ConditionText {
  const type = 'ControlPlaneAvailable';
  const { cluster, controlPlane } = scope;
  const kind = cluster.spec?.controlPlaneRef?.kind ?? '';
  const was = cluster.status?.initialization?.controlPlaneInitialized === true;
  if (controlPlane !== undefined) {
    const message = `${kind} status.initialization.controlPlaneInitialized is false`;
    const fallback = was
      ? ({ status: 'True', reason: 'Available' } as const)
      : ({ status: 'False', reason: 'NotAvailable', message } as const);
    return mirrored(controlPlane.object, { from: 'Available', to: type, fallback, trueReason: 'Available' });
  }
  return scope.isControlPlaneMissing === true ? absent(type, { cluster, kind, was }) : failed(type);
}

/** Whether the control plane was ever there; once it was, that is not asked again. */
export function controlPlaneInitialized(scope: ClusterScope): ConditionText | undefined {
  const type = 'ControlPlaneInitialized';
  const { cluster, controlPlane, descendants } = scope;
  if (isTrue(cluster, type)) return undefined;
  const good = { type, status: 'True', reason: 'Initialized' } as const;
  const bad = { type, status: 'False', reason: 'NotInitialized' } as const;
  if (isDefined(cluster.spec?.controlPlaneRef)) {
    if (controlPlane !== undefined)
      return isControlPlaneInitialized(controlPlane.object, controlPlane.contract)
        ? good
        : { ...bad, message: 'Control plane not yet initialized' };
    if (scope.isControlPlaneMissing !== true) return failed(type);
    const message = `${cluster.spec.controlPlaneRef.kind} does not exist`;
    return { type, status: 'Unknown', reason: 'ObjectDoesNotExist', message };
  }
  if (descendants === undefined) return failed(type);
  if (descendants.controlPlaneMachines.some(({ status }) => status?.nodeRef !== undefined)) return good;
  return { ...bad, message: 'Waiting for the first control plane machine to have status.nodeRef set' };
}

/** Whether the workers are available. */
export function workersAvailable(descendants: Descendants | undefined): ConditionText {
  const type = 'WorkersAvailable';
  if (descendants === undefined) return failed(type);
  if (descendants.deployments.length === 0) return { type, status: 'True', reason: 'NoWorkers' };
  const reasons = { issue: 'NotAvailable', unknown: 'AvailableUnknown', info: 'Available' };
  return aggregate(descendants.deployments, { from: 'Available', to: type, reasons });
}

const MACHINE_REASONS = {
  Ready: { issue: 'NotReady', unknown: 'ReadyUnknown', info: 'Ready' },
  UpToDate: { issue: 'NotUpToDate', unknown: 'UpToDateUnknown', info: 'UpToDate' },
} as const;

/** A condition of machines as one. */
export function machinesAre(
  what: keyof typeof MACHINE_REASONS,
  to: string,
  machines: readonly Machine[] | undefined,
): ConditionText {
  if (machines === undefined) return failed(to);
  if (machines.length === 0) return { type: to, status: 'True', reason: 'NoReplicas' };
  return aggregate(machines, { from: what, to, reasons: MACHINE_REASONS[what] });
}

/** Machines old enough that their controllers should have reported whether they are up to date. */
export function ripe(machines: readonly Machine[], nowMs: number): Machine[] {
  return machines.filter(
    (machine) =>
      conditionOf(machine, 'UpToDate') !== undefined ||
      nowMs - Date.parse(machine.metadata.creationTimestamp ?? '') > 10_000,
  );
}

/** What happens to any part of a cluster, as one: rolling out, scaling up, scaling down. */
export function progress(type: 'RollingOut' | 'ScalingUp' | 'ScalingDown', scope: ClusterScope): ConditionText {
  const { cluster, controlPlane, descendants } = scope;
  const isUnseen =
    isDefined(cluster.spec?.controlPlaneRef) && controlPlane === undefined && scope.isControlPlaneMissing !== true;
  if (isUnseen || descendants === undefined) return failed(type);
  const sets = type === 'RollingOut' ? [] : descendants.sets.filter((set) => isOwnedBy(set, cluster));
  const sources: Conditioned[] = [...foreignSource(scope, type), ...descendants.deployments, ...sets];
  const info = `Not${type}`;
  if (sources.length === 0) return { type, status: 'False', reason: info };
  const reasons = { issue: type, unknown: `${type}Unknown`, info };
  return aggregate(sources, { from: type, to: type, reasons, isNegative: true });
}

/** The control plane, when it reports anything about it. */
function foreignSource({ controlPlane }: ClusterScope, type: string): Conditioned[] {
  if (controlPlane === undefined) return [];
  const conditions = foreignConditions(controlPlane.object);
  if ('problem' in conditions || getCondition(conditions, type) === undefined) return [];
  const { apiVersion, kind, metadata } = controlPlane.object;
  return [{ apiVersion, kind, metadata, status: { conditions: [...conditions] } }];
}

/** Whether machines are being replaced because they are unhealthy. */
export function remediating(machines: readonly Machine[] | undefined): ConditionText {
  const type = 'Remediating';
  if (machines === undefined) return failed(type);
  const sick = machines.filter(isToBeRemediated);
  if (sick.length === 0)
    return {
      type,
      status: 'False',
      reason: 'NotRemediating',
      message: unhealthyText(machines.filter(isUnhealthy), ''),
    };
  const { message } = aggregate(sick, { from: 'OwnerRemediated', to: type });
  return { type, status: 'True', reason: 'Remediating', message };
}

/** Whether the cluster is going, and what is in the way. */
export function deleting({ cluster, deleting: why }: ClusterScope): ConditionText {
  const type = 'Deleting';
  if (!isGoing(cluster)) return { type, status: 'False', reason: 'NotDeleting' };
  return { type, status: 'True', reason: why?.reason ?? 'InternalError', message: why?.message ?? CHECK_LOGS };
}

const GOING_AWAY: ReadonlySet<string> = new Set(['ObjectDeleted', 'ObjectDoesNotExist']);
const PARTS: ReadonlySet<string> = new Set(['InfrastructureReady', 'ControlPlaneAvailable']);

/** Whether the cluster is available. */
export function available(cluster: Cluster): ConditionText {
  const gates = cluster.spec?.availabilityGates ?? [];
  const negative = gates.filter(({ polarity }) => polarity === 'Negative').map(({ conditionType }) => conditionType);
  const weigh = ({ type, reason }: { type: string; reason: string }): Weight | undefined =>
    isGoing(cluster) && PARTS.has(type) && GOING_AWAY.has(reason) ? 'info' : undefined;
  return summarize(cluster, {
    to: 'Available',
    of: [
      'Deleting',
      'RemoteConnectionProbe',
      'InfrastructureReady',
      'ControlPlaneAvailable',
      'WorkersAvailable',
      'TopologyReconciled',
      ...gates.map(({ conditionType }) => conditionType),
    ],
    reasons: { issue: 'NotAvailable', unknown: 'AvailableUnknown', info: 'Available' },
    negative: ['Deleting', ...negative],
    ignoredWhenMissing: ['TopologyReconciled'],
    weigh,
  });
}
