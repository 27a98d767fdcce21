import { controlPlaneNamespace } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { hostedClusterOwner } from '../../hosted-cluster/ownership.js';
import { NETWORK_POLICIES, POD_MONITORS } from '../../kinds.js';
import { ensureSurroundings, PROXY_SELECTOR } from '../../sidecar/surroundings.js';
import type { Migration } from '../model.js';
import { clusterApiDeployments } from './deployments.js';

/** Opens the proxies to those who ask for their health, this migration among them, and has them scraped. */
export async function openProxies(migration: Migration, controlPlane: KubeObject | undefined): Promise<void> {
  const { namespace } = migration;
  await ensureSurroundings({
    converger: convergerOf(migration),
    namespace,
    deployments: await clusterApiDeployments(migration),
    controlPlane,
    isMonitored: (await createdFor(migration, POD_MONITORS)) !== undefined,
  });
}

/** Without proxies there is nothing to open, and nothing to scrape. */
export async function closeProxies(migration: Migration): Promise<void> {
  const converger = convergerOf(migration);
  for (const kind of [NETWORK_POLICIES, POD_MONITORS])
    await converger.prune(kind, (await createdFor(migration, kind)) ?? [], () => false);
}

function convergerOf({ hostedCluster, parts: { client }, signal }: Migration): Converger {
  const { name = '', namespace: home = '' } = hostedCluster.metadata;
  return new Converger({
    client,
    owner: hostedClusterOwner(`${home}/${name}`, controlPlaneNamespace(home, name)),
    signal,
  });
}

/** What was created for proxies; undefined where the server does not serve the kind. */
async function createdFor(
  { namespace, parts: { client }, signal }: Migration,
  kind: ResourceKind,
): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await client.list(kind, { namespace, labelSelector: PROXY_SELECTOR, signal })).items;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
