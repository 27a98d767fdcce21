import { CLEANUP_ANNOTATION, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import type { Client, ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { textAt } from '@capstan/provider';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { follow, hostedCluster, withCluster } from './cluster-access.js';
import { INFRA_LABEL, SAFE_TO_DELETE_LABEL } from './plan.js';
import { endOf } from './progress.js';

/** `capstan destroy …`, as it was typed. */
export interface DestroyOptions extends ClusterOptions {
  readonly namespace: string;
  /** How long its end may take, in milliseconds; 0 for ever. */
  readonly clusterGracePeriod: number;
  readonly destroyCloudResources?: boolean | undefined;
  readonly wait: boolean;
  readonly output?: 'name' | undefined;
}

/** The option that limits the wait. */
const GRACE_OPTION = '--cluster-grace-period';
const SECRETS: ResourceKind = { group: '', version: 'v1', plural: 'secrets', namespaced: true, kind: 'Secret' };

/** Deletes a cluster, waits for its end, and deletes what was made along with it. */
export async function runDestroyCluster(name: string, options: DestroyOptions, io: Io): Promise<void> {
  const { namespace } = options;
  await withCluster(options, io, async (client, signal) => {
    const cluster = await hostedCluster(client, namespace, name);
    if (options.destroyCloudResources === true) await askForCleanup(client, cluster);
    // By its uid: another of that name, made in between, is not meant.
    const { uid } = cluster.metadata;
    await client.delete(HOSTED_CLUSTERS, name, { namespace, preconditions: { uid } });
    const label = `hostedcluster.hypershift.openshift.io/${name}`;
    if (!options.wait) return say(io, options, label, 'is being deleted');
    const timeoutMs = options.clusterGracePeriod;
    await follow(
      io,
      { signal, timeoutMs, what: `the deletion of HostedCluster ${name}`, option: GRACE_OPTION },
      async () => {
        const left = await stillThere(client, HOSTED_CLUSTERS, cluster);
        if (left === undefined) return { done: true };
        return { progress: endOf(left, await poolsOf(client, namespace, name)) };
      },
    );
    const infraID = textAt(cluster, 'spec', 'infraID');
    const gone = infraID === undefined ? [] : await deleteAlong(client, namespace, infraID);
    say(io, options, label, 'deleted');
    for (const secret of gone) say(io, options, `secret/${secret}`, 'deleted');
  });
}

function say(io: Io, { output }: DestroyOptions, name: string, what: string): void {
  io.out(output === 'name' ? `${name}\n` : `${name} ${what}\n`);
}

/** Asks the operator to delete what the cluster itself created in the cloud: volumes, load balancers. */
async function askForCleanup(client: Client, { metadata: { name = '', namespace } }: KubeObject): Promise<void> {
  const value = { metadata: { annotations: { [CLEANUP_ANNOTATION]: 'true' } } };
  await client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value }, { namespace });
}

async function stillThere(client: Client, kind: ResourceKind, before: KubeObject): Promise<KubeObject | undefined> {
  const { name = '', namespace, uid } = before.metadata;
  try {
    const found = await client.get(kind, name, { namespace });
    return found.metadata.uid === uid ? found : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function poolsOf(client: Client, namespace: string, cluster: string): Promise<number> {
  const { items } = await client.list(NODE_POOLS, { namespace });
  return items.filter((pool) => textAt(pool, 'spec', 'clusterName') === cluster).length;
}

async function deleteAlong(client: Client, namespace: string, infraID: string): Promise<string[]> {
  const labelSelector = `${SAFE_TO_DELETE_LABEL}=true,${INFRA_LABEL}=${infraID}`;
  const { items } = await client.list(SECRETS, { namespace, labelSelector });
  const names = items.map(({ metadata: { name = '' } }) => name);
  for (const name of names) await client.delete(SECRETS, name, { namespace });
  return names;
}

/** Deletes a pool of nodes and waits for the end of its machines. */
export async function runDestroyNodePool(name: string, options: DestroyOptions, io: Io): Promise<void> {
  const { namespace } = options;
  await withCluster(options, io, async (client, signal) => {
    const pool = await client.get(NODE_POOLS, name, { namespace }).catch((error: unknown) => {
      throw isNotFound(error)
        ? new CliError(
            `there is no NodePool ${name} in namespace ${namespace}`,
            'list them with kubectl get nodepools -A',
          )
        : error;
    });
    const { uid } = pool.metadata;
    await client.delete(NODE_POOLS, name, { namespace, preconditions: { uid } });
    const label = `nodepool.hypershift.openshift.io/${name}`;
    if (!options.wait) return say(io, options, label, 'is being deleted');
    await follow(
      io,
      { signal, timeoutMs: options.clusterGracePeriod, what: `the deletion of NodePool ${name}`, option: GRACE_OPTION },
      async () => {
        const left = await stillThere(client, NODE_POOLS, pool);
        if (left === undefined) return { done: true };
        const replicas = (left['status'] as { replicas?: number } | undefined)?.replicas ?? 0;
        return { progress: `${replicas} node${replicas === 1 ? '' : 's'} left` };
      },
    );
    say(io, options, label, 'deleted');
  });
}
