import { formatApiVersion, parseApiVersion } from '@capstan/meta';
import type { ResourceRef } from './resource.js';

/** A resource as the server describes it. */
export interface ApiResource extends ResourceRef {
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly ApiSubresource[];
}

export interface ApiSubresource {
  /** Without the resource: `status`, `scale`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A group-version that could not be read. */
export interface DiscoveryFailure {
  readonly group: string;
  readonly version: string;
  readonly message: string;
}

/* Discovery documents as they come: everything may be missing. */

interface AggregatedList {
  readonly kind?: string;
  readonly items?: readonly AggregatedGroup[] | null;
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly AggregatedVersion[] | null;
}

interface AggregatedVersion {
  readonly version?: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[] | null;
}

interface GroupVersionKindFields {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

interface AggregatedResource {
  readonly resource?: string;
  readonly responseKind?: GroupVersionKindFields | null;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly subresources?:
    | readonly {
        readonly subresource?: string;
        readonly responseKind?: GroupVersionKindFields | null;
        readonly verbs?: readonly string[] | null;
      }[]
    | null;
}

interface LegacyResource extends GroupVersionKindFields {
  readonly name?: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
}

/** Whether a document is the aggregated form. */
export function isAggregated(value: unknown): value is AggregatedList {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'APIGroupDiscoveryList';
}

/** The resources of an aggregated document, in its order. */
export function aggregatedGroups(list: AggregatedList): { resources: ApiResource[]; failures: DiscoveryFailure[] } {
  const resources: ApiResource[] = [];
  const failures: DiscoveryFailure[] = [];
  for (const item of list.items ?? []) {
    const group = item.metadata?.name ?? '';
    for (const { version = '', freshness, resources: served } of item.versions ?? []) {
      // The last good answer of a server that does not answer now: to be shown, not to be relied on.
      if (freshness === 'Stale') {
        failures.push({
          group,
          version,
          message: `stale GroupVersion discovery: ${formatApiVersion({ group, version })}`,
        });
        continue;
      }
      for (const resource of served ?? [])
        if (resource.resource !== undefined) resources.push(aggregatedResource(resource, group, version));
    }
  }
  return { resources, failures };
}

function aggregatedResource(resource: AggregatedResource, group: string, version: string): ApiResource {
  return {
    group,
    version,
    plural: resource.resource ?? '',
    namespaced: resource.scope === 'Namespaced',
    kind: resource.responseKind?.kind ?? '',
    singular: resource.singularResource ?? '',
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    verbs: resource.verbs ?? [],
    subresources: (resource.subresources ?? []).map((sub) => ({
      name: sub.subresource ?? '',
      group: sub.responseKind?.group ?? group,
      version: sub.responseKind?.version ?? version,
      kind: sub.responseKind?.kind ?? '',
      verbs: sub.verbs ?? [],
    })),
  };
}

interface LegacyGroups {
  readonly versions?: readonly string[] | null;
  readonly groups?:
    | readonly {
        readonly preferredVersion?: { readonly groupVersion?: string };
        readonly versions?: readonly { readonly groupVersion?: string }[] | null;
      }[]
    | null;
}

/** The group-versions an `APIVersions` or `APIGroupList` names, the preferred one of each group first. */
export function legacyGroupVersions(value: unknown): { group: string; version: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { versions, groups } = value as LegacyGroups;
  const names = [
    ...(versions ?? []),
    ...(groups ?? []).flatMap((group) => [
      group.preferredVersion?.groupVersion,
      ...(group.versions ?? []).map((entry) => entry.groupVersion),
    ]),
  ];
  return [...new Set(names)]
    .filter((name) => name !== undefined && name !== '')
    .map((name) => parseApiVersion(name ?? ''));
}

/** The resources of an `APIResourceList`. */
export function legacyResources(value: unknown, group: string, version: string): ApiResource[] {
  const listed = (value as { readonly resources?: readonly LegacyResource[] | null } | undefined)?.resources ?? [];
  const subresources = new Map<string, ApiSubresource[]>();
  for (const entry of listed) {
    const [parent = '', name] = (entry.name ?? '').split('/', 2);
    if (name === undefined) continue;
    const list = subresources.get(parent) ?? [];
    list.push({
      name,
      group: entry.group ?? group,
      version: entry.version ?? version,
      kind: entry.kind ?? '',
      verbs: entry.verbs ?? [],
    });
    subresources.set(parent, list);
  }
  return listed
    .filter((entry) => entry.name !== undefined && !entry.name.includes('/'))
    .map((entry) => ({
      group,
      version,
      plural: entry.name ?? '',
      namespaced: entry.namespaced === true,
      kind: entry.kind ?? '',
      singular: entry.singularName ?? '',
      shortNames: entry.shortNames ?? [],
      categories: entry.categories ?? [],
      verbs: entry.verbs ?? [],
      subresources: subresources.get(entry.name ?? '') ?? [],
    }));
}
