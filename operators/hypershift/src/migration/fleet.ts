import type { HostedCluster } from '@capstan/api/hypershift';
import { FLEET_CONFIG_MAP, HELD, HELD_AFTER_NEXT } from '@capstan/hosting';
import { errorText } from '@capstan/kube';
import { ignoreNotFound, parseLabelSelector } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import { CONFIG_MAPS } from '../kinds.js';

/** How users want their fleet migrated. */
export interface FleetOrder {
  /** Starts no further migration; what has begun ends. */
  readonly isHeld: boolean;
  /** One more migration starts, and then none. */
  readonly isHeldAfterNext: boolean;
  /** HostedClusters that go first: `namespace/name`. */
  readonly first: ReadonlySet<string>;
  /** Labels of HostedClusters that go first. */
  readonly selector: ((cluster: HostedCluster) => boolean) | undefined;
  /** What cannot be read of it, and what to do. Then it is held: which cluster goes first is not known. */
  readonly problem?: string | undefined;
}

export interface StoredFleetOrder extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Reads the order; without a ConfigMap, every cluster is migrated by age. */
export async function readFleetOrder(client: Client, namespace: string, signal?: AbortSignal): Promise<FleetOrder> {
  const options = { namespace, signal };
  const stored = await client.get<StoredFleetOrder>(CONFIG_MAPS, FLEET_CONFIG_MAP, options).catch(ignoreNotFound);
  return fleetOrderOf(stored?.data ?? {}, namespace);
}

const HOLDS: ReadonlySet<string> = new Set(['', 'false', HELD, HELD_AFTER_NEXT]);

/** The order as it is stored. */
export function fleetOrderOf(
  { first = '', hold = '', selector = '' }: Readonly<Record<string, string>>,
  namespace: string,
): FleetOrder {
  const names = first
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const where = `ConfigMap ${namespace}/${FLEET_CONFIG_MAP}`;
  const matches = selectorOf(selector);
  const unreadable = names.find((each) => !/^[^/]+\/[^/]+$/u.test(each));
  const problem = HOLDS.has(hold)
    ? (matches.problem ?? (unreadable === undefined ? undefined : `first: "${unreadable}" is no namespace/name`))
    : `hold: "${hold}" is none of ${HELD}, ${HELD_AFTER_NEXT} and false`;
  return {
    isHeld: hold === HELD || problem !== undefined,
    isHeldAfterNext: hold === HELD_AFTER_NEXT,
    first: new Set(names),
    selector: matches.selector,
    problem: problem === undefined ? undefined : `${where}, ${problem}: no cluster is migrated until it is corrected`,
  };
}

function selectorOf(text: string): { readonly selector: FleetOrder['selector']; readonly problem?: string } {
  if (text === '') return { selector: undefined };
  try {
    const matches = parseLabelSelector(text);
    return { selector: ({ metadata }) => matches.matches(metadata.labels ?? {}) };
  } catch (error) {
    return { selector: undefined, problem: `selector: ${errorText(error)}` };
  }
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
