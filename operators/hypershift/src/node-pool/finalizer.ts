import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { FINALIZER, NODE_POOLS } from '@capstan/hosting';
import { Converger, withFinalizer } from '@capstan/kube';
import type { OwnerReference } from '@capstan/meta';
import type { NodePoolDependencies } from './dependencies.js';
import { isDeleting } from './resources.js';
import type { Pool } from './snapshot.js';

/** The NodePool with its finalizer and its HostedCluster for an owner, before anything is created for it. */
export function withOwner(nodePool: Pool, { apiVersion, kind, metadata }: HostedCluster): Pool {
  const { name = '', uid = '' } = metadata;
  const owner: OwnerReference = { apiVersion, kind, name, uid };
  const owners = nodePool.metadata.ownerReferences ?? [];
  const others = owners.filter((each) => each.kind !== kind || each.name !== name || each.uid === uid);
  const isOwned = others.some((each) => each.uid === uid);
  const ownerReferences = isOwned ? others : [...others, owner];
  return withFinalizer({ ...nodePool, metadata: { ...nodePool.metadata, ownerReferences } }, FINALIZER);
}

/** Adds finalizer and owner reference; returns the NodePool as it is then. */
export async function claim({ client }: NodePoolDependencies, nodePool: Pool, cluster: HostedCluster): Promise<Pool> {
  if (isDeleting(cluster)) return nodePool;
  const after = withOwner(nodePool, cluster);
  return (await new Converger({ client }).patch<NodePool>(NODE_POOLS, nodePool, after)) as Pool;
}
