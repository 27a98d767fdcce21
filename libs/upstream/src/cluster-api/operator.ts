import { defineOperator, untrustedConnection } from '@capstan/kube';
import type { OperatorDefinition } from '@capstan/kube';
import { clusterApiManager } from './manager.js';
import type { ClusterApiOptions } from './manager.js';

/** Upstream flags that change nothing here are accepted, so that the same arguments work for both. */
const FLAGS = {
  'additional-sync-machine-annotations': 'string',
  'additional-sync-machine-labels': 'string',
  'cluster-concurrency': 'number',
  'clustercache-concurrency': 'number',
  'machine-concurrency': 'number',
  'machinedeployment-concurrency': 'number',
  'machinehealthcheck-concurrency': 'number',
  'machineset-concurrency': 'number',
  'machineset-preflight-checks': 'string',
  'remote-conditions-grace-period': 'duration',
  'remote-connection-grace-period': 'duration',
  'skip-crd-migration-phases': 'string',
} as const;

/** The core of Cluster API as an operator with flags. */
export const clusterApiOperator = clusterApiOperatorWith({});

/** The same with settings that upstream has no flag for. */
export function clusterApiOperatorWith(
  settings: Pick<ClusterApiOptions, 'isPaced' | 'retryConnectMs'>,
): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'cluster-api',
    flags: FLAGS,
    healthPort: 9440,
    build: (context) => {
      const { env, flags, options } = context;
      const resyncMs = flags['sync-period'];
      const gates = new Map(
        (flags['feature-gates'] ?? '').split(',').map((gate) => gate.split('=') as [string, string]),
      );
      return clusterApiManager({
        ...options,
        ...settings,
        client: { ...options.client, userAgent: 'manager' },
        cache: { ...options.cache, ...(resyncMs === undefined ? {} : { resyncMs }) },
        namespace: flags.namespace === '' ? undefined : flags.namespace,
        watchFilter: flags['watch-filter'] === '' ? undefined : flags['watch-filter'],
        maxConcurrent: flags['machine-concurrency'],
        remoteConditionsGraceMs: flags['remote-conditions-grace-period'],
        remoteConnectionGraceMs: flags['remote-connection-grace-period'],
        isPaced: settings.isPaced ?? gates.get('ReconcilerRateLimiting') === 'true',
        propagatesTaints: gates.get('MachineTaintPropagation') === 'true',
        connectGuest: async ({ kubeconfig, name, namespace }) => {
          const origin = `Secret ${namespace}/${name}-kubeconfig`;
          return context.connect(await untrustedConnection(kubeconfig, { origin, env }));
        },
      });
    },
  });
}
