import { controlPlaneNamespace, HOSTED_CLUSTERS, NODE_POOLS, PRIVATE_CAPI_TYPES_ANNOTATION } from '@capstan/hosting';
import type { Client, ResourceKind } from '@capstan/kube';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { CommitEvent, SimulationEvent } from '@capstan/simulation';
import { SIDECAR_NAME } from '@capstan/translate/sidecar';
import { applyAll, CLUSTER_API_MAPPING, HOME } from '@capstan/tools/hosting';

/** Where the platform has machines of its own. */
const PLATFORM_NAMESPACE = 'openshift-cluster-api';
const API_VERSION = 'cluster.x-k8s.io/v1beta2';
const CRDS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};

interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly scope: string;
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

interface Role extends KubeObject {
  readonly rules?: readonly { readonly apiGroups?: readonly string[] }[];
}

interface Deployment extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: {
      readonly spec?: {
        readonly containers?: readonly { readonly name: string }[];
        readonly initContainers?: readonly { readonly name: string }[];
      };
    };
  };
}

/** The platform's own Cluster API, which no operator of hosted clusters may touch. */
export async function plantPlatformObjects(direct: Client): Promise<void> {
  const template = {
    clusterName: 'platform',
    bootstrap: { dataSecretName: 'worker-user-data' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'worker' },
  };
  const metadata = (name: string): KubeObject['metadata'] => ({
    name,
    namespace: PLATFORM_NAMESPACE,
    finalizers: ['platform.example.com/own'],
    labels: { 'cluster.x-k8s.io/cluster-name': 'platform' },
  });
  const selector = { matchLabels: { pool: 'worker' } };
  const objects: unknown = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: PLATFORM_NAMESPACE } },
    {
      apiVersion: API_VERSION,
      kind: 'Cluster',
      metadata: metadata('platform'),
      spec: { clusterNetwork: { serviceDomain: 'example.com' } },
    },
    {
      apiVersion: API_VERSION,
      kind: 'MachineDeployment',
      metadata: metadata('worker'),
      spec: {
        clusterName: 'platform',
        replicas: 3,
        selector,
        template: { metadata: { labels: selector.matchLabels }, spec: template },
      },
    },
    {
      apiVersion: API_VERSION,
      kind: 'Machine',
      metadata: metadata('worker-1'),
      spec: { ...template, providerID: 'aws:///us-east-1a/i-0platform' },
    },
  ];
  await applyAll(direct, objects as readonly KubeObject[]);
}

/** Objects of Cluster API of one side, in every namespace but the platform's: a line each. */
export async function clusterApiObjects(direct: Client, side: 'private' | 'standard'): Promise<readonly string[]> {
  const found = await objectsOf(direct, side);
  return found
    .filter(({ metadata }) => metadata.namespace !== PLATFORM_NAMESPACE)
    .map(
      ({ apiVersion, kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''} of ${apiVersion}`,
    );
}

/** The platform's own objects of Cluster API, each with its version. */
export async function platformObjects(direct: Client): Promise<readonly string[]> {
  const found = await objectsOf(direct, 'standard');
  return found
    .filter(({ metadata }) => metadata.namespace === PLATFORM_NAMESPACE)
    .map(
      ({ kind, metadata }) => `${kind} ${metadata.name ?? ''} ${metadata.uid ?? ''} ${metadata.resourceVersion ?? ''}`,
    );
}

async function objectsOf(direct: Client, side: 'private' | 'standard'): Promise<readonly KubeObject[]> {
  const { items } = await direct.list<Definition>(CRDS);
  const found: KubeObject[] = [];
  for (const { spec } of items.filter(({ spec: { group } }) => CLUSTER_API_MAPPING.side(group) === side)) {
    const { group, names, scope, versions } = spec;
    const version = versions.find(({ storage }) => storage)?.name ?? '';
    const kind = { group, version, plural: names.plural, namespaced: scope === 'Namespaced' };
    found.push(...(await direct.list(kind)).items);
  }
  return found;
}

/** Every commit that concerns the group of Cluster API objects, as a simulation runs. */
export class GroupWatch {
  readonly #commits: CommitEvent[] = [];
  /** Of objects that are owned by, or grant, standard Cluster API; a line each. */
  readonly #references: { readonly namespace: string; readonly text: string }[] = [];
  readonly #writes: { readonly cluster: string; readonly event: CommitEvent }[] = [];
  /** The most replicas of each Deployment with a proxy, by the name of the HostedCluster. */
  readonly #sidecars = new Map<string, Map<string, number>>();
  /** Deployments with a NetworkPolicy for their proxy, by the name of the HostedCluster. */
  readonly #open = new Map<string, Set<string>>();
  /** When each HostedCluster was first on private types. */
  readonly #privateSince = new Map<string, number>();

  /** To be given to a simulation. */
  readonly onEvent = (event: SimulationEvent): void => {
    if (event.type !== 'commit') return;
    const cluster = clusterOfCommit(event);
    if (cluster !== undefined) this.#noteWrite(cluster, event);
    if (sideOf(event) !== undefined) this.#commits.push(event);
    if (event.change === 'delete') return;
    const { object, revision } = event;
    if (object.kind === HOSTED_CLUSTERS.kind && object.metadata.annotations?.[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true')
      this.#note(event.name, revision);
    for (const text of standardReferences(object))
      this.#references.push({ namespace: event.namespace, text: `${subjectOf(event)} ${text}` });
  };

  #note(name: string, revision: number): void {
    if (!this.#privateSince.has(name)) this.#privateSince.set(name, revision);
  }

  #noteWrite(cluster: string, event: CommitEvent): void {
    this.#writes.push({ cluster, event });
    if (hasSidecar(event.object)) this.#noteSidecar(cluster, event);
    if (event.object.kind === 'NetworkPolicy') this.#notePolicy(cluster, event);
  }

  #noteSidecar(cluster: string, { name, object }: CommitEvent): void {
    const found = this.#sidecars.get(cluster) ?? new Map<string, number>();
    found.set(name, Math.max(found.get(name) ?? 0, (object as Deployment).spec?.replicas ?? 1));
    this.#sidecars.set(cluster, found);
  }

  #notePolicy(cluster: string, { object }: CommitEvent): void {
    if (object.metadata.labels?.['app'] !== SIDECAR_NAME) return;
    const [owner] = object.metadata.ownerReferences ?? [];
    const found = this.#open.get(cluster) ?? new Set<string>();
    this.#open.set(cluster, found.add(owner?.name ?? ''));
  }

  /** Deployments of a control plane whose proxy has been opened to scrapers and API servers. */
  openOf(cluster: string): ReadonlySet<string> {
    return this.#open.get(cluster) ?? new Set<string>();
  }

  /** Deployments of a control plane that have had a proxy, with the most replicas of each. */
  sidecarsOf(cluster: string): ReadonlyMap<string, number> {
    return this.#sidecars.get(cluster) ?? new Map<string, number>();
  }

  /** Commits in the control plane namespace of a HostedCluster, by the side of their group. */
  commitsOf(cluster: string, side: 'private' | 'standard'): readonly CommitEvent[] {
    const namespace = controlPlaneNamespace(HOME, cluster);
    return this.#commits.filter((event) => event.namespace === namespace && sideOf(event) === side);
  }

  /** Writes of standard objects outside of the platform's namespace and of the namespaces given; a line each. */
  standardWrites(except: readonly string[] = []): readonly string[] {
    const apart = new Set([PLATFORM_NAMESPACE, ...except]);
    return this.#commits
      .filter((event) => sideOf(event) === 'standard' && !apart.has(event.namespace))
      .map((event) => subjectOf(event));
  }

  /** What a process wrote of a HostedCluster: to it, to its NodePools, and in the namespace of its control plane. */
  writesOf(process: string, cluster: string): readonly CommitEvent[] {
    const found = this.#writes.filter((each) => each.cluster === cluster && each.event.process === process);
    return found.map(({ event }) => event);
  }

  /** Every change of the platform's objects; a line each. */
  get platformChanges(): readonly string[] {
    return this.#commits.filter(({ namespace }) => namespace === PLATFORM_NAMESPACE).map((event) => subjectOf(event));
  }

  /** Owner references and permissions of the standard groups in the namespace of a control plane; a line each. */
  standardReferencesOf(cluster: string): readonly string[] {
    const namespace = controlPlaneNamespace(HOME, cluster);
    return this.#references.filter((each) => each.namespace === namespace).map(({ text }) => text);
  }

  /** Revisions at which a HostedCluster was marked as private, and at which its first object of Cluster API came. */
  beginning(cluster: string): { readonly marked: number | undefined; readonly first: number | undefined } {
    return { marked: this.#privateSince.get(cluster), first: this.commitsOf(cluster, 'private')[0]?.revision };
  }
}

function hasSidecar(object: KubeObject): boolean {
  const { containers = [], initContainers = [] } = (object as Deployment).spec?.template?.spec ?? {};
  return object.kind === 'Deployment' && [...initContainers, ...containers].some(({ name }) => name === SIDECAR_NAME);
}

/** The name of the HostedCluster that an object belongs to. */
export function clusterOfCommit({ name, namespace, object }: CommitEvent): string | undefined {
  const prefix = controlPlaneNamespace(HOME, '');
  if (object.kind === 'Namespace') return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
  if (namespace !== HOME) return namespace.startsWith(prefix) ? namespace.slice(prefix.length) : undefined;
  if (object.kind === NODE_POOLS.kind) return (object['spec'] as { readonly clusterName?: string }).clusterName;
  return object.kind === HOSTED_CLUSTERS.kind ? name : undefined;
}

function sideOf({ resource }: CommitEvent): 'private' | 'standard' | undefined {
  return CLUSTER_API_MAPPING.side(resource.split('/')[0] ?? '');
}

function subjectOf({ change, name, namespace, process, resource, revision }: CommitEvent): string {
  return `${process} ${change}s ${resource} ${namespace}/${name} at revision ${revision}`;
}

function standardReferences(object: KubeObject): string[] {
  const isStandard = (group: string): boolean => CLUSTER_API_MAPPING.side(group) === 'standard';
  const owners = (object.metadata.ownerReferences ?? [])
    .filter(({ apiVersion }) => isStandard(parseApiVersion(apiVersion).group))
    .map(({ apiVersion, kind, name }) => `is owned by ${kind} ${name} of ${apiVersion}`);
  const granted = ((object as Role).rules ?? [])
    .flatMap(({ apiGroups = [] }) => apiGroups)
    .filter((group) => isStandard(group));
  return [...owners, ...(object.kind === 'Role' ? granted.map((group) => `grants ${group}`) : [])];
}
