/** Sets of machines, with the templates of their infrastructure machines. */
import { setStatusToClusterApi, setStatusToMachineApi } from '@capstan/convert/machine-api';
import { formatLabelSelector } from '@capstan/meta';
import type { LabelSelector } from '@capstan/meta';
import { CAPI_MACHINE_SETS, MAPI_MACHINE_SETS } from '../kinds.js';
import { CLUSTER_API_SET_FINALIZER } from '../names.js';
import type { Descriptor } from './descriptor.js';

export const machineSetDescriptor: Descriptor = {
  kind: 'MachineSet',
  machineApi: MAPI_MACHINE_SETS,
  clusterApi: CAPI_MACHINE_SETS,
  child: 'template',
  finalizers: { clusterApi: CLUSTER_API_SET_FINALIZER },
  toClusterApi: ({ converter }, source, context) => converter.toClusterApi(source, context),
  toMachineApi: ({ converter }, { capi, child = { apiVersion: '', kind: '', metadata: {} } }, context) =>
    converter.toMachineApi({ machineSet: capi, template: child }, context),
  statusToClusterApi: (_tools, source, { now }) => {
    const selector = formatLabelSelector((source.spec?.['selector'] ?? {}) as LabelSelector);
    return { capi: setStatusToClusterApi(source, selector, now) };
  },
  statusToMachineApi: (_tools, { capi }) => setStatusToMachineApi(capi),
};
