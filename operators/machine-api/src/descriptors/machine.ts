/** Machines, with their infrastructure machines. */
import { CAPI_MACHINES, MAPI_MACHINES } from '../kinds.js';
import { CLUSTER_API_FINALIZER, MACHINE_API_FINALIZER } from '../names.js';
import type { Descriptor } from './descriptor.js';

export const machineDescriptor: Descriptor = {
  kind: 'Machine',
  machineApi: MAPI_MACHINES,
  clusterApi: CAPI_MACHINES,
  child: 'machine',
  finalizers: { machineApi: MACHINE_API_FINALIZER, clusterApi: CLUSTER_API_FINALIZER },
  toClusterApi: ({ converter }, source, context) => converter.toClusterApi(source, context),
  toMachineApi: ({ converter }, { capi, child = { apiVersion: '', kind: '', metadata: {} } }, context) =>
    converter.toMachineApi({ machine: capi, infrastructure: child }, context),
  statusToClusterApi: ({ statuses }, source, { context, now }) => {
    const { status } = statuses.toClusterApi(source, context, now);
    return { capi: status.machine, child: status.infrastructure };
  },
  statusToMachineApi: ({ statuses }, { capi, child }, { context, now }) =>
    statuses.toMachineApi({ machine: capi, infrastructure: child ?? {} }, context, now).status,
};
