import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

/** Creates objects with their names and kinds as they are, and writes the status of those that have one. */
export async function createAll(client: Client, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const [version = '', group = ''] = object.apiVersion.split('/').toReversed();
    const ref = { group, version, plural: `${object.kind.toLowerCase()}s`, namespaced: true };
    await client.create(ref, object);
    const { metadata, status } = object;
    if (status === undefined) continue;
    const options = { namespace: metadata.namespace, subresource: 'status' } as const;
    await client.patch(ref, metadata.name ?? '', { type: 'merge', value: { status } }, options);
  }
}
