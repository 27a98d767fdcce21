import { connectionFromText } from '@capstan/kube';
import { defineOperator } from '../runtime/operator.js';
import type { OperatorDefinition } from '../runtime/operator.js';
import { clusterApiManager } from './manager.js';

/** Flags of the original that change nothing here are known all the same: whoever runs the one can run the other. */
const FLAGS = {
  'additional-sync-machine-annotations': 'string',
  'additional-sync-machine-labels': 'string',
  'cluster-concurrency': 'number',
  'clustercache-concurrency': 'number',
  'machine-concurrency': 'number',
  'machinedeployment-concurrency': 'number',
  'machinehealthcheck-concurrency': 'number',
  'machineset-concurrency': 'number',
  'remote-conditions-grace-period': 'duration',
  'remote-connection-grace-period': 'duration',
  'skip-crd-migration-phases': 'string',
} as const;

/** The core of Cluster API as a program. */
export const clusterApiOperator: OperatorDefinition<typeof FLAGS> = defineOperator({
  name: 'controller-leader-election-capi',
  flags: FLAGS,
  build: ({ connect, files, flags, options }) =>
    clusterApiManager({
      ...options,
      namespace: flags.namespace === '' ? undefined : flags.namespace,
      watchFilter: flags['watch-filter'],
      maxConcurrent: flags['machine-concurrency'],
      remoteConnectionGraceMs: flags['remote-connection-grace-period'],
      remoteConditionsGraceMs: flags['remote-conditions-grace-period'],
      connectGuest: async ({ kubeconfig }) =>
        connect(await connectionFromText(kubeconfig, { clock: options.clock, files })),
    }),
});
