import { compileLabelSelector } from '@capstan/meta';
import type { ConditionText } from '../conditions/conditions.js';
import { conditionOf, markAll } from '../conditions/conditions.js';
import { aggregate } from '../conditions/merge.js';
import { markOld, oldCondition, oldFalse, oldSummary, oldTrue } from '../conditions/old-conditions.js';
import { machinesAre, ripe } from '../cluster/conditions.js';
import { isGoing, isToBeRemediated, isUnhealthy, staleText, unhealthyText } from '../machines.js';
import { CHECK_LOGS } from '../names.js';
import type { Machine, MachineDeployment, MachineSet } from '../types.js';
import { rolloutLimits, strategyOf, wanted } from './scale-limits.js';
import type { Rolled } from './rollout.js';
import type { DeploymentScope } from './scope.js';

const failed = (type: string): ConditionText => ({
  type,
  status: 'Unknown',
  reason: 'InternalError',
  message: CHECK_LOGS,
});

type Counter = 'replicas' | 'readyReplicas' | 'availableReplicas' | 'upToDateReplicas';
const COUNTERS: readonly Counter[] = ['replicas', 'readyReplicas', 'availableReplicas', 'upToDateReplicas'];

/** The counters of sets added up; one that no set has stays out. */
export function totals(sets: readonly MachineSet[]): Partial<Record<Counter, number>> {
  const sum: Partial<Record<Counter, number>> = {};
  for (const { status } of sets)
    for (const counter of COUNTERS) {
      const value = status?.[counter];
      if (value !== undefined) sum[counter] = (sum[counter] ?? 0) + value;
    }
  return sum;
}

function setTotals(deployment: MachineDeployment, sets: readonly MachineSet[]): void {
  const {
    replicas: _r,
    readyReplicas: _e,
    availableReplicas: _a,
    upToDateReplicas: _u,
    ...status
  } = deployment.status ?? {};
  deployment.status = { ...status, ...totals(sets) };
}

/** The status in the style of before v1beta2, from the sets as they were written. */
export function markOldStatus(deployment: MachineDeployment, { current, old }: Rolled, now: string): void {
  const sets = [...old, ...(current === undefined ? [] : [current])];
  setTotals(deployment, sets);
  const oldOf = ({ status }: MachineSet): { readyReplicas?: number; availableReplicas?: number } =>
    status?.deprecated?.v1beta1 ?? {};
  const availableReplicas = sets.reduce((total, set) => total + (oldOf(set).availableReplicas ?? 0), 0);
  const counters = {
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sets.reduce((total, set) => total + (oldOf(set).readyReplicas ?? 0), 0),
    availableReplicas,
    unavailableReplicas: Math.max(sets.reduce((total, set) => total + wanted(set), 0) - availableReplicas, 0),
  };
  const { deprecated } = deployment.status ?? {};
  deployment.status = {
    ...deployment.status,
    deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, ...counters } },
  };
  const least = wanted(deployment) - rolloutLimits(deployment).maxUnavailable;
  const message = `Minimum availability requires ${least} replicas, current ${deployment.status.availableReplicas ?? 0} available`;
  const isAvailable = availableReplicas >= least;
  markOld(
    deployment,
    isAvailable ? oldTrue('Available') : oldFalse('Available', 'WaitingForAvailableMachines', 'Warning', message),
    now,
  );
  const ready = oldCondition(current, 'Ready');
  const waiting = oldFalse('MachineSetReady', 'WaitingForMachineSet', 'Info', current ? '' : 'MachineSet not found');
  markOld(deployment, ready === undefined ? waiting : { ...ready, type: 'MachineSetReady' }, now);
}

/** Where a deployment is: growing, shrinking or at rest. */
export function phaseOf(deployment: MachineDeployment, sets: readonly MachineSet[] | undefined): string {
  if (sets === undefined) return 'Unknown';
  if (isGoing(deployment)) return 'ScalingDown';
  const there = totals(sets).replicas ?? 0;
  if (there === wanted(deployment)) return 'Running';
  return there > wanted(deployment) ? 'ScalingDown' : 'ScalingUp';
}

/** Whether enough replicas are available. */
export function available(deployment: MachineDeployment, sets: readonly MachineSet[] | undefined): ConditionText {
  const type = 'Available';
  if (sets === undefined) return failed(type);
  const has = deployment.status?.availableReplicas;
  if (has === undefined)
    return {
      type,
      status: 'Unknown',
      reason: 'WaitingForAvailableReplicasSet',
      message: 'Waiting for status.availableReplicas set',
    };
  const least = wanted(deployment) - rolloutLimits(deployment).maxUnavailable;
  if (has >= least) return { type, status: 'True', reason: 'Available' };
  const bad = { type, status: 'False', reason: 'NotAvailable' } as const;
  if (isGoing(deployment)) return { ...bad, message: 'Deletion in progress' };
  const { maxUnavailable = 0 } = deployment.spec.rollout?.strategy?.rollingUpdate ?? {};
  const why =
    strategyOf(deployment) === 'RollingUpdate'
      ? ` (spec.strategy.rollout.maxUnavailable is ${maxUnavailable}, spec.replicas is ${wanted(deployment)})`
      : '';
  return { ...bad, message: `${has} available replicas, at least ${least} required${why}` };
}

/** Whether machines are being replaced by others of the present template. */
export function rollingOut(machines: readonly Machine[]): ConditionText {
  const type = 'RollingOut';
  const outdated = machines.flatMap((machine) => {
    const condition = conditionOf(machine, 'UpToDate');
    return condition?.status === 'False' ? [condition] : [];
  });
  if (outdated.length === 0) return { type, status: 'False', reason: 'NotRollingOut' };
  const isVersion = (text: string): boolean => text.startsWith('* Version');
  const reasons = [...new Set(outdated.flatMap(({ message }) => (message === '' ? [] : message.split('\n'))))].toSorted(
    (a, b) => Number(isVersion(b)) - Number(isVersion(a)) || (a < b ? -1 : 1),
  );
  const message = [`Rolling out ${outdated.length} not up-to-date replicas`, ...reasons].join('\n');
  return { type, status: 'True', reason: 'RollingOut', message };
}

function missingText({ bootstrap, infrastructure }: DeploymentScope['missingTemplates']): string {
  const kinds = [bootstrap, infrastructure].filter((kind) => kind !== undefined);
  if (kinds.length === 0) return '';
  return `because ${kinds.join(' and ')} ${kinds.length === 1 ? 'does' : 'do'} not exist`;
}

/** Whether replicas are being added. */
export function scalingUp(scope: DeploymentScope): ConditionText {
  const type = 'ScalingUp';
  const { deployment, sets } = scope;
  if (sets === undefined) return failed(type);
  const target = isGoing(deployment) ? 0 : wanted(deployment);
  const there = totals(sets).replicas ?? 0;
  const missing = missingText(scope.missingTemplates);
  if (there >= target) {
    const message = isGoing(deployment) || missing === '' ? '' : `Scaling up would be blocked ${missing}`;
    return { type, status: 'False', reason: 'NotScalingUp', message };
  }
  const message = `Scaling up from ${there} to ${target} replicas${missing === '' ? '' : ` is blocked ${missing}`}`;
  return { type, status: 'True', reason: 'ScalingUp', message };
}

/** Whether replicas are being removed. */
export function scalingDown({ deployment, sets, machines }: DeploymentScope, nowMs: number): ConditionText {
  const type = 'ScalingDown';
  if (sets === undefined) return failed(type);
  const target = isGoing(deployment) ? 0 : wanted(deployment);
  const there = totals(sets).replicas ?? 0;
  if (there <= target) return { type, status: 'False', reason: 'NotScalingDown' };
  const stale = staleText(machines, nowMs);
  const message = `Scaling down from ${there} to ${target} replicas${stale === '' ? '' : `\n* ${stale}`}`;
  return { type, status: 'True', reason: 'ScalingDown', message };
}

function remediating(machines: readonly Machine[]): ConditionText {
  const type = 'Remediating';
  const sick = machines.filter(isToBeRemediated);
  if (sick.length > 0)
    return { ...aggregate(sick, { from: 'OwnerRemediated', to: type }), status: 'True', reason: 'Remediating' };
  const message = unhealthyText(machines.filter(isUnhealthy), ' by MachineDeployment/MachineSet');
  return { type, status: 'False', reason: 'NotRemediating', message };
}

function deleting({ deployment, sets, machines }: DeploymentScope, nowMs: number): ConditionText {
  const type = 'Deleting';
  if (sets === undefined) return failed(type);
  if (!isGoing(deployment)) return { type, status: 'False', reason: 'NotDeleting' };
  const stale = staleText(machines, nowMs);
  const left = `Deleting ${machines.length} Machine${machines.length === 1 ? '' : 's'}`;
  let message = sets.length > 0 ? `Deleting ${sets.length} MachineSets` : 'Deletion completed';
  if (machines.length > 0) message = stale === '' ? left : `${left}\n* ${stale}`;
  return { type, status: 'True', reason: 'Deleting', message };
}

/** Writes what is known onto the status. */
export function updateStatus(scope: DeploymentScope, nowMs: number, now: string): void {
  const { deployment, sets, machines } = scope;
  if (sets !== undefined) setTotals(deployment, sets);
  deployment.status = {
    ...deployment.status,
    selector: compileLabelSelector(deployment.spec.selector).toString(),
    phase: phaseOf(deployment, sets),
  };
  const conditions = [
    available(deployment, sets),
    rollingOut(machines),
    scalingUp(scope),
    scalingDown(scope, nowMs),
    machinesAre('Ready', 'MachinesReady', machines),
    machinesAre('UpToDate', 'MachinesUpToDate', ripe(machines, nowMs)),
    remediating(machines),
    deleting(scope, nowMs),
  ];
  markAll(deployment, conditions, now);
  markOld(deployment, oldSummary(deployment, ['Available']), now);
}
