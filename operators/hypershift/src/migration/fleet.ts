import type { HostedCluster } from '@capstan/api/hypershift';
import { ignoreNotFound, parseLabelSelector } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import { CONFIG_MAPS } from '../kinds.js';

/** The ConfigMap in the namespace of the operator by which users hold the migration of a fleet, and order it. */
export const FLEET_CONFIG_MAP = 'private-capi-migration-fleet';

/** How users want their fleet migrated. */
export interface FleetOrder {
  /** `true` starts no further migration; what has begun ends. */
  readonly isHeld: boolean;
  /** HostedClusters that go first: `namespace/name`. */
  readonly first: ReadonlySet<string>;
  /** Labels of HostedClusters that go first. */
  readonly selector: ((cluster: HostedCluster) => boolean) | undefined;
}

interface Stored extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Reads the order; without a ConfigMap, every cluster is migrated by age. */
export async function readFleetOrder(client: Client, namespace: string, signal?: AbortSignal): Promise<FleetOrder> {
  const stored = await client.get<Stored>(CONFIG_MAPS, FLEET_CONFIG_MAP, { namespace, signal }).catch(ignoreNotFound);
  const { first = '', hold, selector = '' } = stored?.data ?? {};
  const matches = selector === '' ? undefined : parseLabelSelector(selector);
  return {
    isHeld: hold === 'true',
    first: new Set(
      first
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    ),
    selector: matches === undefined ? undefined : ({ metadata }) => matches.matches(metadata.labels ?? {}),
  };
}

/** Whether a HostedCluster goes before others. */
export function isPreferred({ first, selector }: FleetOrder, cluster: HostedCluster): boolean {
  const { name = '', namespace = '' } = cluster.metadata;
  return first.has(`${namespace}/${name}`) || selector?.(cluster) === true;
}
