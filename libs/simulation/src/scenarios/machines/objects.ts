import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { infrastructureDefinitions, openDefinition } from '@capstan/upstream';
import type { InfrastructurePlatform } from '@capstan/upstream';
import { CLUSTER_LABEL, CORE_GROUP, kindOf, MANAGED_BY } from '@capstan/upstream/infrastructure';
import { SIMULATION_START } from '../../engine/timeline.js';
import { namespace, NAMESPACES } from '../resources.js';

const core = (plural: string, kind: string): ResourceRef & { kind: string } => ({
  group: CORE_GROUP,
  version: 'v1beta2',
  plural,
  namespaced: true,
  kind,
});

export const CLUSTERS = core('clusters', 'Cluster');
export const MACHINES = core('machines', 'Machine');
export const SECRETS: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
export const NODES: ResourceRef = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** The namespace and the name of the cluster of these scenarios. */
export const HOME = 'clusters';
export const CLUSTER = 'one';
/** Holds a Machine until all of it is gone. */
export const MACHINE_FINALIZER = 'machine.cluster.x-k8s.io';
const BOOTSTRAP_SECRET = 'user-data';

/** A server that knows Clusters, Machines and the kinds of a platform. */
export async function machineSnapshot(rows: readonly InfrastructurePlatform[]): Promise<StoreSnapshot> {
  const random = systemRandom('definitions');
  const clock = new ManualClock(SIMULATION_START);
  const server = new ApiServer({ clock, random: random.split('server') });
  const client = new Client(server, { clock, random });
  const versions = ['v1beta2', 'v1beta1'];
  const definitions = [
    openDefinition(CORE_GROUP, 'Cluster', versions),
    openDefinition(CORE_GROUP, 'Machine', versions),
    ...rows.flatMap(infrastructureDefinitions),
  ];
  for (const definition of definitions) await client.create(DEFINITIONS, definition);
  await client.create(NAMESPACES, namespace(HOME));
  return server.snapshot();
}

/** Creates a cluster as Cluster API would, its infrastructure and the bootstrap data of its machines. */
export async function createCluster(client: Client, row: InfrastructurePlatform, userData: string): Promise<void> {
  const clusterKind = kindOf(row, 'Cluster');
  const infrastructureRef = { apiGroup: row.group, kind: clusterKind.kind, name: CLUSTER };
  const cluster = await client.create(CLUSTERS, {
    apiVersion: `${CORE_GROUP}/v1beta2`,
    kind: 'Cluster',
    metadata: { name: CLUSTER, namespace: HOME },
    spec: { infrastructureRef },
  } as KubeObject);
  const annotations = row.isExternal ? { [MANAGED_BY]: 'external' } : {};
  const infra = await client.create(clusterKind, {
    apiVersion: `${row.group}/${row.version}`,
    kind: clusterKind.kind,
    metadata: {
      name: CLUSTER,
      namespace: HOME,
      labels: { [CLUSTER_LABEL]: CLUSTER },
      annotations,
      ownerReferences: [ownedBy(cluster)],
    },
    spec: {},
  } as KubeObject);
  const value = { status: { ready: true } };
  const status = { namespace: HOME, subresource: 'status' } as const;
  if (row.isExternal) await client.patch(clusterKind, infra.metadata.name ?? '', { type: 'merge', value }, status);
  await client.create(SECRETS, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: BOOTSTRAP_SECRET, namespace: HOME },
    type: 'cluster.x-k8s.io/secret',
    data: { value: Buffer.from(userData).toString('base64'), format: Buffer.from('ignition').toString('base64') },
  } as KubeObject);
}

/** Makes a Machine and its infrastructure as Cluster API would. */
export async function createMachine(client: Client, row: InfrastructurePlatform, name: string): Promise<void> {
  const kind = kindOf(row, 'Machine');
  const labels = { [CLUSTER_LABEL]: CLUSTER };
  const machine = await client.create(MACHINES, {
    apiVersion: `${CORE_GROUP}/v1beta2`,
    kind: 'Machine',
    metadata: { name, namespace: HOME, labels, finalizers: [MACHINE_FINALIZER] },
    spec: {
      clusterName: CLUSTER,
      bootstrap: { dataSecretName: BOOTSTRAP_SECRET },
      infrastructureRef: { apiGroup: row.group, kind: kind.kind, name },
    },
  } as KubeObject);
  await client.create(kind, {
    apiVersion: `${row.group}/${row.version}`,
    kind: kind.kind,
    metadata: { name, namespace: HOME, labels, ownerReferences: [ownedBy(machine)] },
    spec: {},
  } as KubeObject);
}

function ownedBy({
  apiVersion = '',
  kind = '',
  metadata,
}: KubeObject): NonNullable<KubeObject['metadata']['ownerReferences']>[number] {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
