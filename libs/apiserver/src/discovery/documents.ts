import { createHash } from 'node:crypto';
import type { ResourceDefinition, SubresourceDefinition } from '@capstan/api/kubernetes';
import { isBuiltinGroup } from './priorities.js';
import type { RegisteredGroup } from './registrations.js';

/** Whether a group-version's list is up to date; `Stale` is for aggregated servers that do not answer. */
export type Freshness = 'Current' | 'Stale';

/** One version of a group with what it serves. */
export interface ServedVersion {
  readonly version: string;
  readonly freshness: Freshness;
  readonly resources: readonly ResourceDefinition[];
}

/** One group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly group: string;
  readonly versions: readonly ServedVersion[];
}

/** The version of aggregated discovery. */
export type AggregatedVersion = 'v2' | 'v2beta1';

/** `v1` or `group/version`. */
export function groupVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The body of `/api`. */
export function apiVersionsDocument(core: ServedGroup | undefined, serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function groupFields(served: RegisteredGroup): object {
  const versions = served.versions.map(({ version }) => ({
    groupVersion: groupVersionOf(served.group, version),
    version,
  }));
  return { name: served.group, versions, preferredVersion: versions[0] };
}

/** The body of `/apis/<group>`. */
export function apiGroupDocument(served: RegisteredGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(served) };
}

/** The body of `/apis`. */
export function apiGroupListDocument(served: readonly RegisteredGroup[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: served.map(groupFields) };
}

function namesOf(resource: ResourceDefinition): object {
  return {
    ...(resource.shortNames.length > 0 ? { shortNames: resource.shortNames } : {}),
    ...(resource.categories.length > 0 ? { categories: resource.categories } : {}),
  };
}

/** The short hash by which clients notice that a resource is stored in another version. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

function resourceEntries(resource: ResourceDefinition, storageHash: string | undefined): object[] {
  const { plural, namespaced } = resource;
  const parent = {
    name: plural,
    singularName: resource.singular,
    namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...namesOf(resource),
    ...(storageHash === undefined ? {} : { storageVersionHash: storageHash }),
  };
  const children = resource.subresources.map(({ name, group, version, kind, verbs }) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    kind,
    verbs,
  }));
  return [parent, ...children];
}

/** The body of `/api/v1` or `/apis/<group>/<version>`. */
export function apiResourceListDocument(
  group: string,
  served: ServedVersion,
  storageHash: (resource: ResourceDefinition) => string | undefined,
): object {
  return {
    kind: 'APIResourceList',
    // The legacy group's list goes without its apiVersion, and clients have come to live with that.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersionOf(group, served.version),
    resources: served.resources.flatMap((resource) => resourceEntries(resource, storageHash(resource))),
  };
}

function subresourceDiscovery(
  parent: ResourceDefinition,
  subresource: SubresourceDefinition,
  spelledOut: boolean,
): object {
  const { group, version, kind } = subresource;
  return {
    subresource: subresource.name,
    responseKind: {
      group: group ?? (spelledOut ? parent.group : ''),
      version: version ?? (spelledOut ? parent.version : ''),
      kind,
    },
    verbs: subresource.verbs,
  };
}

function resourceDiscovery(resource: ResourceDefinition): object {
  // Built-in resources leave group and version empty where they equal the surrounding ones; custom ones repeat them.
  const spelledOut = !isBuiltinGroup(resource.group);
  return {
    resource: resource.plural,
    responseKind: {
      group: spelledOut ? resource.group : '',
      version: spelledOut ? resource.version : '',
      kind: resource.kind,
    },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...namesOf(resource),
    ...(resource.subresources.length > 0
      ? {
          subresources: resource.subresources.map((subresource) =>
            subresourceDiscovery(resource, subresource, spelledOut),
          ),
        }
      : {}),
  };
}

/** The aggregated body of `/api` or `/apis`. */
export function aggregatedDocument(served: readonly ServedGroup[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: served.map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map((entry) => ({
        version: entry.version,
        resources: entry.resources.map(resourceDiscovery),
        freshness: entry.freshness,
      })),
    })),
  };
}
