import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace } from '@capstan/hosting';
import { Discovery } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { takeInventory } from '@capstan/migration';
import type { MovedObject } from '@capstan/migration';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import type { Side } from '@capstan/translate';

/** What reads the objects that a migration moves. */
export class ObjectReader {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly mapping: GroupMapping = new GroupMapping(CLUSTER_API_RULES);

  constructor(client: Client) {
    this.client = client;
    this.discovery = new Discovery(client);
  }

  /** Every object of a control plane in the groups of one side. */
  inventory(cluster: HostedCluster, side: Side, signal?: AbortSignal): Promise<readonly MovedObject[]> {
    const { client, discovery, mapping } = this;
    return takeInventory({ client, discovery, mapping, side, namespace: controlPlaneOf(cluster), signal });
  }
}

/** The namespace of the control plane of a HostedCluster. */
export function controlPlaneOf({ metadata: { name = '', namespace = '' } }: HostedCluster): string {
  return controlPlaneNamespace(namespace, name);
}

/** How many objects there are of each kind, by its name. */
export function countByKind(objects: readonly MovedObject[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of objects) counts[kind.source.kind] = (counts[kind.source.kind] ?? 0) + 1;
  return counts;
}
