import type { Result } from '@capstan/kube';
import { isTrue, mark, markAll } from '../conditions/conditions.js';
import { markOld, oldSummary } from '../conditions/old-conditions.js';
import { isGoing } from '../machines.js';
import type { Machine } from '../types.js';
import {
  available,
  bootstrapReady,
  deleting,
  infrastructureReady,
  nodeConditions,
  ready,
  upToDate,
} from './conditions.js';
import type { NodeView } from './conditions.js';
import type { MachineScope } from './scope.js';

/** Where a machine is in its life. */
export function phaseOf(machine: Machine): string {
  if (isGoing(machine)) return 'Deleting';
  if (isTrue(machine, 'Updating')) return 'Updating';
  const { initialization, nodeRef, phase = 'Pending' } = machine.status ?? {};
  const isProvisioned = initialization?.infrastructureProvisioned === true;
  if (nodeRef !== undefined && isProvisioned) return 'Running';
  if (machine.spec.providerID) return 'Provisioned';
  const hasData = initialization?.bootstrapDataSecretCreated === true;
  return hasData && !isProvisioned ? 'Provisioning' : phase;
}

/** Writes what is known onto the status. */
export function updateStatus(scope: MachineScope, view: NodeView, now: string): Result {
  const { machine } = scope;
  const conditions = [
    bootstrapReady(scope),
    infrastructureReady(scope),
    ...nodeConditions(scope, view),
    deleting(scope),
    { type: 'Updating', status: 'False', reason: 'NotUpdating' } as const,
    upToDate(scope, view.nowMs),
  ];
  markAll(machine, conditions, now);
  mark(machine, ready(machine, view.nowMs), now);
  const phase = phaseOf(machine);
  if (phase !== machine.status?.phase) machine.status = { ...machine.status, phase, lastUpdated: now };
  const { condition, againInMs } = available(machine, view.nowMs);
  mark(machine, condition, now);
  return { requeueAfterMs: againInMs };
}

const OLD_TYPES = [
  'InfrastructureReady',
  'BootstrapReady',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'DrainingSucceeded',
] as const;

/** The old Ready: while the machine is being made it counts steps. */
export function markOldReady(machine: Machine, now: string): void {
  const isStarting = !isGoing(machine) && (machine.spec.providerID ?? '') === '';
  const steps = isStarting ? { only: ['BootstrapReady', 'InfrastructureReady'] } : undefined;
  markOld(machine, oldSummary(machine, OLD_TYPES, steps), now);
}
