/** Reads what a handover is rehearsed on: lists alone, nothing is written. */
import type { StoreSnapshot } from '@capstan/apiserver';
import { Discovery, errorText } from '@capstan/kube';
import type { ApiResource, Client, ResourceKind } from '@capstan/kube';
import { mirroredKinds } from '@capstan/machine-api/manifests';
import { ignoreNotFound, isForbidden, isMethodNotSupported, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { eachBounded } from '@capstan/migration';
import { CRDS, crdSpec, lastWrittenMs, NAMESPACES, snapshotOf, storedAs } from '@capstan/simulation';
import type { CopiedObject, MachinesState } from '@capstan/simulation';
import { NoVerdictError } from '../../errors.js';
import { typed } from '../../hosted/dump-folder.js';
import { withoutSecrets } from '../../migration/rehearsal/model.js';
import { conversionPlatforms } from '../../platforms.js';
import { instancesOf } from './instances.js';
import { infrastructureOf } from './platform.js';

/** The copy of a cluster: plain data, which threads are sent. */
export interface MachinesSource {
  readonly snapshot: StoreSnapshot;
  readonly atMs: number;
  /** As the Infrastructure names it. */
  readonly platform: string;
  readonly namespaces: { readonly machineApi: string; readonly clusterApi: string };
  /** Instances and nodes, as the machines of both APIs name them. */
  readonly machines: MachinesState;
  /** What could not be read, for the user. */
  readonly leftOut: readonly string[];
}

export interface ReadOptions {
  readonly client: Client;
  readonly namespaces: MachinesSource['namespaces'];
  readonly signal: AbortSignal;
}

const whole = (group: string, version: string, plural: string, kind: string): ResourceKind => ({
  group,
  version,
  plural,
  namespaced: false,
  kind,
});
const DEFINITIONS = whole('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition');
const INFRASTRUCTURES = whole('config.openshift.io', 'v1', 'infrastructures', 'Infrastructure');
const NODES = whole('', 'v1', 'nodes', 'Node');
const SECRETS: ResourceKind = { group: '', version: 'v1', plural: 'secrets', namespaced: true, kind: 'Secret' };
const MACHINE_API = 'machine.openshift.io';
const CORE = 'cluster.x-k8s.io';
/** In which version the operator speaks it; kinds of a provider are copied in the one they are stored in. */
const CORE_VERSION = 'v1beta2';
const GROUPS: ReadonlySet<string> = new Set([MACHINE_API, CORE, 'infrastructure.cluster.x-k8s.io', 'metal3.io']);
const CONCURRENCY = 8;

/** Reads both APIs. */
export async function readMachines({ client, namespaces, signal }: ReadOptions): Promise<MachinesSource> {
  const mirrored = new Set<string>(await required('CustomResourceDefinitions', mirroredKinds(client)));
  if (!['machines', 'machinesets'].every((each) => mirrored.has(each)))
    throw new NoVerdictError(
      'machines and machine sets are not served by both APIs with the fields of authority',
      'turn the feature gate MachineAPIMigration on, and see that Cluster API is installed',
    );
  const infrastructure = await required('Infrastructures', client.get(INFRASTRUCTURES, 'cluster', { signal }));
  const platform = platformOf(infrastructure);
  const { platform: cloud } = infrastructureOf(platform, await conversionPlatforms());
  const all = (await required('CustomResourceDefinitions', client.list(DEFINITIONS, { signal }))).items;
  const crds = all.filter(
    (crd) => GROUPS.has(crdSpec(crd).group) || crd.metadata.name?.endsWith('.config.openshift.io'),
  );
  const leftOut: string[] = [];
  const objects: CopiedObject[] = [];
  const add = async (kind: ResourceKind | ApiResource, namespace?: string): Promise<void> => {
    const items = await listed(client, kind, { namespace, signal, leftOut });
    for (const each of items) objects.push({ resource: kind, object: withoutSecrets(typed(each, kind)) });
  };
  const places = [namespaces.machineApi, namespaces.clusterApi];
  const kinds = crds.filter((crd) => GROUPS.has(crdSpec(crd).group)).map(kindOf);
  await eachBounded([...kinds, SECRETS], CONCURRENCY, async (kind) => {
    if (kind.namespaced) for (const namespace of places) await add(kind, namespace);
  });
  await add(NODES);
  const nodes = objects.filter(({ resource }) => resource.plural === 'nodes').map(({ object }) => object);
  const server = [
    ...places.map(namespaceObject),
    ...crds.map((crd) => ({ resource: CRDS, object: storedAs(typed(crd, DEFINITIONS), kindOf(crd).version) })),
    { resource: INFRASTRUCTURES, object: typed(infrastructure, INFRASTRUCTURES) },
    ...(await controlPlaneOf(client, objects, signal)),
    ...objects,
  ];
  return {
    snapshot: snapshotOf(withLivingOwners(server)),
    atMs: lastWrittenMs(objects.map(({ object }) => object)) ?? Date.now(),
    platform,
    namespaces,
    machines: instancesOf(
      objects.map(({ object }) => object),
      nodes,
      cloud,
    ),
    leftOut,
  };
}

function platformOf(infrastructure: KubeObject): string {
  const { platformStatus } = (infrastructure['status'] ?? {}) as {
    readonly platformStatus?: { readonly type?: string };
  };
  return platformStatus?.type ?? '';
}

function kindOf(crd: KubeObject): ResourceKind {
  const { group, names, scope, versions } = crdSpec(crd);
  const isCore = group === CORE && versions.some(({ name, served }) => served && name === CORE_VERSION);
  const version = isCore ? CORE_VERSION : (versions.find(({ storage }) => storage)?.name ?? '');
  return { group, version, plural: names.plural, namespaced: scope === 'Namespaced', kind: names.kind };
}

function namespaceObject(name: string): CopiedObject {
  const metadata = { name, uid: `namespace-${name}`, labels: { 'kubernetes.io/metadata.name': name } };
  return {
    resource: NAMESPACES,
    object: { apiVersion: 'v1', kind: 'Namespace', metadata, spec: {}, status: { phase: 'Active' } },
  };
}

interface Reference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** Control planes that the Clusters name, of whatever kind: the stand-in of Cluster API waits for them. */
async function controlPlaneOf(
  client: Client,
  objects: readonly CopiedObject[],
  signal: AbortSignal,
): Promise<readonly CopiedObject[]> {
  const discovery = new Discovery(client);
  const found: CopiedObject[] = [];
  const clusters = objects.filter(({ object, resource }) => resource.group === CORE && object.kind === 'Cluster');
  for (const { object } of clusters) {
    const { controlPlaneRef: ref } = (object['spec'] ?? {}) as { readonly controlPlaneRef?: Reference };
    if (ref?.name === undefined) continue;
    const kind = await discovery.resourceFor({ group: ref.apiGroup ?? '', kind: ref.kind ?? '' });
    if (kind === undefined) continue;
    const { namespace } = object.metadata;
    const plane = await client.get(kind, ref.name, { namespace, signal }).catch(ignoreNotFound);
    const crd = await client.get(DEFINITIONS, `${kind.plural}.${kind.group}`, { signal }).catch(ignoreNotFound);
    if (plane !== undefined) found.push({ resource: kind, object: typed(plane, kind) });
    if (crd !== undefined) found.push({ resource: CRDS, object: storedAs(typed(crd, DEFINITIONS), kind.version) });
  }
  return found;
}

/** Owners that were not read are taken off: in the copy their objects would be garbage. */
function withLivingOwners(objects: readonly CopiedObject[]): readonly CopiedObject[] {
  const living = new Set(objects.map(({ object }) => object.metadata.uid));
  return objects.map(({ object, resource }) => {
    const owners = object.metadata.ownerReferences;
    if (owners === undefined || owners.every(({ uid }) => living.has(uid))) return { object, resource };
    const ownerReferences = owners.filter(({ uid }) => living.has(uid));
    return { resource, object: { ...object, metadata: { ...object.metadata, ownerReferences } } };
  });
}

/** What nothing can be answered without. */
async function required<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const hint = isForbidden(error)
      ? `grant this user get and list of ${what}: a rehearsal writes nothing`
      : 'name an OpenShift cluster with --context';
    throw new NoVerdictError(`${what} cannot be read: ${errorText(error)}`, hint, { cause: error });
  }
}

async function listed(
  client: Client,
  kind: ResourceKind | ApiResource,
  at: { readonly namespace: string | undefined; readonly signal: AbortSignal; readonly leftOut: string[] },
): Promise<readonly KubeObject[]> {
  const { leftOut, namespace, signal } = at;
  try {
    return (await client.list(kind, { namespace, signal })).items;
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error) || isMethodNotSupported(error)) return [];
    // Without them the copy would be another cluster.
    if (kind.group === MACHINE_API || kind.group === CORE)
      return required(`${kind.plural}.${kind.group}`, Promise.reject(error as Error));
    leftOut.push(`${kind.plural}${kind.group === '' ? '' : `.${kind.group}`} cannot be listed: ${errorText(error)}`);
    return [];
  }
}
