import type { NodePool } from '@capstan/api/hypershift';
import { CLUSTER_ANNOTATION, controlPlaneNamespace } from '@capstan/hosting';
import type { ResourceRef } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { hostedClusterOn, nodePoolOn, testPlatform } from '@capstan/provider/testing';
import { ReleaseError } from '@capstan/release';
import type { ReleasePayload, ReleaseProvider } from '@capstan/release';

/** A HostedCluster as its own operators would leave it, and pools of it. */

export const NAMESPACE = 'clusters';
export const HOSTED = 'example';
export const HOME = controlPlaneNamespace(NAMESPACE, HOSTED);
export const INFRA_ID = 'example-x7k2p';
export const HARBOUR = testPlatform();
export const IGNITION_CA = 'ignition-server-ca-cert';

const core = (plural: string): ResourceRef => ({ group: '', version: 'v1', plural, namespaced: true });
export const SECRETS = core('secrets');
export const CONFIG_MAPS = core('configmaps');
export const EVENTS = core('events');
export const NAMESPACES: ResourceRef = { ...core('namespaces'), namespaced: false };
export const CRDS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** The image of a version that {@link TestReleases} knows. */
export function imageOf(version: string): string {
  return `registry.example.com/release:${version}`;
}

/** Releases without a registry: the tag is the version, unless a test sets another one. */
export class TestReleases implements ReleaseProvider {
  readonly failures = new Map<string, ReleaseError>();
  asked = 0;

  lookup(reference: string): Promise<ReleasePayload> {
    this.asked += 1;
    const failure = this.failures.get(reference);
    if (failure !== undefined) return Promise.reject(failure);
    const [, version] = /:([\d.]+)$/.exec(reference) ?? [];
    if (version === undefined)
      return Promise.reject(new ReleaseError('NotFound', `there is no image ${reference}: push it, or name another`));
    return Promise.resolve({
      reference,
      pullSpec: `${reference}@sha256:0`,
      version,
      kubernetesVersion: '1.35.2',
      architectures: ['amd64'],
      components: [],
      image: () => undefined,
    });
  }
}

export function secret(namespace: string, name: string, values: Readonly<Record<string, string>>): KubeObject {
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data: Object.fromEntries(data) };
}

export function configMap(name: string, data: Readonly<Record<string, string>>, namespace = NAMESPACE): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

/** The cluster, and what it names. */
export function hostedCluster(): KubeObject {
  const cluster = hostedClusterOn(HARBOUR, { port: 'rotterdam' });
  const metadata = { name: HOSTED, namespace: NAMESPACE };
  return { ...cluster, metadata, spec: { ...cluster.spec, release: { image: imageOf('4.22.0') } } };
}

/** The status that the operator of the cluster sets once its control plane answers. */
export const CLUSTER_STATUS = {
  ignitionEndpoint: `ignition-server.${HOME}.svc`,
  kubeconfig: { name: `${HOSTED}-admin-kubeconfig` },
  payloadArch: 'Multi',
  version: {
    observedGeneration: 1,
    availableUpdates: [],
    desired: { image: imageOf('4.22.0'), version: '4.22.0' },
    history: [
      {
        state: 'Completed',
        version: '4.22.0',
        image: imageOf('4.22.0'),
        startedTime: '2026-01-01T00:00:00Z',
        completionTime: '2026-01-01T00:10:00Z',
        verified: false,
      },
    ],
  },
};

/** The control plane as Cluster API sees it. */
export function controlPlane(): KubeObject {
  const { spec } = hostedClusterOn(HARBOUR, { port: 'rotterdam' });
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: HOSTED, namespace: HOME, annotations: { [CLUSTER_ANNOTATION]: `${NAMESPACE}/${HOSTED}` } },
    spec: {
      dns: spec?.dns,
      etcd: spec?.etcd,
      infraID: INFRA_ID,
      issuerURL: 'https://kubernetes.default.svc',
      platform: spec?.platform,
      pullSecret: { name: 'pull-secret' },
      releaseImage: imageOf('4.22.0'),
      services: spec?.services,
      sshKey: { name: 'ssh-key' },
    },
  };
}

export const CONTROL_PLANE_STATUS = { ready: true, initialized: true, externalManagedControlPlane: true };

/** The Cluster, its infrastructure already there. */
export function clusterObjects(): KubeObject[] {
  const group = 'infrastructure.cluster.x-k8s.io';
  return [
    {
      apiVersion: `${group}/v1beta1`,
      kind: 'HarbourCluster',
      metadata: { name: HOSTED, namespace: HOME, annotations: { 'cluster.x-k8s.io/managed-by': 'external' } },
      spec: { port: 'rotterdam', controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } },
    },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: INFRA_ID, namespace: HOME },
      spec: {
        controlPlaneRef: { apiGroup: 'hypershift.openshift.io', kind: 'HostedControlPlane', name: HOSTED },
        infrastructureRef: { apiGroup: group, kind: 'HarbourCluster', name: HOSTED },
      },
    },
  ];
}

/** A pool of the cluster. */
export function nodePool(name: string, spec: JsonObject = {}, settings: JsonObject = {}): NodePool {
  const pool = nodePoolOn(HARBOUR, { berth: 'b1', ...settings });
  const merged = { ...pool.spec, release: { image: imageOf('4.22.0') }, ...spec } as NonNullable<NodePool['spec']>;
  return { ...pool, metadata: { name, namespace: NAMESPACE }, spec: merged };
}

/** A document of the machine config operator with one file. */
export function machineConfig(name: string, text: string): string {
  return `apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: ${name}\nspec:\n  config:\n    text: ${text}\n`;
}
