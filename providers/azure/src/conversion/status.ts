/** The status that controllers report for a virtual machine. */
import type { Claim, Scope } from '@capstan/convert';
import { creationCondition } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';

const claims = (...paths: string[]): readonly Claim[] => paths.map((path) => ({ path, fate: 'derived' }));

/** States of a machine that both call the same: the cloud is still at work on it, or has failed. */
const COMMON = new Set<unknown>(['Creating', 'Deleting', 'Failed', 'Migrating', 'Updating']);
/** Machine API reports whether it is on, Cluster API that it exists. */
const POWER = new Set<unknown>(['Starting', 'Running', 'Stopping', 'Stopped', 'Deallocating', 'Deallocated']);

const isRunning = (status: JsonObject): boolean => status['vmState'] === 'Running';

function toClusterApi({ source, target }: Scope<MachineContext>): void {
  const { vmState } = source;
  if (COMMON.has(vmState)) target['vmState'] = vmState;
  else if (POWER.has(vmState)) target['vmState'] = 'Succeeded';
  target['ready'] = isRunning(source);
}

function toMachineApi({ source, target }: Scope<MachineContext>): void {
  const { vmState } = source;
  if (COMMON.has(vmState)) target['vmState'] = vmState;
  else if (vmState === 'Succeeded') target['vmState'] = source['ready'] === true ? 'Running' : 'Unknown';
}

const state: MachineRule = {
  claims: {
    // The id of the machine is in its provider ID.
    left: claims('metadata', 'vmId', 'vmState'),
    // Addresses and failures are in the status of the machine itself; requests to the cloud are internal.
    right: claims('addresses', 'failureMessage', 'failureReason', 'longRunningOperationStates', 'ready', 'vmState'),
  },
  convert: (scope) => {
    if (scope.run.from === scope.run.to) return;
    if (scope.run.to === 'right') toClusterApi(scope);
    else toMachineApi(scope);
  },
};

/** The provider status of a machine, and the status of its AzureMachine. */
export const status: readonly MachineRule[] = [state, creationCondition(['Ready', 'VMRunning'], isRunning)];
