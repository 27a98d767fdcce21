import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

const PLURALS: Record<string, string> = { Secret: 'secrets', HostedCluster: 'hostedclusters', NodePool: 'nodepools' };

export async function createAllObjects(client: Client, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
    await client.create(
      { group: group ?? '', version: version ?? '', plural: PLURALS[object.kind] ?? '', namespaced: true },
      object,
    );
  }
}
