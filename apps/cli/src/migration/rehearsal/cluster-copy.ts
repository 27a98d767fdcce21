import type { HostedCluster } from '@capstan/api/hypershift';
import type { StoreSnapshot } from '@capstan/apiserver';
import { controlPlaneNamespace, HOSTED_CLUSTERS, ineligibility } from '@capstan/hosting';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import {
  CRDS,
  crdSpec,
  isWatchedByStandIns,
  lastWrittenMs,
  machineControllersOf,
  NAMESPACES,
  snapshotOf,
  storedAs,
} from '@capstan/simulation';
import type { CopiedObject, MachineControllers } from '@capstan/simulation';
import type { GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { asMarked } from '../unmarked.js';
import type { SourceCluster, SourceFleet } from './model.js';
import { clusterId } from './model.js';

/** A hosted cluster that can be rehearsed. */
export interface ClusterCopy {
  readonly id: string;
  readonly hostedCluster: HostedCluster;
  readonly snapshot: StoreSnapshot;
  /** When the cluster was as it was read: of a dump that is not now. */
  readonly atMs: number;
  /** Cluster API objects that would be copied. */
  readonly moved: number;
  /** Which controllers of its machines act in the copy. */
  readonly controllers: MachineControllers;
  readonly leftOut: readonly string[];
  /** Why it is not migrated at all; undefined where it is. */
  readonly ineligible: string | undefined;
}

export interface CopyOptions {
  readonly mapping: GroupMapping;
  /** Whether missing private CRDs are created in the copy. */
  readonly mirrors: boolean;
  readonly nowMs: number;
}

/** The server of the rehearsal: one hosted cluster, and of the rest what it needs. */
export function copyOfCluster(fleet: SourceFleet, source: SourceCluster, options: CopyOptions): ClusterCopy {
  const leftOut = [...source.leftOut];
  const served = servedObjects(fleet, source.objects, leftOut);
  const moved = served.filter(({ object }) => options.mapping.side(groupOf(object)) === 'standard');
  const hostedCluster = asMarked(source.hostedCluster, moved.length > 0);
  const { name = '', namespace = '' } = hostedCluster.metadata;
  const control = controlPlaneNamespace(namespace, name);
  const crds = crdsOf(fleet, [...served, { resource: HOSTED_CLUSTERS, object: hostedCluster }], options);
  const controllers = machineControllersOf(
    moved.map(({ object }) => object),
    crds.map(({ object }) => object),
    options.mapping,
  );
  if (controllers.carried.length > 0) leftOut.push(`no controller acts on ${controllers.carried.join(', ')}`);
  const objects = [
    ...[...new Set([namespace, control])].map(namespaceObject),
    ...crds,
    { resource: HOSTED_CLUSTERS, object: hostedCluster },
    ...withLivingOwners(served, hostedCluster, options, leftOut),
  ];
  return {
    id: clusterId(hostedCluster),
    hostedCluster,
    snapshot: snapshotOf(objects),
    atMs: lastWrittenMs([hostedCluster, ...served.map(({ object }) => object)]) ?? options.nowMs,
    moved: moved.filter(({ resource }) => resource.namespaced).length,
    controllers,
    leftOut,
    ineligible: ineligibility(hostedCluster, options.nowMs),
  };
}

export function groupOf({ apiVersion }: KubeObject): string {
  return parseApiVersion(apiVersion).group;
}

function namespaceObject(name: string): CopiedObject {
  const metadata = { name, uid: `namespace-${name}`, labels: { 'kubernetes.io/metadata.name': name } };
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata, spec: {}, status: { phase: 'Active' } };
  return { resource: NAMESPACES, object };
}

/** Objects of kinds that the copy can serve: built in, or with a CRD. Others come from API servers of their own. */
function servedObjects(
  { crds }: SourceFleet,
  objects: readonly CopiedObject[],
  leftOut: string[],
): readonly CopiedObject[] {
  const custom = new Set(crds.map((crd) => crd.metadata.name));
  const unserved = new Set<string>();
  const served = objects.filter(({ resource: { group, plural } }) => {
    if (!group.includes('.') || (group.endsWith('.k8s.io') && !group.includes('x-k8s.io'))) return true;
    const isServed = custom.has(`${plural}.${group}`);
    if (!isServed) unserved.add(`${plural}.${group}`);
    return isServed;
  });
  for (const each of [...unserved].toSorted()) leftOut.push(`${each} has no CRD`);
  return served;
}

/** The CRDs of what is there and of what is watched, and their private counterparts. */
function crdsOf(
  { crds }: SourceFleet,
  objects: readonly CopiedObject[],
  { mapping, mirrors }: CopyOptions,
): readonly CopiedObject[] {
  const versions = new Map<string, string>();
  const note = (plural: string, group: string, version: string): void => {
    versions.set(`${plural}.${group}`, version);
    if (mapping.side(group) === undefined) return;
    const other = `${plural}.${mapping.swap(group)}`;
    if (!versions.has(other)) versions.set(other, version);
  };
  for (const { object, resource } of objects)
    note(resource.plural, resource.group, parseApiVersion(object.apiVersion).version);
  for (const crd of crds.filter(isWatchedByStandIns)) {
    const { group, names } = crdSpec(crd);
    if (!versions.has(`${names.plural}.${group}`)) note(names.plural, group, watchedVersion(crd, versions));
  }
  const byName = new Map(crds.map((crd) => [crd.metadata.name ?? '', crd]));
  return [...versions].flatMap(([name, version]) => {
    const crd = byName.get(name) ?? (mirrors ? mirrored(byName, name, mapping) : undefined);
    if (crd === undefined) return [];
    const servesOthers = mapping.side(crdSpec(crd).group) === undefined;
    return [{ resource: CRDS, object: storedAs(crd, version, { servesOthers }) }];
  });
}

/** The version of a kind without objects: that of its group's other kinds, since one controller reads them all. */
function watchedVersion(crd: KubeObject, versions: ReadonlyMap<string, string>): string {
  const { group, versions: own } = crdSpec(crd);
  const ofGroup = [...versions].find(([name]) => name.slice(name.indexOf('.') + 1) === group)?.[1];
  const usable = own.filter(({ served }) => served);
  return (
    (usable.find(({ name }) => name === ofGroup) ?? usable.find(({ storage }) => storage) ?? usable[0])?.name ?? ''
  );
}

function mirrored(
  byName: ReadonlyMap<string, KubeObject>,
  name: string,
  mapping: GroupMapping,
): KubeObject | undefined {
  const [plural = '', ...group] = name.split('.');
  const source = byName.get(`${plural}.${mapping.swap(group.join('.'))}`);
  if (source === undefined || mapping.side(crdSpec(source).group) !== 'standard') return undefined;
  const shim = { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' };
  const { definition } = mirrorDefinition(source, { mapping, shim });
  return { ...definition, metadata: { ...definition.metadata, uid: `mirror-of-${name}` } };
}

/**
 * Owners that were not read are taken off: in the copy their objects would be garbage. An owner in a Cluster API group
 * stays, since without it the migration is refused.
 */
function withLivingOwners(
  objects: readonly CopiedObject[],
  hostedCluster: HostedCluster,
  { mapping }: CopyOptions,
  leftOut: string[],
): readonly CopiedObject[] {
  const living = new Set([hostedCluster.metadata.uid, ...objects.map(({ object }) => object.metadata.uid)]);
  const kinds = new Set<string>();
  const kept = objects.map(({ object, resource }) => {
    const owners = object.metadata.ownerReferences ?? [];
    const present = owners.filter(({ apiVersion, kind, uid }) => {
      const stays = living.has(uid) || mapping.side(parseApiVersion(apiVersion).group) !== undefined;
      if (!stays) kinds.add(kind);
      return stays;
    });
    if (present.length === owners.length) return { object, resource };
    return { resource, object: { ...object, metadata: { ...object.metadata, ownerReferences: present } } };
  });
  if (kinds.size > 0) leftOut.push(`owners that are not in the copy: ${[...kinds].toSorted().join(', ')}`);
  return kept;
}
