import type { KubeObject } from '@capstan/meta';
import type { CloudPlatform } from '@capstan/upstream';
import type { FleetCluster } from './fleet.js';

/** The platforms a fleet is spread over. */
export type FleetPlatform = Extract<CloudPlatform, 'aws' | 'azure' | 'gcp' | 'kubevirt' | 'openstack' | 'powervs'>;

/** Where the management cluster itself runs. */
export const PLATFORM: FleetPlatform = 'aws';

interface Platform {
  readonly version: string;
  /** `AWS` of AWSCluster and AWSMachineTemplate. */
  readonly prefix: string;
  readonly cluster: object;
  readonly machine: object;
}

/** The smallest cluster and machine each platform accepts. */
const PLATFORMS: Readonly<Record<FleetPlatform, Platform>> = {
  aws: {
    version: 'v1beta2',
    prefix: 'AWS',
    cluster: { region: 'us-east-1' },
    machine: { instanceType: 'm6i.xlarge', ami: { id: 'ami-0c1ea12ff0a5f9d41' } },
  },
  azure: {
    version: 'v1beta1',
    prefix: 'Azure',
    cluster: { location: 'eastus', subscriptionID: '3f8c3f7e-8f5e-4b57-9d3e-1a2b3c4d5e6f', resourceGroup: 'fleet' },
    machine: { vmSize: 'Standard_D4s_v5', sshPublicKey: '', osDisk: { osType: 'Linux', diskSizeGB: 120 } },
  },
  kubevirt: {
    version: 'v1alpha1',
    prefix: 'Kubevirt',
    cluster: {},
    machine: {
      virtualMachineTemplate: {
        spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } },
      },
    },
  },
  gcp: {
    version: 'v1beta1',
    prefix: 'GCP',
    cluster: { project: 'fleet', region: 'us-central1' },
    machine: { instanceType: 'n2-standard-4' },
  },
  openstack: {
    version: 'v1beta1',
    prefix: 'OpenStack',
    cluster: { identityRef: { name: 'cloud', cloudName: 'openstack' } },
    machine: { flavor: 'm1.xlarge', image: { filter: { name: 'rhcos' } } },
  },
  powervs: {
    version: 'v1beta2',
    prefix: 'IBMPowerVS',
    cluster: { network: { name: 'fleet' }, serviceInstanceID: 'fleet' },
    machine: { network: { name: 'fleet' }, serviceInstanceID: 'fleet', memoryGiB: 32, processors: '1' },
  },
};

/** The infrastructure of a cluster and what its machines are made from. */
export function infrastructureOf(
  of: Pick<FleetCluster, 'name' | 'namespace' | 'platform'>,
  group: string,
): { infrastructure: KubeObject; template: KubeObject } {
  const { name, namespace, platform } = of;
  const row = PLATFORMS[platform];
  const apiVersion = `${group}/${row.version}`;
  const labels = { 'cluster.x-k8s.io/cluster-name': name };
  return {
    infrastructure: {
      apiVersion,
      kind: `${row.prefix}Cluster`,
      metadata: { name, namespace, labels },
      spec: row.cluster,
    },
    template: {
      apiVersion,
      kind: `${row.prefix}MachineTemplate`,
      metadata: { name: `${name}-workers`, namespace, labels },
      spec: { template: { spec: row.machine } },
    },
  };
}
