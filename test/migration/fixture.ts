import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { GarbageCollector } from '@capstan/cluster';
import { apply, Client, Discovery, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { installDefinitions } from '@capstan/tools/hosting';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import type { KubeObject, Transport } from '@capstan/meta';
import { backends } from '../src/conformance/backend.js';
import type { Backend } from '../src/conformance/backend.js';

export const STANDARD = 'cluster.x-k8s.io';
export const PRIVATE = 'cluster.hypershift.openshift.io';
export const MAPPING = new GroupMapping(CLUSTER_API_RULES);

/** A kind of Cluster API under either group. */
export function kindOf(group: string, kind: string, version = 'v1beta2'): ResourceKind {
  return { group, version, plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
}

export const CONFIG_MAPS: ResourceKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
  kind: 'ConfigMap',
};

/** The kinds of Cluster API, as a test reads them, under both groups. */
export function bothGroups(): readonly KubeObject[] {
  const standard = clusterApiKinds
    .filter(({ kind }) => KINDS.has(kind))
    .map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject);
  return [...standard, ...standard.map(privateCrd)];
}

const KINDS: ReadonlySet<string> = new Set([
  'Cluster',
  'Machine',
  'MachineDeployment',
  'MachineSet',
  'MachineHealthCheck',
]);

let opened: Promise<Transport> | undefined;

/** The server of this run, with the kinds; one for all suites of a worker, for their CRDs are large. */
export function migrationServer(kinds: readonly KubeObject[]): Promise<Transport> {
  opened ??= open(kinds);
  return opened;
}

async function open(kinds: readonly KubeObject[]): Promise<Transport> {
  const { transport } = await (backends()[0] as Backend).connect();
  const client = new Client(transport, { userAgent: 'test' });
  await installDefinitions(client, kinds);
  return transport;
}

let named = 0;

/** A namespace that no other test of this process has used. */
export function freshNamespace(): string {
  named += 1;
  return `clusters-m${named}`;
}

/** A server with the kinds of Cluster API under both groups, and a garbage collector. */
export class MigrationFixture {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly transport: Transport;
  /** Of the control plane: one of its own for every fixture. */
  readonly namespace: string;
  readonly #end = new AbortController();
  readonly #collector: Promise<void>;

  private constructor(server: Transport, client: Client, namespace: string, collectorsServer = server) {
    this.client = client;
    this.namespace = namespace;
    this.transport = server;
    this.discovery = new Discovery(client);
    const random = systemRandom('collector');
    const collector = new GarbageCollector({
      client: new Client(collectorsServer, { userAgent: 'generic-garbage-collector' }),
      clock: systemClock(),
      random,
      logger: silentLogger(),
    });
    this.#collector = collector.start(this.#end.signal);
  }

  /** Needs the CRDs of {@link bothGroups} once for each server. */
  static async start(server: Transport, namespace: string): Promise<MigrationFixture> {
    const client = new Client(server, { userAgent: 'test' });
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return new MigrationFixture(server, client, namespace);
  }

  /** On a server that has the namespace already; its garbage collector may have a connection of its own. */
  static on(server: Transport, namespace: string, collectorsServer = server): MigrationFixture {
    return new MigrationFixture(server, new Client(server, { userAgent: 'test' }), namespace, collectorsServer);
  }

  discoveryOn(client: Client): Discovery {
    return new Discovery(client);
  }

  /** Creates an object with its status. */
  async create(kind: ResourceKind, object: Omit<KubeObject, 'apiVersion' | 'kind'>): Promise<KubeObject> {
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    const made = await this.client.create(kind, { apiVersion, kind: kind.kind, ...object } as KubeObject);
    if (object['status'] === undefined) return made;
    return this.client.update(kind, { ...made, status: object['status'] }, { subresource: 'status' });
  }

  async list(kind: ResourceKind): Promise<readonly KubeObject[]> {
    return (await this.client.list(kind, { namespace: this.namespace })).items;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#collector.catch(() => undefined);
  }
}

/** The private CRD of a standard one, of which nothing is converted. */
export function privateCrd(definition: KubeObject): KubeObject {
  const { definition: mirrored } = mirrorDefinition(definition, {
    mapping: MAPPING,
    shim: { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' },
  });
  return { ...mirrored, spec: { ...(mirrored['spec'] as object), conversion: { strategy: 'None' } } };
}

/** A reference by which the owner owns something. */
export function ownedBy(owner: KubeObject, controller = true): NonNullable<KubeObject['metadata']['ownerReferences']> {
  const { apiVersion, kind, metadata } = owner;
  const { name = '', uid = '' } = metadata;
  return [{ apiVersion, kind, name, uid, controller, blockOwnerDeletion: true }];
}

/** A Cluster with a set, a machine and something that it owns. */
export async function createFleet(fixture: MigrationFixture, paused = true): Promise<void> {
  const { namespace } = fixture;
  const [CLUSTERS, SETS, MACHINES] = [
    kindOf(STANDARD, 'Cluster'),
    kindOf(STANDARD, 'MachineSet'),
    kindOf(STANDARD, 'Machine'),
  ];
  const metadata = { name: 'infra-a', namespace, finalizers: ['cluster.cluster.x-k8s.io'] };
  const cluster = await fixture.create(CLUSTERS, {
    metadata,
    spec: { paused, clusterNetwork: { serviceDomain: 'example.com' } },
    status: { phase: 'Provisioned', initialization: { infrastructureProvisioned: true }, observedGeneration: 1 },
  });
  const template = {
    clusterName: 'infra-a',
    bootstrap: { dataSecretName: 'user-data' },
    infrastructureRef: { apiGroup: `infrastructure.${STANDARD}`, kind: 'AWSMachineTemplate', name: 'm' },
  };
  const set = await fixture.create(SETS, {
    metadata: { name: 'workers', namespace, ownerReferences: ownedBy(cluster) },
    spec: {
      clusterName: 'infra-a',
      replicas: 1,
      selector: { matchLabels: { set: 'workers' } },
      template: { metadata: { labels: { set: 'workers' } }, spec: template },
    },
  });
  await fixture.create(MACHINES, {
    metadata: {
      name: 'workers-1',
      namespace,
      labels: { set: 'workers', 'cluster.x-k8s.io/cluster-name': 'infra-a' },
      finalizers: ['machine.cluster.x-k8s.io'],
      ownerReferences: ownedBy(set),
    },
    spec: { ...template, providerID: 'aws:///us-east-1a/i-0123456789' },
    status: { phase: 'Running', nodeRef: { name: 'ip-10-0-0-1' } },
  });
  await fixture.create(CONFIG_MAPS, {
    metadata: { name: 'owned', namespace, ownerReferences: ownedBy(cluster) },
    data: { k: 'v' },
  });
  // A second field manager, whose fields must stay its own.
  const labelled = {
    apiVersion: `${STANDARD}/v1beta2`,
    kind: 'MachineSet',
    metadata: { name: 'workers', namespace, labels: { team: 'a' } },
  };
  await apply(fixture.client, SETS, labelled as KubeObject, { fieldOwner: 'gitops' });
}
