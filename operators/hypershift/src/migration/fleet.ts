import type { HostedCluster } from '@capstan/api/hypershift';
import { FLEET_CONFIG_MAP, HELD, HELD_AFTER_NEXT } from '@capstan/hosting';
import { ignoreNotFound, parseLabelSelector } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import { CONFIG_MAPS } from '../kinds.js';

/** How users want their fleet migrated. */
export interface FleetOrder {
  /** `true` starts no further migration; what has begun ends. */
  readonly isHeld: boolean;
  /** One more migration starts, and then none. */
  readonly isHeldAfterNext: boolean;
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
    isHeld: hold === HELD,
    isHeldAfterNext: hold === HELD_AFTER_NEXT,
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

/** Starts nothing after the migration that is under way, where the users asked for one more. */
export async function holdAfterNext(client: Client, namespace: string, signal?: AbortSignal): Promise<void> {
  const value = { data: { hold: HELD } };
  await client
    .patch(CONFIG_MAPS, FLEET_CONFIG_MAP, { type: 'merge', value }, { namespace, signal })
    .catch(ignoreNotFound);
}
