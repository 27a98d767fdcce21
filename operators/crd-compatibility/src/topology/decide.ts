import type { KubeObject } from '@capstan/meta';

/** Of the Infrastructure, what its topology is read from. */
export interface Infrastructure extends KubeObject {
  readonly status?: { readonly controlPlaneTopology?: string; readonly infrastructureTopology?: string };
}

/** Of the Deployment, what is compared. */
export interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

/** The number of replicas; undefined where the cluster reports no topology. */
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
  readonly budget?: 'create' | 'remove';
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
    ...(wantsBudget !== hasBudget && { budget: wantsBudget ? 'create' : 'remove' }),
  };
}
