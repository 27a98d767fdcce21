/** Conditions of Cluster API, derived from phases and counts of Machine API. */
import type { JsonObject } from '@capstan/meta';
import { getAt } from '../engine/path.js';

/** Conditions of both generations. */
export interface Conditions {
  readonly current: readonly JsonObject[];
  readonly deprecated: readonly JsonObject[];
}

type Answer = boolean | 'Unknown';
const word = (answer: Answer): string => (answer === 'Unknown' ? answer : answer ? 'True' : 'False');

/** Of the current generation: always with a reason. */
function current(type: string, answer: Answer, reasons: readonly [yes: string, no: string], now: string): JsonObject {
  const reason = answer === 'Unknown' ? `${type}Unknown` : answer ? reasons[0] : reasons[1];
  return { type, status: word(answer), reason, message: '', lastTransitionTime: now };
}

/** Of the one before: with a reason and a severity only where it does not hold. */
function deprecated(type: string, isSo: boolean, reason: string, now: string): JsonObject {
  const why = isSo ? {} : { reason, severity: 'Info' };
  return { type, status: word(isSo), ...why, lastTransitionTime: now };
}

/** Of a Machine of Machine API. */
export function conditionsOfMachine(machine: JsonObject, now: string): Conditions {
  const phase = getAt(machine, ['status', 'phase']);
  const isDeleting = getAt(machine, ['metadata', 'deletionTimestamp']) !== undefined || phase === 'Deleting';
  const isRunning = phase === 'Running';
  const isProvisioned = isRunning || phase === 'Provisioned' || phase === 'Deleting';
  const isBootstrapped = isRunning || phase === 'Deleting';
  const hasNode = getAt(machine, ['status', 'nodeRef', 'name']) !== undefined;
  const notYet = 'WaitingForMachineAPI';
  return {
    current: [
      current('Available', isRunning, ['Available', 'NotAvailable'], now),
      current('Ready', isRunning, ['Ready', 'NotReady'], now),
      current('BootstrapConfigReady', isBootstrapped, ['DataSecretProvided', 'NotReady'], now),
      current('InfrastructureReady', isProvisioned, ['Ready', 'NotReady'], now),
      ...(hasNode ? [current('NodeReady', isRunning ? true : 'Unknown', ['NodeReady', 'NodeNotReady'], now)] : []),
      current('Deleting', isDeleting, ['Deleting', 'NotDeleting'], now),
    ],
    deprecated: [
      deprecated('Ready', isRunning, notYet, now),
      deprecated('BootstrapReady', isBootstrapped, notYet, now),
      deprecated('InfrastructureReady', isProvisioned, notYet, now),
    ],
  };
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Of a MachineSet of Machine API. */
export function conditionsOfSet(set: JsonObject, now: string): Conditions {
  const wanted = count(getAt(set, ['spec', 'replicas']) ?? 1);
  const there = count(getAt(set, ['status', 'replicas']));
  const ready = count(getAt(set, ['status', 'readyReplicas']));
  const labelled = count(getAt(set, ['status', 'fullyLabeledReplicas']));
  const isDeleting = getAt(set, ['metadata', 'deletionTimestamp']) !== undefined;
  const isWhole = there === wanted && ready === wanted;
  const notYet = 'WaitingForMachineAPI';
  return {
    current: [
      current('Deleting', isDeleting, ['Deleting', 'NotDeleting'], now),
      current('ScalingUp', there < wanted, ['ScalingUp', 'NotScalingUp'], now),
      current('ScalingDown', there > wanted, ['ScalingDown', 'NotScalingDown'], now),
      current('MachinesReady', isWhole, ['Ready', 'NotReady'], now),
      current('MachinesUpToDate', labelled === wanted, ['UpToDate', 'NotUpToDate'], now),
    ],
    deprecated: [
      deprecated('Ready', isWhole, notYet, now),
      deprecated('Resized', there === wanted, there < wanted ? 'ScalingUp' : 'ScalingDown', now),
      deprecated('MachinesCreated', there >= wanted, notYet, now),
      deprecated('MachinesReady', isWhole, notYet, now),
    ],
  };
}
