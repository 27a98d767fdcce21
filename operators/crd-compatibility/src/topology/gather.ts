import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import { CHECKER_NAME } from '../names.js';
import { replicasFor } from './decide.js';
import type { Deployment, Infrastructure } from './decide.js';

const INFRASTRUCTURES: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'infrastructures',
  kind: 'Infrastructure',
  namespaced: false,
};
/** The kind of the checker's own Deployment. */
export const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};
/** The kind of the checker's own PodDisruptionBudget. */
export const BUDGETS: ResourceKind = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
};

/** What the number of replicas is decided by. */
export interface Snapshot {
  /** That the layout of the cluster requires; undefined where it reports no topology. */
  readonly replicas: number | undefined;
  readonly deployment: Deployment | undefined;
  readonly hasBudget: boolean;
}

/** Reads the layout of the cluster, and the checker's Deployment and budget. */
export async function gather(client: Client, namespace: string, signal: AbortSignal): Promise<Snapshot> {
  const at = { namespace, signal } as const;
  const infrastructure = await client.get<Infrastructure>(INFRASTRUCTURES, 'cluster', { signal }).catch(ignoreNotFound);
  const replicas = replicasFor(infrastructure);
  if (replicas === undefined) return { replicas, deployment: undefined, hasBudget: false };
  const deployment = await client.get<Deployment>(DEPLOYMENTS, CHECKER_NAME, at).catch(ignoreNotFound);
  const budget = await client.get(BUDGETS, CHECKER_NAME, at).catch(ignoreNotFound);
  return { replicas, deployment, hasBudget: budget !== undefined };
}
