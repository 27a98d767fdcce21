/** Who may change what others may not: the controllers of either API, and those of Kubernetes that every object needs. */
import { CLUSTER_API_NAMESPACE, MACHINE_API_NAMESPACE } from '../names.js';

/** Deployment, account and lease of this operator. */
export const PROGRAM_NAME = 'machine-api-migration';

/** Where the two APIs have their objects. */
export interface Namespaces {
  readonly machineApi: string;
  readonly clusterApi: string;
}

/** As OpenShift has them. */
export const DEFAULT_NAMESPACES: Namespaces = {
  machineApi: MACHINE_API_NAMESPACE,
  clusterApi: CLUSTER_API_NAMESPACE,
};

/** An account that policies exempt, and why. */
export interface ExemptAccount {
  readonly user?: string;
  readonly group?: string;
  readonly reason: string;
}

const account = (namespace: string, name: string): string => `system:serviceaccount:${namespace}:${name}`;

/** Accounts that no policy on changes restricts. */
export function exemptAccounts({ clusterApi, machineApi }: Namespaces): readonly ExemptAccount[] {
  return [
    { user: account(clusterApi, PROGRAM_NAME), reason: 'writes the copies' },
    {
      group: `system:serviceaccounts:${clusterApi}`,
      reason: 'Cluster API and its providers: a set labels and owns its machines, whichever API acts on each',
    },
    {
      user: account(machineApi, 'machine-api-controllers'),
      reason: 'machine, set, node link and health check controllers of Machine API',
    },
    {
      user: account(machineApi, 'control-plane-machine-set-operator'),
      reason: 'owns control plane machines of either API',
    },
    {
      user: account('kube-system', 'generic-garbage-collector'),
      reason: 'removes owners that are deleted, and the finalizers of cascading deletion',
    },
    { user: 'system:kube-controller-manager', reason: 'the garbage collector where controllers share one account' },
  ];
}

/** Accounts of the cluster autoscaler, which scales either copy and marks machines to be deleted. */
export function autoscalerAccounts({ clusterApi, machineApi }: Namespaces): readonly string[] {
  return [account(machineApi, 'cluster-autoscaler'), account(clusterApi, 'cluster-autoscaler')];
}
