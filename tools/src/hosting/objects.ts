import type { JsonObject, KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';

/** Where users keep their clusters here. */
export const HOME = 'clusters';

/** The flags that each platform requires for a cluster and for a pool, by platform key; the rest has defaults. */
const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agent: { 'agent-namespace': 'hosts', 'api-server-address': '192.0.2.10' },
  aws: {
    'account-id': '123456789012',
    'vpc-id': 'vpc-1',
    'subnet-id': 'subnet-1',
    zone: 'us-east-1a',
    ami: 'ami-0c1ea12ff0a5f9d41',
  },
  azure: {
    'tenant-id': '0b1f6471-1bf0-4dda-aec3-cb9272f09590',
    'resource-group-name': 'fleet',
    'vnet-id':
      '/subscriptions/3f8c3f7e-8f5e-4b57-9d3e-1a2b3c4d5e6f/resourceGroups/fleet/providers/Microsoft.Network/virtualNetworks/fleet',
    'subnet-id':
      '/subscriptions/3f8c3f7e-8f5e-4b57-9d3e-1a2b3c4d5e6f/resourceGroups/fleet/providers/Microsoft.Network/virtualNetworks/fleet/subnets/fleet',
    'network-security-group-id':
      '/subscriptions/3f8c3f7e-8f5e-4b57-9d3e-1a2b3c4d5e6f/resourceGroups/fleet/providers/Microsoft.Network/networkSecurityGroups/fleet',
    'workload-identities-file': JSON.stringify(
      Object.fromEntries(
        [
          'imageRegistry',
          'ingress',
          'file',
          'disk',
          'nodePoolManagement',
          'cloudProvider',
          'network',
          'controlPlaneOperator',
        ].map((name, index) => [name, { clientID: `7c4ff2e0-0b1c-4b6e-9d1e-00000000000${index}` }]),
      ),
    ),
    'image-id': '/subscriptions/3f8c3f7e/resourceGroups/fleet/providers/Microsoft.Compute/images/rhcos',
  },
  gcp: {
    project: 'fleet-project',
    network: 'fleet',
    'private-service-connect-subnet': 'psc',
    'workload-identity-project-number': '123456789012',
    'workload-identity-pool-id': 'fleet-pool',
    'workload-identity-provider-id': 'fleet-provider',
    'boot-image': 'projects/rhcos-cloud/global/images/rhcos',
  },
  kubevirt: { containerdisk: 'quay.io/capstan/rhcos', 'api-server-address': '192.0.2.11' },
  openstack: {
    'openstack-credentials-file': 'clouds: {}',
    'openstack-node-flavor': 'm1.large',
    'openstack-node-image-name': 'rhcos',
  },
  powervs: {
    'account-id': 'account',
    'cis-instance-crn': 'crn:v1:bluemix:public:internet-svcs:global:a/account:instance::',
    'resource-group': 'fleet',
    'cloud-instance-id': 'workspace',
    'subnet-id': 'subnet-1',
    vpc: 'fleet',
    'api-key-file': 'key',
    image: 'rhcos',
  },
};

function secret(name: string, values: Record<string, string>): KubeObject {
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: HOME },
    data: Object.fromEntries(data) as JsonObject,
  };
}

function requestFor(platform: HostingPlatform, name: string): Parameters<HostingPlatform['create']['cluster']>[0] {
  const known = [...platform.create.clusterFlags, ...platform.create.nodePoolFlags];
  const defaults = known.flatMap((flag) => (flag.default === undefined ? [] : [[flag.name, flag.default]]));
  const flags = { ...(Object.fromEntries(defaults) as Record<string, string>), ...FLAGS[platform.key] };
  return { name, namespace: HOME, infraID: `${name}-x7k2p`, baseDomain: 'fleet.example.com', flags };
}

function required<T extends object>(made: T | readonly { path: string; message: string }[]): T {
  if (Array.isArray(made)) throw new Error(`the platform refuses its example: ${JSON.stringify(made)}`);
  return made as T;
}

/** What a user applies for a cluster: in the order in which it is written. */
export function clusterObjects(platform: HostingPlatform, name: string, image: string): KubeObject[] {
  const { objects, settings, spec = {} } = required(platform.create.cluster(requestFor(platform, name)));
  const published = (service: string, type: string): object => ({ service, servicePublishingStrategy: { type } });
  const cluster: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace: HOME },
    spec: {
      controllerAvailabilityPolicy: 'SingleReplica',
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      infraID: `${name}-x7k2p`,
      issuerURL: `https://${name}.fleet.example.com`,
      networking: {
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        machineNetwork: [{ cidr: '10.0.0.0/16' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
        networkType: 'OVNKubernetes',
      },
      platform: { type: platform.type, ...(settings === undefined ? {} : { [platform.key]: settings }) },
      pullSecret: { name: `${name}-pull-secret` },
      release: { image },
      services: [
        published('APIServer', 'LoadBalancer'),
        published('OAuthServer', 'Route'),
        published('Konnectivity', 'Route'),
        published('Ignition', 'Route'),
      ],
      sshKey: { name: `${name}-ssh-key` },
      ...spec,
      dns: { baseDomain: 'fleet.example.com', ...(spec['dns'] as JsonObject | undefined) },
    },
  };
  return [
    secret(`${name}-pull-secret`, { '.dockerconfigjson': '{"auths":{}}' }),
    secret(`${name}-ssh-key`, { 'id_rsa.pub': 'ssh-ed25519 AAAA' }),
    ...objects,
    cluster as KubeObject,
  ];
}

/** A pool of such a cluster. */
export function poolObject(
  platform: HostingPlatform,
  { cluster, image, name }: { readonly cluster: string; readonly name: string; readonly image: string },
  spec: object = {},
): KubeObject {
  const settings = platform.create.nodePool(requestFor(platform, cluster));
  const pool: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name, namespace: HOME },
    spec: {
      arch: platform.nodePools.architectures.includes('amd64') ? 'amd64' : platform.nodePools.architectures[0],
      clusterName: cluster,
      management: { upgradeType: 'Replace', autoRepair: true },
      platform: { type: platform.type, ...(settings === undefined ? {} : { [platform.key]: required(settings) }) },
      release: { image },
      replicas: 2,
      ...spec,
    },
  };
  return pool as KubeObject;
}
