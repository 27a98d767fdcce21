import type { OperatorDefinition } from '@capstan/kube';
import { defineOperator } from '@capstan/kube';
import { cloudClient } from '../cloud/client.js';
import type { Cloud } from '../cloud/cloud.js';
import { machineApiManager } from './manager.js';
import type { MachineApiOptions } from './manager.js';

const FLAGS = { 'machine-api-migration': 'boolean', 'cluster-api-namespace': 'string' } as const;

/** The controllers of Machine API as an operator, with the given cloud. */
export function machineApiOperator(
  cloud: Cloud,
  settings: Pick<MachineApiOptions, 'hasAuthority' | 'notices' | 'intervals'> = {},
): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'machine-api-controllers',
    flags: FLAGS,
    build: ({ carry, flags, options }) =>
      machineApiManager({
        ...options,
        ...settings,
        cloud: cloudClient(cloud, 'machine-api', carry),
        namespace: flags.namespace,
        clusterApiNamespace: flags['cluster-api-namespace'],
        hasAuthority: settings.hasAuthority ?? flags['machine-api-migration'],
        resyncMs: flags['sync-period'],
      }),
  });
}
