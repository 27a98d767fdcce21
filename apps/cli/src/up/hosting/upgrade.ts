import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, isPrivate, MACHINES, NODE_POOLS } from '@capstan/hosting';
import { sleep } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { RunningEnvironment } from '../environment.js';
import { HOSTED_CORE } from '../groups.js';
import type { HostedFleetCluster } from './clusters.js';

const LOOK_MS = 500;

/**
 * Upgrades the control plane of one hosted cluster without nodes, to show what its own version reports:
 * that side completes, the cluster as a whole cannot. The last of several is taken, once, and only while nobody has
 * touched its release. Its name; undefined when nothing was done.
 */
export async function upgradeWithoutNodes(
  { client, hosting, started: { clock } }: RunningEnvironment,
  hosted: readonly HostedFleetCluster[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const [first, next] = hosting.images;
  const chosen = hosted.length > 1 ? hosted.at(-1) : undefined;
  if (chosen === undefined || next === undefined) return undefined;
  const { name, namespace } = chosen;
  const cluster = await client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace, signal });
  const { spec } = cluster;
  if (spec?.release.image !== first) return undefined;
  for (const { metadata } of await poolsOf(client, chosen, signal)) {
    const value = { spec: { replicas: 0 } };
    await client.patch(NODE_POOLS, metadata.name ?? '', { type: 'merge', value }, { namespace, signal });
  }
  // With a node left the whole of it would complete too.
  const machines = isPrivate(cluster) ? { ...MACHINES, group: HOSTED_CORE } : MACHINES;
  while (await hasMachine(client, { ...chosen, machines }, signal)) {
    if ((await sleep(clock, LOOK_MS, signal)) === 'aborted') return undefined;
  }
  const value = { spec: { release: { image: next } } };
  await client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value }, { namespace, signal });
  return name;
}

async function poolsOf(
  client: Client,
  { name, namespace }: HostedFleetCluster,
  signal: AbortSignal,
): Promise<readonly NodePool[]> {
  const { items } = await client.list<NodePool>(NODE_POOLS, { namespace, signal });
  return items.filter(({ spec }) => spec?.clusterName === name);
}

/** Whether a machine of the cluster is left: one that is being drained counts no more among those of its pool. */
async function hasMachine(
  client: Client,
  { machines, name, namespace }: HostedFleetCluster & { readonly machines: typeof MACHINES },
  signal: AbortSignal,
): Promise<boolean> {
  const { items } = await client.list(machines, { namespace: controlPlaneNamespace(namespace, name), signal });
  return items.length > 0;
}
