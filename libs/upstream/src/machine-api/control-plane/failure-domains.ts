import { canonicalJson, cloneJson, compareBytes, deepEqual, minOf } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ControlPlaneTemplate } from './resources.js';

export type FailureDomain = JsonObject;

/** Where the fields of a failure domain go in the provider spec, by platform. */
const PLACES: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  AWS: [
    ['placement.availabilityZone', 'placement.availabilityZone'],
    ['subnet', 'subnet'],
  ],
  Azure: [
    ['zone', 'zone'],
    ['subnet', 'subnet'],
  ],
  GCP: [['zone', 'zone']],
  OpenStack: [
    ['availabilityZone', 'availabilityZone'],
    ['rootVolume.availabilityZone', 'rootVolume.availabilityZone'],
    ['rootVolume.volumeType', 'rootVolume.volumeType'],
  ],
  Nutanix: [['name', 'failureDomain.name']],
};

const LISTS: Readonly<Record<string, string>> = {
  AWS: 'aws',
  Azure: 'azure',
  GCP: 'gcp',
  OpenStack: 'openstack',
  Nutanix: 'nutanix',
};

/** The failure domains of a template, without doubles, in an order that does not depend on how they are written down. */
export function failureDomainsOf({ failureDomains }: ControlPlaneTemplate): readonly FailureDomain[] {
  const list = LISTS[failureDomains?.platform ?? ''];
  const domains = (list === undefined ? [] : (failureDomains?.[list] ?? [])) as readonly FailureDomain[];
  const byText = new Map(domains.map((domain) => [canonicalJson(domain), domain]));
  return [...byText.keys()].sort(compareBytes).map((text) => byText.get(text) ?? {});
}

function read(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const key of path.split('.')) at = (at as JsonObject | null | undefined)?.[key];
  return at;
}

function write(to: JsonObject, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = to;
  for (const key of keys) at = (at[key] ??= {}) as JsonObject;
  at[last] = value;
}

/** The provider spec moved into a failure domain. */
export function inDomain(providerSpec: JsonObject, platform: string, domain: FailureDomain): JsonObject {
  const moved = cloneJson(providerSpec);
  for (const [from, to] of PLACES[platform] ?? []) {
    const value = read(domain, from);
    if (value !== undefined && value !== '') write(moved, to, placed(value));
  }
  if (platform === 'Nutanix') write(moved, 'failureDomain.type', 'name');
  return moved;
}

/** A union names its active member; the provider spec has the member alone. */
function placed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type: _, ...rest } = value as JsonObject;
  return rest;
}

/** Whether a provider spec already lies in a failure domain. */
export function liesIn(providerSpec: JsonObject, platform: string, domain: FailureDomain): boolean {
  return deepEqual(inDomain(providerSpec, platform, domain), providerSpec);
}

/** Who holds a place now: the domain it lies in, or none of those there are. */
export interface Placed {
  readonly index: number;
  readonly domain: FailureDomain | undefined;
}

/** Gives each place a failure domain: the one it has, unless that would crowd it, else the emptiest. */
export function mapDomains(
  indexes: readonly number[],
  domains: readonly FailureDomain[],
  placedNow: readonly Placed[],
): ReadonlyMap<number, FailureDomain> {
  const mapping = new Map<number, FailureDomain>();
  if (domains.length === 0) return mapping;
  const most = Math.ceil(indexes.length / domains.length);
  const counts = new Map(domains.map((domain) => [domain, 0]));
  const take = (index: number, domain: FailureDomain): void => {
    mapping.set(index, domain);
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  };
  const sorted = [...indexes].sort((a, b) => a - b);
  for (const index of sorted) {
    const { domain } = placedNow.find((each) => each.index === index) ?? {};
    if (domain !== undefined && (counts.get(domain) ?? most) < most) take(index, domain);
  }
  for (const index of sorted) {
    if (mapping.has(index)) continue;
    const fewest = minOf(counts.values());
    const domain = domains.find((each) => counts.get(each) === fewest);
    if (domain !== undefined) take(index, domain);
  }
  return mapping;
}
