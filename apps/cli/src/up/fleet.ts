import type { KubeObject } from '@capstan/meta';
import { SIDECAR_KUBECONFIG } from '@capstan/translate/sidecar';
import { CORE, HOSTED_CORE, HOSTED_INFRASTRUCTURE, MAPPING } from './groups.js';
import { all, programObjects, read } from './programs.js';
import type { ProgramManifest } from './programs.js';
import { infrastructureOf } from './infrastructure.js';
import type { FleetPlatform } from './infrastructure.js';

/** The images of the programs. */
export interface ProgramImages {
  readonly clusterApi: string;
  readonly infrastructure: string;
  readonly machineApprover: string;
  readonly clusterAutoscaler: string;
}

/** A cluster of the fleet. */
export interface FleetCluster {
  readonly namespace: string;
  readonly name: string;
  readonly platform: FleetPlatform;
  readonly machines: number;
}

/** What there is to know about a guest cluster, once it runs. */
export interface GuestAccess {
  readonly host: string;
  readonly port: number;
  readonly kubeconfigSecret: KubeObject;
  /** What an instance needs to join. */
  readonly userData: string;
}

const MACHINES_EACH = 2;
/** Ships' gear, in the order of the alphabet; a fleet larger than that is numbered on. */
const NAMES = ['anchor', 'bollard', 'cleat', 'davit', 'fender', 'gaff', 'halyard', 'jib', 'keel', 'lanyard'];
const PLATFORMS: readonly FleetPlatform[] = ['aws', 'azure', 'kubevirt', 'gcp', 'openstack', 'powervs'];

/** The clusters of a fleet of that size. */
export function fleetOf(size: number): FleetCluster[] {
  return Array.from({ length: size }, (_, index) => {
    const round = Math.floor(index / NAMES.length);
    const name = `${NAMES[index % NAMES.length] ?? ''}${round === 0 ? '' : `-${round + 1}`}`;
    const platform = PLATFORMS[index % PLATFORMS.length] ?? 'aws';
    return { namespace: `clusters-${name}`, name, platform, machines: MACHINES_EACH };
  });
}

/** A namespace for each cluster. */
export function clusterNamespace({ name, namespace }: FleetCluster): KubeObject {
  const labels = { 'capstan.dev/fleet': name };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } };
}

/**
 * The controllers of a cluster, each limited to its namespace. They use the standard groups without permissions for
 * them: their proxy sidecars translate those to the private groups.
 */
export function clusterPrograms({ name, namespace, platform }: FleetCluster, images: ProgramImages): KubeObject[] {
  const groups = [CORE, `infrastructure.${CORE}`, `bootstrap.${CORE}`, `controlplane.${CORE}`].map((group) =>
    MAPPING.swap(group),
  );
  const secrets = read('', 'secrets', 'configmaps');
  const definitions = read('apiextensions.k8s.io', 'customresourcedefinitions');
  const kubeconfig = { kubeconfig: `${name}-kubeconfig` };
  const programs: readonly Omit<ProgramManifest, 'namespace'>[] = [
    {
      name: 'cluster-api',
      image: images.clusterApi,
      args: [`--namespace=${namespace}`, '--leader-elect'],
      rules: [all(...groups, 'hypershift.openshift.io'), secrets],
      clusterRules: [definitions],
      proxied: true,
    },
    {
      name: 'capi-provider',
      image: images.infrastructure,
      args: [`--platform=${platform}`, `--namespace=${namespace}`, '--leader-elect'],
      rules: [all(...groups), secrets],
      clusterRules: [definitions],
      proxied: true,
    },
    {
      name: 'machine-approver',
      image: images.machineApprover,
      args: [
        `--apigroup=${CORE}`,
        `--machine-namespace=${namespace}`,
        '--workload-cluster-kubeconfig=/etc/kubeconfig/value',
        `--management-cluster-kubeconfig=${SIDECAR_KUBECONFIG}`,
      ],
      rules: [read(HOSTED_CORE, 'machines')],
      secrets: kubeconfig,
      proxied: true,
    },
    {
      name: 'cluster-autoscaler',
      image: images.clusterAutoscaler,
      args: [
        '--cloud-provider=clusterapi',
        '--kubeconfig=/etc/kubeconfig/value',
        `--cloud-config=${SIDECAR_KUBECONFIG}`,
        '--clusterapi-cloud-config-authoritative',
        `--node-group-auto-discovery=clusterapi:namespace=${namespace}`,
      ],
      rules: [all(HOSTED_CORE), read(HOSTED_INFRASTRUCTURE, '*')],
      secrets: kubeconfig,
      proxied: true,
    },
  ];
  return programs.flatMap((program) => programObjects({ namespace, ...program }));
}

/** The control plane, which runs elsewhere: Cluster API only sees its status. */
export function controlPlaneOf({ name, namespace }: FleetCluster): KubeObject {
  const service = (each: string): object => ({ service: each, servicePublishingStrategy: { type: 'Route' } });
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name, namespace, labels: { [`${CORE}/cluster-name`]: name } },
    spec: {
      dns: { baseDomain: 'fleet.example.com' },
      etcd: {
        managementType: 'Unmanaged',
        unmanaged: { endpoint: 'https://etcd:2379', tls: { clientSecret: { name: 'etcd' } } },
      },
      infraID: name,
      issuerURL: `https://${name}.fleet.example.com`,
      platform: { type: 'None' },
      pullSecret: { name: 'pull-secret' },
      releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64',
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((each) => service(each)),
      sshKey: { name: 'ssh-key' },
    },
  };
}

/** The status of a control plane that answers. */
export const CONTROL_PLANE_STATUS = {
  initialized: true,
  ready: true,
  externalManagedControlPlane: true,
  version: 'v1.36.3',
} as const;

/** The cluster itself, and the machines it is to have. */
export function clusterObjects(cluster: FleetCluster, guest: GuestAccess): KubeObject[] {
  const { name, namespace } = cluster;
  const { infrastructure, template } = infrastructureOf(cluster, HOSTED_INFRASTRUCTURE);
  const controlPlane = controlPlaneOf(cluster);
  return [
    guest.kubeconfigSecret,
    userDataSecret(cluster, guest.userData),
    infrastructure,
    template,
    controlPlane,
    {
      apiVersion: `${HOSTED_CORE}/v1beta2`,
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: {
        controlPlaneEndpoint: { host: guest.host, port: guest.port },
        controlPlaneRef: reference(controlPlane),
        infrastructureRef: reference(infrastructure),
      },
    },
    machineDeployment(cluster, template),
    healthCheck(cluster),
  ];
}

function reference({ apiVersion, kind, metadata }: KubeObject): object {
  return { apiGroup: apiVersion.split('/')[0], kind, name: metadata.name };
}

function ownedBy({ name }: FleetCluster): { readonly labels: Record<string, string> } {
  return { labels: { [`${CORE}/cluster-name`]: name } };
}

const POOL = { matchLabels: { 'capstan.dev/pool': 'workers' } };

function userDataSecret(cluster: FleetCluster, userData: string): KubeObject {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${cluster.name}-user-data`, namespace: cluster.namespace, ...ownedBy(cluster) },
    type: `${CORE}/secret`,
    data: { value: encoded(userData), format: encoded('ignition') },
  };
}

function machineDeployment(cluster: FleetCluster, template: KubeObject): KubeObject {
  const { machines, name, namespace } = cluster;
  return {
    apiVersion: `${HOSTED_CORE}/v1beta2`,
    kind: 'MachineDeployment',
    metadata: {
      name: `${name}-workers`,
      namespace,
      ...ownedBy(cluster),
      annotations: {
        [`${CORE}/cluster-api-autoscaler-node-group-min-size`]: '1',
        [`${CORE}/cluster-api-autoscaler-node-group-max-size`]: '5',
      },
    },
    spec: {
      clusterName: name,
      replicas: machines,
      selector: POOL,
      template: {
        metadata: { labels: POOL.matchLabels },
        spec: {
          clusterName: name,
          bootstrap: { dataSecretName: `${name}-user-data` },
          infrastructureRef: reference(template),
          version: 'v1.36.3',
        },
      },
    },
  };
}

/** Machines whose node is silent for a minute are replaced, unless that is most of them. */
function healthCheck(cluster: FleetCluster): KubeObject {
  const { name, namespace } = cluster;
  const silent = ['Unknown', 'False'].map((status) => ({ type: 'Ready', status, timeoutSeconds: 60 }));
  return {
    apiVersion: `${HOSTED_CORE}/v1beta2`,
    kind: 'MachineHealthCheck',
    metadata: { name: `${name}-workers`, namespace, ...ownedBy(cluster) },
    spec: {
      clusterName: name,
      selector: POOL,
      checks: { nodeStartupTimeoutSeconds: 600, unhealthyNodeConditions: silent },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '60%' } },
    },
  };
}
