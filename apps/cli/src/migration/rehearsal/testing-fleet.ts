import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import type { Client, ResourceKind } from '@capstan/kube';
import { isAlreadyExists, isNotFound, parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { hostedClusterOn, nodePoolOn } from '@capstan/provider/testing';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { infrastructureKinds, storedAlone } from '../../infrastructure-kinds.js';

export const MAPPING = new GroupMapping(CLUSTER_API_RULES);
/** What no output of a rehearsal may show. */
export const SECRET_VALUE = 'a-password-that-stays-where-it-is';
const CRDS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};
const KINDS: ReadonlySet<string> = new Set([
  'Cluster',
  'Machine',
  'MachineDeployment',
  'MachineHealthCheck',
  'MachineSet',
]);
const INFRASTRUCTURE_KINDS: ReadonlySet<string> = new Set(['AWSCluster', 'AWSMachine', 'AWSMachineTemplate']);
const MACHINES = 'cluster.x-k8s.io/v1beta2';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
const NONE = { type: 'None', key: 'none', hasSettings: false } as const;
const DEPLOYMENTS = ['control-plane-operator', 'cluster-api', 'capi-provider', 'cluster-autoscaler', 'kube-apiserver'];

const plainCrd = (definition: KubeObject): KubeObject =>
  ({ ...definition, spec: { ...(definition['spec'] as object), conversion: { strategy: 'None' } } }) as KubeObject;

/** The CRDs of a management cluster, with the private ones of these kinds. */
export async function testCrds(isPrivate: (crd: KubeObject) => boolean = () => true): Promise<readonly KubeObject[]> {
  const infrastructure = (await infrastructureKinds(['aws'])).filter(({ kind }) => INFRASTRUCTURE_KINDS.has(kind));
  const standard = [...clusterApiKinds.filter(({ kind }) => KINDS.has(kind)), ...infrastructure].map(
    (kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject,
  );
  const shim = { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' };
  const mirrored = standard
    .filter(isPrivate)
    .map((each) => plainCrd(mirrorDefinition(each, { mapping: MAPPING, shim }).definition));
  const hosted = hypershiftKinds.map((kind) => crd(storedAlone(kind), { conversion: 'none' }) as unknown as KubeObject);
  return [...standard, ...mirrored, ...hosted];
}

/** Creates CRDs on a server, and waits until they are served. */
export async function installCrds(client: Client, crds: readonly KubeObject[]): Promise<void> {
  for (const each of crds) await client.create(CRDS, each);
  for (const { metadata } of crds) {
    for (;;) {
      const { status } = await client.get(CRDS, metadata.name ?? '');
      if (JSON.stringify(status ?? {}).includes('"Established"')) break;
    }
  }
}

const PLURALS: Readonly<Record<string, string>> = {
  Role: 'roles',
  Secret: 'secrets',
  Deployment: 'deployments',
  Namespace: 'namespaces',
};

function kindOf({ apiVersion, kind }: KubeObject): ResourceKind {
  const { group, version } = parseApiVersion(apiVersion);
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  return { group, version, plural, namespaced: kind !== 'Namespace', kind };
}

export interface TestCluster {
  readonly name: string;
  readonly machines: number;
  /** Changes objects before they are created. */
  readonly change?: ((object: KubeObject) => KubeObject) | undefined;
}

/** Creates a hosted cluster on standard types as it is before the upgrade, running and at rest. */
export async function createTestCluster(
  client: Client,
  { change = (each) => each, machines, name }: TestCluster,
): Promise<void> {
  const namespace = `clusters-${name}`;
  const create = async (object: KubeObject): Promise<KubeObject> => {
    const kind = kindOf(object);
    const { status, ...rest } = change(object);
    const created = await client.create(kind, rest as KubeObject);
    if (status === undefined) return created;
    return client
      .update(kind, { ...created, status } as KubeObject, { subresource: 'status' })
      .catch((error: unknown) => {
        if (isNotFound(error)) return created;
        throw error;
      });
  };
  for (const each of ['clusters', namespace])
    await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: each } }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  await createHosted(create, name, namespace);
  const owner = ownerOf(
    await create({
      apiVersion: MACHINES,
      kind: 'Cluster',
      metadata: { name, namespace, finalizers: ['cluster.cluster.x-k8s.io'] },
      spec: {
        clusterNetwork: { serviceDomain: 'example.com' },
        controlPlaneRef: { apiGroup: 'hypershift.openshift.io', kind: 'HostedControlPlane', name },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name },
      },
      status: { phase: 'Provisioned', initialization: { infrastructureProvisioned: true }, observedGeneration: 1 },
    } as KubeObject),
  );
  const metadata = (object: string): KubeObject['metadata'] => ({ name: object, namespace, ownerReferences: [owner] });
  const data = { value: Buffer.from(SECRET_VALUE).toString('base64') };
  for (const secret of ['user-data', `${name}-kubeconfig`])
    await create({ apiVersion: 'v1', kind: 'Secret', metadata: metadata(secret), data } as KubeObject);
  await createInfrastructure(create, name, metadata);
  const template = machineSpec(name, 'workers', 'AWSMachineTemplate');
  const set = await create({
    apiVersion: MACHINES,
    kind: 'MachineSet',
    metadata: metadata('workers'),
    spec: {
      clusterName: name,
      replicas: machines,
      selector: { matchLabels: { set: 'workers' } },
      template: { metadata: { labels: { set: 'workers' } }, spec: template },
    },
  } as KubeObject);
  for (let at = 0; at < machines; at += 1) await createMachine(create, { at, name, namespace, set });
}

/** What HyperShift creates for a cluster on AWS: an infrastructure cluster that it manages itself, and a template. */
async function createInfrastructure(
  create: (object: KubeObject) => Promise<KubeObject>,
  name: string,
  metadata: (object: string) => KubeObject['metadata'],
): Promise<void> {
  await create({
    apiVersion: INFRASTRUCTURE,
    kind: 'AWSCluster',
    metadata: { ...metadata(name), annotations: { 'cluster.x-k8s.io/managed-by': 'external' } },
    spec: { region: 'us-east-1' },
    status: { ready: true },
  } as unknown as KubeObject);
  await create({
    apiVersion: INFRASTRUCTURE,
    kind: 'AWSMachineTemplate',
    metadata: metadata('workers'),
    spec: { template: { spec: { instanceType: 'm5.large' } } },
  } as unknown as KubeObject);
}

async function createMachine(
  create: (object: KubeObject) => Promise<KubeObject>,
  {
    at,
    name,
    namespace,
    set,
  }: { readonly at: number; readonly name: string; readonly namespace: string; readonly set: KubeObject },
): Promise<void> {
  const machine = await create({
    apiVersion: MACHINES,
    kind: 'Machine',
    metadata: {
      name: `workers-${at}`,
      namespace,
      labels: { set: 'workers', 'cluster.x-k8s.io/cluster-name': name },
      finalizers: ['machine.cluster.x-k8s.io'],
      ownerReferences: [ownerOf(set)],
    },
    spec: { ...machineSpec(name, `workers-${at}`), providerID: `aws:///us-east-1a/i-${name}${at}` },
    status: { phase: 'Running', nodeRef: { name: `ip-10-0-0-${at}` } },
  } as KubeObject);
  await create({
    apiVersion: INFRASTRUCTURE,
    kind: 'AWSMachine',
    metadata: {
      name: `workers-${at}`,
      namespace,
      finalizers: ['awsmachine.infrastructure.cluster.x-k8s.io'],
      ownerReferences: [ownerOf(machine)],
    },
    spec: { instanceType: 'm5.large', providerID: `aws:///us-east-1a/i-${name}${at}` },
    status: { ready: true },
  } as KubeObject);
}

function machineSpec(clusterName: string, machine: string, kind = 'AWSMachine'): object {
  return {
    clusterName,
    bootstrap: { dataSecretName: 'user-data' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name: machine },
  };
}

function ownerOf({ apiVersion, kind, metadata: { name = '', uid = '' } }: KubeObject): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: true;
} {
  return { apiVersion, kind, name, uid, controller: true };
}

async function createHosted(
  create: (object: KubeObject) => Promise<KubeObject>,
  name: string,
  namespace: string,
): Promise<void> {
  const hosted = (kind: ResourceKind): { readonly apiVersion: string; readonly kind: string } => ({
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: kind.kind ?? '',
  });
  const { spec } = hostedClusterOn(NONE);
  const cluster = await create({
    ...hosted(HOSTED_CLUSTERS),
    metadata: { name, namespace: 'clusters' },
    spec,
  } as KubeObject);
  await create({
    ...hosted(NODE_POOLS),
    metadata: { name: `${name}-workers`, namespace: 'clusters', ownerReferences: [ownerOf(cluster)] },
    spec: { ...nodePoolOn(NONE).spec, clusterName: name },
  } as KubeObject);
  const ready = {
    type: 'KubeAPIServerAvailable',
    status: 'True',
    reason: 'AsExpected',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  await create({
    ...hosted(HOSTED_CONTROL_PLANES),
    metadata: { name, namespace },
    spec: {
      ...spec,
      releaseImage: spec?.release.image,
      infraID: name,
      clusterID: spec?.clusterID,
      issuerURL: 'https://issuer.example.com',
    },
    status: { ready: true, initialized: true, conditions: [ready] },
  } as unknown as KubeObject);
  const rules = [{ apiGroups: ['cluster.x-k8s.io'], resources: ['*'], verbs: ['*'] }];
  await create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'capi-manager', namespace },
    rules,
  } as unknown as KubeObject);
  for (const each of DEPLOYMENTS) await create(deployment(each, namespace));
}

function deployment(name: string, namespace: string): KubeObject {
  const labels = { app: name };
  const containers = [
    { name: name === 'cluster-api' || name === 'capi-provider' ? 'manager' : name, image: 'i', args: ['--v=4'] },
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  } as unknown as KubeObject;
}
