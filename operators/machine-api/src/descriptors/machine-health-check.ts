/** Health checks, which have nothing of a platform. */
import {
  checkStatus,
  checkStatusToClusterApi,
  healthCheckToClusterApi,
  healthCheckToMachineApi,
} from '@capstan/convert/machine-api';
import { CAPI_HEALTH_CHECKS, MAPI_HEALTH_CHECKS } from '../kinds.js';
import type { Descriptor } from './descriptor.js';

export const healthCheckDescriptor: Descriptor = {
  kind: 'MachineHealthCheck',
  machineApi: MAPI_HEALTH_CHECKS,
  clusterApi: CAPI_HEALTH_CHECKS,
  child: 'none',
  finalizers: {},
  toClusterApi: (_tools, source, context) => healthCheckToClusterApi(source, context),
  toMachineApi: (_tools, { capi }, context) => healthCheckToMachineApi(capi, context),
  statusToClusterApi: (_tools, source, { now }) => ({ capi: checkStatusToClusterApi(source, now) }),
  statusToMachineApi: (_tools, { capi }, { now }) => checkStatus(capi, now),
};
