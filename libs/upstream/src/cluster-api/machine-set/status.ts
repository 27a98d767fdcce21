import { compileLabelSelector, matcherFromSet } from '@capstan/meta';
import { machinesAre, ripe } from '../cluster/conditions.js';
import type { ConditionText } from '../conditions/conditions.js';
import { isTrue, markAll } from '../conditions/conditions.js';
import { aggregate } from '../conditions/merge.js';
import { markOld, oldAggregate, oldFalse, oldSummary, oldTrue } from '../conditions/old-conditions.js';
import { isGoing, isToBeRemediated, isUnhealthy, staleText, unhealthyText } from '../machines.js';
import { wanted } from '../machine-deployment/scale-limits.js';
import { CHECK_LOGS } from '../names.js';
import type { Machine, MachineSet, Node } from '../types.js';
import type { SetScope } from './scope.js';

const failed = (type: string): ConditionText => ({
  type,
  status: 'Unknown',
  reason: 'InternalError',
  message: CHECK_LOGS,
});

const targetOf = (set: MachineSet): number => (isGoing(set) ? 0 : wanted(set));

function missingText({ set, isBootstrapMissing, isInfrastructureMissing }: SetScope): string {
  const { bootstrap, infrastructureRef } = set.spec.template.spec;
  const kinds = [
    ...(isBootstrapMissing === true ? [bootstrap?.configRef?.kind ?? ''] : []),
    ...(isInfrastructureMissing === true ? [infrastructureRef?.kind ?? ''] : []),
  ];
  if (kinds.length === 0) return '';
  return `${kinds.join(' and ')} ${kinds.length === 1 ? 'does' : 'do'} not exist`;
}

/** Whether machines are being added, and what is in the way. */
export function scalingUp(scope: SetScope): ConditionText {
  const type = 'ScalingUp';
  const { set, machines, preflight = [] } = scope;
  if (machines === undefined) return failed(type);
  const missing = missingText(scope);
  if (machines.length >= targetOf(set)) {
    const message = isGoing(set) || missing === '' ? '' : `Scaling up would be blocked because ${missing}`;
    return { type, status: 'False', reason: 'NotScalingUp', message };
  }
  const obstacles = [...preflight, ...(missing === '' ? [] : [missing])].map((each) => `\n* ${each}`);
  const blocked = obstacles.length === 0 ? '' : ` is blocked because:${obstacles.join('')}`;
  const message = `Scaling up from ${machines.length} to ${targetOf(set)} replicas${blocked}`;
  return { type, status: 'True', reason: 'ScalingUp', message };
}

/** Whether machines are being removed. */
export function scalingDown({ set, machines }: SetScope, nowMs: number): ConditionText {
  const type = 'ScalingDown';
  if (machines === undefined) return failed(type);
  if (machines.length <= targetOf(set)) return { type, status: 'False', reason: 'NotScalingDown' };
  const stale = staleText(machines, nowMs);
  const message = `Scaling down from ${machines.length} to ${targetOf(set)} replicas${stale === '' ? '' : `\n* ${stale}`}`;
  return { type, status: 'True', reason: 'ScalingDown', message };
}

function remediating(machines: readonly Machine[] | undefined): ConditionText {
  const type = 'Remediating';
  if (machines === undefined) return failed(type);
  const sick = machines.filter(isToBeRemediated);
  if (sick.length > 0)
    return { ...aggregate(sick, { from: 'OwnerRemediated', to: type }), status: 'True', reason: 'Remediating' };
  const message = unhealthyText(machines.filter(isUnhealthy), ' by MachineSet');
  return { type, status: 'False', reason: 'NotRemediating', message };
}

function deleting({ set, machines }: SetScope, nowMs: number): ConditionText {
  const type = 'Deleting';
  if (machines === undefined) return failed(type);
  if (!isGoing(set)) return { type, status: 'False', reason: 'NotDeleting' };
  const stale = staleText(machines, nowMs);
  const left = `Deleting ${machines.length} Machine${machines.length === 1 ? '' : 's'}${stale === '' ? '' : `\n* ${stale}`}`;
  return { type, status: 'True', reason: 'Deleting', message: machines.length > 0 ? left : 'Deletion completed' };
}

/** Writes what is known onto the status. */
export function updateStatus(scope: SetScope, nowMs: number, now: string): void {
  const { set, machines } = scope;
  set.status = { ...set.status, selector: compileLabelSelector(set.spec.selector).toString() };
  if (machines !== undefined) {
    const count = (type: string): number => machines.filter((machine) => isTrue(machine, type)).length;
    set.status = {
      ...set.status,
      replicas: machines.length,
      readyReplicas: count('Ready'),
      availableReplicas: count('Available'),
      upToDateReplicas: count('UpToDate'),
    };
  }
  const conditions = [
    scalingUp(scope),
    scalingDown(scope, nowMs),
    machinesAre('Ready', 'MachinesReady', machines),
    machinesAre('UpToDate', 'MachinesUpToDate', machines && ripe(machines, nowMs)),
    remediating(machines),
    deleting(scope, nowMs),
  ];
  markAll(set, conditions, now);
}

/** Whether a node is ready, and has been for so long. */
export function isNodeAvailable(node: Node | undefined, minReadySeconds: number, nowMs: number): boolean {
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return false;
  return minReadySeconds === 0 || Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 < nowMs;
}

/** The status of the versions before v1beta2: it counts nodes. */
export function updateOldStatus(
  { set, machines }: SetScope,
  { nodeOf, nowMs, now }: { nodeOf: (machine: Machine) => Node | undefined; nowMs: number; now: string },
): void {
  if (machines === undefined) return;
  const template = matcherFromSet(set.spec.template.metadata?.labels);
  const seconds = set.spec.template.spec.minReadySeconds ?? 0;
  const nodes = machines.map(nodeOf);
  const readyReplicas = nodes.filter((node) => isNodeAvailable(node, 0, nowMs)).length;
  const counters = {
    fullyLabeledReplicas: machines.filter(({ metadata }) => template.matches(metadata.labels ?? {})).length,
    readyReplicas,
    availableReplicas: nodes.filter((node) => isNodeAvailable(node, seconds, nowMs)).length,
  };
  const { deprecated } = set.status ?? {};
  set.status = { ...set.status, deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, ...counters } } };
  markSize(set, readyReplicas, now);
  markOld(set, machines.length > 0 ? oldAggregate(machines, 'MachinesReady') : oldTrue('MachinesReady'), now);
  markOld(set, oldSummary(set, ['MachinesCreated', 'Resized', 'MachinesReady']), now);
}

function markSize(set: MachineSet, readyReplicas: number, now: string): void {
  const has = set.status?.replicas ?? 0;
  const target = targetOf(set);
  if (has < target) {
    const message = `Scaling up MachineSet to ${target} replicas (actual ${has})`;
    markOld(set, oldFalse('Resized', 'ScalingUp', 'Warning', message), now);
    return;
  }
  markOld(set, oldTrue('MachinesCreated'), now);
  if (has > target) {
    const message = `Scaling down MachineSet to ${target} replicas (actual ${has})`;
    markOld(set, oldFalse('Resized', 'ScalingDown', 'Warning', message), now);
  } else if (readyReplicas === has) markOld(set, oldTrue('Resized'), now);
}

/** When to count again: a machine becomes available by time alone, without an event. */
export function nextCount({ spec, status }: MachineSet): number {
  const target = wanted({ spec });
  const seconds = spec.template.spec.minReadySeconds ?? 0;
  const ready = status?.readyReplicas ?? 0;
  if (seconds > 0 && ready === target && (status?.availableReplicas ?? 0) !== target) return seconds * 1000;
  return ready === target ? 0 : 15_000;
}
