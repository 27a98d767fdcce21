import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { awsCluster, awsMachine, awsMachineTemplate } from '@capstan/api/infrastructure/aws';
import { crd } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { apply, Client, Discovery, kubeconfigJson, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { CLUSTER_API_NAMESPACE } from '@capstan/machine-api';
import { machineApiGuards, machineApiManifests } from '@capstan/machine-api/manifests';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineCrds, SIMULATION_START, USER_DATA } from '@capstan/simulation';
import { openDefinition } from '@capstan/upstream';

const CLUSTER = 'demo-x7k2p';
/** The API server of the cluster, as machines reach it. */
export const SERVER = 'https://api.demo.example.com:6443';

const custom = (group: string, version: string, plural: string, kind: string): ResourceKind => ({
  group,
  version,
  plural,
  kind,
  namespaced: true,
});
const whole = (kind: ResourceKind): ResourceKind => ({ ...kind, namespaced: false });
const CRDS = whole(custom('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'));
const NAMESPACES = whole(custom('', 'v1', 'namespaces', 'Namespace'));
export const SECRETS = custom('', 'v1', 'secrets', 'Secret');
const INFRASTRUCTURES = whole(custom('config.openshift.io', 'v1', 'infrastructures', 'Infrastructure'));
export const AWS_MACHINES = custom('infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsmachines', 'AWSMachine');
const AWS_CLUSTERS = custom('infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsclusters', 'AWSCluster');
const CLUSTERS = custom('cluster.x-k8s.io', 'v1beta2', 'clusters', 'Cluster');
const CONTROL_PLANES = custom('hypershift.openshift.io', 'v1beta1', 'hostedcontrolplanes', 'HostedControlPlane');

type At = readonly [name: string, namespace?: string];

const object = (apiVersion: string, kind: string, [name, namespace]: At, rest: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...rest,
});

const definitionOf = (kind: Kind): KubeObject => crd(kind, { conversion: 'none' }) as unknown as KubeObject;

/** CRDs of both APIs and of their platform; those of Cluster API may be the published ones. */
export function syncDefinitions(clusterApi = clusterApiKinds.map(definitionOf)): readonly KubeObject[] {
  const labels = { 'cluster.x-k8s.io/v1beta1': 'v1beta1' };
  return [
    ...machineCrds(true),
    ...clusterApi,
    ...[awsCluster, awsMachine, awsMachineTemplate, ...configKinds].map(definitionOf),
    openDefinition('hypershift.openshift.io', 'HostedControlPlane', ['v1beta1'], labels),
  ];
}

/** What `capstan install --component machine-api` creates, but for what runs: the simulation runs that. */
async function install(client: Client): Promise<void> {
  const objects = [
    ...machineApiManifests({ namespace: CLUSTER_API_NAMESPACE, image: 'capstan' }),
    ...machineApiGuards({ namespace: CLUSTER_API_NAMESPACE }),
  ];
  const discovery = new Discovery(client);
  for (const value of objects.filter(({ kind }) => kind !== 'Deployment')) {
    const { group, version } = parseApiVersion(value.apiVersion);
    const resource = await discovery.resourceFor({ group, version, kind: value.kind });
    if (resource === undefined) throw new Error(`the server does not know ${value.kind}`);
    await apply(client, resource, value, { fieldOwner: 'install' });
  }
}

/** A cluster of Machine API whose Cluster API knows the cluster, and no machine yet. */
export async function syncSnapshot(): Promise<StoreSnapshot> {
  const clock = new ManualClock(SIMULATION_START);
  const server = new ApiServer({ clock, random: systemRandom('machine sync') });
  const client = new Client(server, { clock, random: systemRandom('client') });
  for (const definition of syncDefinitions()) await client.create(CRDS, definition);
  await createNamespaces(client);
  await createSyncObjects(client, kubeconfigJson({ server: SERVER, token: 'admin', userName: 'admin' }));
  return server.snapshot();
}

/** The namespaces of both APIs. */
export async function createNamespaces(client: Client): Promise<void> {
  for (const name of [MACHINE_API_NAMESPACE, CLUSTER_API_NAMESPACE])
    await client.create(NAMESPACES, object('v1', 'Namespace', [name], {}));
}

/** What is in the namespaces before the first machine, and the operator but for what runs; nodes join by the kubeconfig. */
export async function createSyncObjects(client: Client, kubeconfig: string): Promise<void> {
  await client.create(SECRETS, USER_DATA);
  const data = (value: string): object => ({ data: { value: Buffer.from(value).toString('base64') } });
  const secret = object('v1', 'Secret', [`${CLUSTER}-kubeconfig`, CLUSTER_API_NAMESPACE], data(kubeconfig));
  // Cluster API reads no Secrets without it.
  secret.metadata.labels = { 'cluster.x-k8s.io/cluster-name': CLUSTER };
  await client.create(SECRETS, secret);
  await client.create(SECRETS, object('v1', 'Secret', ['worker-user-data', CLUSTER_API_NAMESPACE], data('{}')));
  const aws = { aws: { region: 'us-east-1' }, type: 'AWS' };
  const status = { infrastructureName: CLUSTER, platformStatus: aws, platform: 'AWS' };
  const infrastructure = object('config.openshift.io/v1', 'Infrastructure', ['cluster'], { spec: {} });
  await client.update(
    INFRASTRUCTURES,
    { ...(await client.create(INFRASTRUCTURES, infrastructure)), status },
    { subresource: 'status' },
  );
  await createCluster(client);
  await install(client);
}

async function createCluster(client: Client): Promise<void> {
  const infra = object('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSCluster', [CLUSTER, CLUSTER_API_NAMESPACE], {
    spec: { region: 'us-east-1', controlPlaneEndpoint: { host: 'api.demo.example.com', port: 6443 } },
  });
  infra.metadata.annotations = { 'cluster.x-k8s.io/managed-by': 'external' };
  const made = await client.create(AWS_CLUSTERS, infra);
  await client.update(AWS_CLUSTERS, { ...made, status: { ready: true } }, { subresource: 'status' });
  const plane = { spec: {}, status: { ready: true, initialized: true, externalManagedControlPlane: true } };
  const created = await client.create(
    CONTROL_PLANES,
    object('hypershift.openshift.io/v1beta1', 'HostedControlPlane', [CLUSTER, CLUSTER_API_NAMESPACE], plane),
  );
  await client.update(CONTROL_PLANES, { ...created, status: plane.status }, { subresource: 'status' });
  const spec = {
    controlPlaneRef: { apiGroup: 'hypershift.openshift.io', kind: 'HostedControlPlane', name: CLUSTER },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: CLUSTER },
  };
  await client.create(
    CLUSTERS,
    object('cluster.x-k8s.io/v1beta2', 'Cluster', [CLUSTER, CLUSTER_API_NAMESPACE], { spec }),
  );
}
