import { Client, connectFile, connectOwnFile, defineOperator, Manager } from '@capstan/kube';
import type { ManagerOptions, OperatorDefinition } from '@capstan/kube';
import type { Transport } from '@capstan/meta';
import { NODES, PODS } from '../machine-api/resources.js';
import { AUTOSCALER_FLAGS, kubeconfigsOf, settingsOf } from './flags.js';
import type { AutoscalerSettings } from './flags.js';
import { BUDGETS, Scaler } from './scaler.js';

/** The transport and all else it has leads to the cluster with the nodes and pods. */
export interface AutoscalerOptions extends ManagerOptions {
  /** The way to the cluster with the machines. Default: the same. */
  readonly management?: Transport | undefined;
  readonly settings: AutoscalerSettings;
  /** `CAPI_GROUP` and `CAPI_VERSION` select the API of the machines. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The cluster autoscaler with its provider of Cluster API. */
export function clusterAutoscaler(options: AutoscalerOptions): Manager {
  const { env = {}, management, settings } = options;
  const manager = new Manager(options);
  for (const resource of [NODES, PODS, BUDGETS]) manager.cache.informer(resource);
  const { clock, random } = manager;
  const machines =
    management === undefined
      ? manager.client
      : new Client(management, { ...options.client, clock, random: random.split('management') });
  manager.add(new Scaler({ manager, management: machines, settings, env }));
  return manager;
}

/** The cluster autoscaler as an operator. */
export const autoscalerOperator: OperatorDefinition<typeof AUTOSCALER_FLAGS> = defineOperator({
  name: 'cluster-autoscaler',
  flags: AUTOSCALER_FLAGS,
  build: async (context) => {
    const { env, flags, options } = context;
    const settings = settingsOf(flags);
    const paths = kubeconfigsOf(flags);
    const management = await (paths.management === ''
      ? context.inCluster()
      : connectOwnFile(context, paths.management));
    const transport = paths.workload === '' ? options.transport : await connectFile(context, paths.workload);
    const identity = `cluster-autoscaler_${Buffer.from(options.random.split('identity').bytes(6)).toString('hex')}`;
    const leaderElection = settings.leaderElect
      ? { namespace: settings.namespace, name: settings.leaderElectResourceName, identity }
      : undefined;
    return clusterAutoscaler({ ...options, transport, management, settings, env, leaderElection });
  },
});
