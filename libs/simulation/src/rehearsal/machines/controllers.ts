import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { PLATFORMS } from '@capstan/upstream';
import type { CloudPlatform, Contract } from '@capstan/upstream';
import { crdSpec } from '../copy.js';

/** Which controllers of machines have a stand-in in a copy. */
export interface MachineControllers {
  /** The version in which the core of Cluster API is stored; undefined where its stand-in cannot run. */
  readonly core: Contract | undefined;
  /** Of the infrastructure providers. */
  readonly platforms: readonly CloudPlatform[];
  /** Kinds, `Kind.group`, on which nothing acts: they are carried as they are. */
  readonly carried: readonly string[];
}

const CORE_GROUP = 'cluster.x-k8s.io';
/** What the manager of Cluster API watches; a server that does not serve one of them has no such manager. */
const CORE_KINDS: readonly string[] = ['Cluster', 'Machine', 'MachineDeployment', 'MachineHealthCheck', 'MachineSet'];
/** Read where it is served. */
const OPTIONAL_KIND = 'MachineDrainRule';
const CONTRACTS: readonly Contract[] = ['v1beta2', 'v1beta1'];

/** CRDs that the controllers of machines watch, whether or not there are objects of them: by `Kind.group`. */
export function isWatchedByStandIns(crd: KubeObject): boolean {
  const { group, names } = crdSpec(crd);
  if (group === CORE_GROUP) return CORE_KINDS.includes(names.kind);
  return Object.values(PLATFORMS).some(
    (row) => row.group === group && ['Cluster', 'Machine'].some((what) => names.kind === `${row.prefix}${what}`),
  );
}

/** The stand-ins for objects in their standard groups, by the versions in which their CRDs store them. */
export function machineControllersOf(
  objects: Iterable<KubeObject>,
  crds: Iterable<KubeObject>,
  mapping: GroupMapping,
): MachineControllers {
  const stored = storedVersions(crds);
  const kinds = new Set<string>();
  for (const { apiVersion, kind } of objects) {
    const { group } = parseApiVersion(apiVersion);
    if (mapping.side(group) === 'standard') kinds.add(`${kind}.${group}`);
  }
  const core = coreVersion(stored);
  const platforms = Object.values(PLATFORMS).filter(
    ({ group, prefix, version }) =>
      core !== undefined &&
      kinds.has(`${prefix}Machine.${group}`) &&
      ['Machine', 'Cluster'].every((what) => stored.get(`${prefix}${what}.${group}`) === version),
  );
  const played = new Set([
    ...(core === undefined ? [] : [...CORE_KINDS, OPTIONAL_KIND].map((kind) => `${kind}.${CORE_GROUP}`)),
    ...platforms.flatMap(({ group, prefix }) =>
      ['Cluster', 'Machine', 'MachineTemplate'].map((what) => `${prefix}${what}.${group}`),
    ),
  ]);
  return {
    core,
    platforms: platforms.map(({ platform }) => platform),
    carried: [...kinds].filter((kind) => !played.has(kind)).toSorted(),
  };
}

/** In which version a server keeps each kind: of one that serves several, the shapes of the others are not known to it. */
function storedVersions(crds: Iterable<KubeObject>): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const crd of crds) {
    const { group, names, versions: all } = crdSpec(crd);
    versions.set(`${names.kind}.${group}`, all.find(({ storage }) => storage)?.name ?? '');
  }
  return versions;
}

function coreVersion(stored: ReadonlyMap<string, string>): Contract | undefined {
  return CONTRACTS.find((version) => CORE_KINDS.every((kind) => stored.get(`${kind}.${CORE_GROUP}`) === version));
}
