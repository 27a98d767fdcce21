import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import { controlPlaneNamespace } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '../hosting/platform.js';
import type { ControlPlaneInputs, HostedClusterInputs, NodePoolInputs, ReleaseView } from '../hosting/inputs.js';

const NAMESPACE = 'clusters';
const NAME = 'example';
const RELEASE_IMAGE = 'quay.io/openshift-release-dev/ocp-release:4.22.0-multi';
const ENDPOINT = { host: 'api.example.fleet.example.com', port: 6443 };
/** Of the account that a test stands for. */
const ROUTED = ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'];

/** An OpenShift release whose payload has every component. */
export function testRelease(version = '4.22.0', bootImages: JsonObject = {}): ReleaseView {
  return { version, bootImages, image: (component) => `quay.io/openshift-release-dev/${component}@sha256:0` };
}

type Platform = Pick<HostingPlatform, 'hasSettings' | 'key' | 'type'>;

function platformOf({ hasSettings, key, type }: Platform, settings: JsonObject): JsonObject {
  return { type, ...(hasSettings ? { [key]: settings } : {}) };
}

/** A HostedCluster on a platform, with these settings. */
export function hostedClusterOn(platform: Platform, settings: JsonObject = {}): HostedCluster {
  const cluster: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name: NAME, namespace: NAMESPACE, uid: 'c0ffee00-0000-4000-8000-000000000001', generation: 1 },
    spec: {
      clusterID: '6f1cd9a4-9c46-4a3f-8a53-8a5b2a8b5f10',
      infraID: `${NAME}-x7k2p`,
      dns: { baseDomain: 'fleet.example.com' },
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
        machineNetwork: [{ cidr: '10.0.0.0/16' }],
      },
      platform: platformOf(platform, settings),
      pullSecret: { name: 'pull-secret' },
      release: { image: RELEASE_IMAGE },
      services: ROUTED.map((service) => ({ service, servicePublishingStrategy: { type: 'Route' } })),
      sshKey: { name: 'ssh-key' },
    },
    status: { controlPlaneEndpoint: ENDPOINT, ignitionEndpoint: 'ignition.example.fleet.example.com' },
  };
  return cluster as HostedCluster;
}

/** A NodePool of that cluster. */
export function nodePoolOn(platform: Platform, settings: JsonObject = {}): NodePool {
  const pool: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name: 'workers', namespace: NAMESPACE, uid: 'c0ffee00-0000-4000-8000-000000000002', generation: 1 },
    spec: {
      arch: 'amd64',
      clusterName: NAME,
      management: { upgradeType: 'Replace' },
      platform: platformOf(platform, settings),
      release: { image: RELEASE_IMAGE },
      replicas: 2,
    },
  };
  return pool as NodePool;
}

/** The inputs that core passes to the platform for such a cluster. */
export function clusterInputs(
  platform: Platform,
  settings: JsonObject = {},
  secrets: readonly KubeObject[] = [],
): HostedClusterInputs {
  const hostedCluster = hostedClusterOn(platform, settings);
  return {
    hostedCluster,
    controlPlaneNamespace: controlPlaneNamespace(NAMESPACE, NAME),
    infraID: hostedCluster.spec?.infraID ?? '',
    release: testRelease(),
    secrets: new Map(secrets.map((secret) => [secret.metadata.name ?? '', secret])),
  };
}

/** The inputs that core passes to the platform for a pool of such a cluster. */
export function nodePoolInputs(
  platform: Platform,
  { cluster = {}, pool = {} }: { readonly cluster?: JsonObject; readonly pool?: JsonObject } = {},
): NodePoolInputs {
  const { secrets: _, ...inputs } = clusterInputs(platform, cluster);
  return { ...inputs, nodePool: nodePoolOn(platform, pool) };
}

/** The inputs that core passes to the platform for the control plane of such a cluster. */
export function controlPlaneInputs(platform: HostingPlatform, settings: JsonObject = {}): ControlPlaneInputs {
  const inputs = clusterInputs(platform, settings);
  const { settings: written, type } = platform.controlPlane(inputs);
  const controlPlane: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: NAME, namespace: inputs.controlPlaneNamespace },
    spec: {
      infraID: inputs.infraID,
      dns: inputs.hostedCluster.spec?.dns,
      networking: inputs.hostedCluster.spec?.networking,
      platform: { type, ...(written === undefined ? {} : { [platform.key]: written }) },
    },
  };
  return {
    controlPlane: controlPlane as HostedControlPlane,
    controlPlaneNamespace: inputs.controlPlaneNamespace,
    infraID: inputs.infraID,
  };
}
