import { apply } from '@capstan/kube';
import type { Client, Reconcile, ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { disruptionBudget } from './manifests.js';
import { CHECKER_NAME, FIELD_OWNER } from './names.js';

const INFRASTRUCTURES: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'infrastructures',
  kind: 'Infrastructure',
  namespaced: false,
};
const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};
const BUDGETS: ResourceKind = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
};

interface Infrastructure extends KubeObject {
  readonly status?: { readonly controlPlaneTopology?: string; readonly infrastructureTopology?: string };
}

interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

/** How often the cluster is looked at: clusters that are no OpenShift have no kind that could be watched. */
const LOOK_AGAIN_MS = 60_000;

/** How many there are to be; undefined where the cluster does not say how it is laid out. */
export function replicasFor(infrastructure: Infrastructure | undefined): number | undefined {
  const { controlPlaneTopology, infrastructureTopology } = infrastructure?.status ?? {};
  // Pods like these run where the platform's other services do, which may be laid out unlike the control plane.
  const topology = infrastructureTopology ?? controlPlaneTopology ?? '';
  if (topology === '') return undefined;
  return topology === 'SingleReplica' ? 1 : 2;
}

/** What is to be written for so many replicas. */
export interface TopologyPlan {
  readonly scale?: number;
  readonly budget?: 'make' | 'remove';
}

/** What differs from so many replicas: two have a budget, one has none, which would keep its node from being drained. */
export function planFor(
  replicas: number | undefined,
  { deployment, hasBudget }: { readonly deployment: Deployment | undefined; readonly hasBudget: boolean },
): TopologyPlan {
  if (replicas === undefined || deployment === undefined) return {};
  const wantsBudget = replicas > 1;
  return {
    ...(deployment.spec?.replicas !== replicas && { scale: replicas }),
    ...(wantsBudget !== hasBudget && { budget: wantsBudget ? 'make' : 'remove' }),
  };
}

async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return undefined;
  });
}

/** Keeps as many replicas as the layout of the cluster asks for, also when it changes: gather, decide, act. */
export function reconcileTopology(client: Client, namespace: string): Reconcile {
  const at = { namespace } as const;
  return async (_request, { signal }) => {
    const replicas = replicasFor(await found(client.get<Infrastructure>(INFRASTRUCTURES, 'cluster', { signal })));
    if (replicas === undefined) return { requeueAfterMs: LOOK_AGAIN_MS };
    const deployment = await found(client.get<Deployment>(DEPLOYMENTS, CHECKER_NAME, { ...at, signal }));
    const budget = await found(client.get(BUDGETS, CHECKER_NAME, { ...at, signal }));
    const plan = planFor(replicas, { deployment, hasBudget: budget !== undefined });
    // A budget goes before the replicas it would keep, and comes after those it is for.
    if (plan.budget === 'remove') await found(client.delete(BUDGETS, CHECKER_NAME, { ...at, signal }));
    if (plan.scale !== undefined) {
      const value = { spec: { replicas: plan.scale } };
      await client.patch(DEPLOYMENTS, CHECKER_NAME, { type: 'merge', value }, { ...at, subresource: 'scale', signal });
    }
    if (plan.budget === 'make')
      await apply(client, BUDGETS, disruptionBudget(namespace), { fieldOwner: FIELD_OWNER, force: true, signal });
    return { requeueAfterMs: LOOK_AGAIN_MS };
  };
}
