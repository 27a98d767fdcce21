import type { StoreSnapshot } from '@capstan/apiserver';
import { compareBytes, setCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';

/** Which resource of a server holds an object. */
export interface CopiedResource {
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** An object of another server, and where the copy of that server stores it. */
export interface CopiedObject {
  readonly resource: CopiedResource;
  readonly object: KubeObject;
}

export const CRDS: CopiedResource = {
  group: 'apiextensions.k8s.io',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
export const NAMESPACES: CopiedResource = { group: '', plural: 'namespaces', namespaced: false };

/** How the store of a server names a resource. */
export function storedResource({ group, plural }: Pick<CopiedResource, 'group' | 'plural'>): string {
  return `${group}/${plural}`;
}

/**
 * A server that holds the objects as they are: with their UIDs, generations and times, and without admission, since a server
 * may hold what it would refuse today.
 */
export function snapshotOf(objects: readonly CopiedObject[]): StoreSnapshot {
  const byResource = new Map<string, CopiedObject[]>();
  for (const each of objects) {
    const name = storedResource(each.resource);
    byResource.set(name, [...(byResource.get(name) ?? []), each]);
  }
  let revision = 0;
  const resources = [...byResource].map(([resource, all]) => ({
    resource,
    events: [],
    objects: all.toSorted(byKey).map(({ object, resource: { namespaced } }) => {
      revision += 1;
      const { name = '', namespace = '' } = object.metadata;
      return { namespace: namespaced ? namespace : '', name, revision, object };
    }),
  }));
  return {
    format: 1,
    revision,
    compacted: revision,
    resources: resources.map((each) => ({ ...each, oldest: revision })),
  };
}

const keyOf = ({ object: { metadata } }: CopiedObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

function byKey(one: CopiedObject, other: CopiedObject): number {
  return compareBytes(keyOf(one), keyOf(other));
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly scope: string;
  readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
}

/** What of a CRD decides where its objects are stored. */
export function crdSpec(crd: KubeObject): CrdSpec {
  return crd['spec'] as unknown as CrdSpec;
}

/** A condition of another time, as a copy of the object has it. */
function conditionOn(conditions: readonly Condition[], type: string, reason: string): readonly Condition[] {
  const now = '2026-01-01T00:00:00Z';
  const condition = { type, status: 'True', reason, message: reason, lastTransitionTime: now } as const;
  return setCondition(conditions, condition, now);
}

/**
 * A CRD that stores the version its objects were read in, so that none is converted: the webhooks of its cluster are out of
 * reach. It is established, as every CRD is that has objects. Where objects of other versions have another shape, the others
 * are not served: without the webhook they would only have another name.
 */
export function storedAs(crd: KubeObject, version: string, { servesOthers = true } = {}): KubeObject {
  const spec = crdSpec(crd);
  const kept = spec.versions.some(({ name }) => name === version)
    ? version
    : (spec.versions.find(({ storage }) => storage)?.name ?? '');
  const versions = spec.versions.map((each) => ({
    ...each,
    served: (each.served && servesOthers) || each.name === kept,
    storage: each.name === kept,
  }));
  const established = conditionOn(
    conditionOn([], 'NamesAccepted', 'NoConflicts'),
    'Established',
    'InitialNamesAccepted',
  );
  return {
    ...crd,
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: { ...spec, versions, conversion: { strategy: 'None' } },
    status: { acceptedNames: spec.names, conditions: established, storedVersions: [kept] },
  } as unknown as KubeObject;
}

/** Fields of an object that say when something of it was written. */
const WRITTEN: ReadonlySet<string> = new Set(['creationTimestamp', 'lastTransitionTime', 'time']);

/** When the last of these objects was written, as far as they record it, in milliseconds since the epoch. */
export function lastWrittenMs(objects: Iterable<KubeObject>): number | undefined {
  let newest = '';
  for (const { metadata, status } of objects)
    for (const value of [metadata.creationTimestamp, metadata.managedFields, status])
      for (const time of timesIn(value, 'creationTimestamp')) if (time > newest) newest = time;
  const ms = Date.parse(newest);
  return Number.isNaN(ms) ? undefined : ms;
}

function* timesIn(value: unknown, field: string): Generator<string> {
  if (typeof value === 'string' && WRITTEN.has(field)) yield value;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const each of value) yield* timesIn(each, '');
  else for (const [key, each] of Object.entries(value)) yield* timesIn(each, key);
}
