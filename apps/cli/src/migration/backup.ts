import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { formatApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { MovedObject } from '@capstan/migration';
import { printYaml } from '@capstan/translate/mirror';
import { OutputFolder } from '../output-folder.js';
import { withKind } from './compare.js';
import type { ObjectReader } from './objects.js';

/** How many files a backup has, and of how many objects. */
export interface WrittenBackup {
  readonly files: number;
  readonly objects: number;
}

/** Writes a HostedCluster, its NodePools and its Cluster API objects of both groups into a folder. Reads no Secret. */
export async function writeBackup(
  reader: ObjectReader,
  cluster: HostedCluster,
  directory: string,
  signal: AbortSignal,
): Promise<WrittenBackup> {
  const { name, namespace } = cluster.metadata;
  const folder = new OutputFolder(directory, { what: 'the backup', hint: 'name another folder with --backup' });
  let objects = 0;
  const write = async (names: readonly string[], content: readonly KubeObject[]): Promise<void> => {
    objects += content.length;
    if (content.length > 0) await folder.write(names, '.yaml', printYaml(content));
  };
  await write(['hosted-cluster'], [typed(cluster, HOSTED_CLUSTERS)]);
  const { items } = await reader.client.list(NODE_POOLS, { namespace, signal });
  const own = items.filter(({ spec }) => (spec as { clusterName?: string } | undefined)?.clusterName === name);
  await write(
    ['node-pools'],
    own.map((pool) => typed(pool, NODE_POOLS)),
  );
  for (const side of ['private', 'standard'] as const)
    for (const [resource, content] of byResource(await reader.inventory(cluster, side, signal)))
      await write([side, resource], content);
  return { files: folder.files.length, objects };
}

function typed(object: KubeObject, kind: typeof HOSTED_CLUSTERS): KubeObject {
  return { ...object, apiVersion: formatApiVersion(kind), kind: kind.kind };
}

function byResource(moved: readonly MovedObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const found = new Map<string, KubeObject[]>();
  for (const each of moved) {
    const { group, plural } = each.kind.source;
    const key = `${plural}.${group}`;
    found.set(key, [...(found.get(key) ?? []), withKind(each)]);
  }
  return found;
}
