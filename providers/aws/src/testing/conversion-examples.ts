/** What the conversion of machines on AWS is tried with. */
import { absent } from '@capstan/convert';
import type { Choices, LeafMaker } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { ConversionExamples } from '@capstan/provider/testing';

/** A cluster with addresses of both families, so that machines have all that follows from it. */
export const conversionContext: MachineContext = {
  clusterName: 'ocean-7xk2p',
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: {
      name: 'ocean-7xk2p',
      namespace: 'openshift-cluster-api',
      annotations: { 'cluster.x-k8s.io/managed-by': 'cluster-capi-operator-infracluster-controller' },
    },
    spec: {
      region: 'eu-north-1',
      identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
      controlPlaneLoadBalancer: { name: 'ocean-7xk2p-int', loadBalancerType: 'nlb', scheme: 'internal' },
      secondaryControlPlaneLoadBalancer: { name: 'ocean-7xk2p-ext', loadBalancerType: 'nlb' },
    },
  },
  infrastructure: {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    status: {
      infrastructureName: 'ocean-7xk2p',
      platformStatus: { type: 'AWS', aws: { region: 'eu-north-1', ipFamily: 'DualStackIPv6Primary' } },
    },
  },
};

const oneOf = (choices: Choices, ...values: readonly unknown[]): unknown => values[choices.below(values.length)];
/** Now and then what cannot be converted. */
const rarely = (choices: Choices, wrong: unknown, right: unknown): unknown => (choices.below(40) === 1 ? wrong : right);
const hostId = (choices: Choices): string => `h-0123456789abcdef${choices.below(10)}`;

type Makers = Readonly<Record<string, (choices: Choices) => unknown>>;

/** Volumes are of type gp3 throughout, as other types take no throughput. */
const volume: Makers = {
  size: (choices) => rarely(choices, 4, 8 + choices.below(500)),
  type: (choices) => rarely(choices, oneOf(choices, 'io1', 'gp2', ''), 'gp3'),
  throughput: (choices) => oneOf(choices, absent, 0, 125 + choices.below(1875)),
  key: (choices) => oneOf(choices, absent, 'arn:aws:kms:eu-north-1:1:key/k', '1234abcd', ''),
};

const left: Makers = {
  'ami.id': (choices) => rarely(choices, absent, `ami-${choices.below(99)}`),
  instanceType: (choices) => rarely(choices, 'm', oneOf(choices, 'm6i.xlarge', 'c7g.large')),
  'cpuOptions.confidentialCompute': (choices) =>
    rarely(choices, 'On', oneOf(choices, 'Disabled', 'AMDEncryptedVirtualizationNestedPaging', '')),
  'tags[].name': (choices) => `tag-${choices.below(50)}`,
  'placement.host.dedicatedHost.dynamicHostAllocation.tags[].name': (choices) => `tag-${choices.below(50)}`,
  'credentialsSecret.name': (choices) => rarely(choices, 'other', 'aws-cloud-credentials'),
  deviceIndex: (choices) => rarely(choices, 1, 0),
  networkInterfaceType: (choices) => oneOf(choices, 'ENA', 'EFA', ''),
  'placement.region': (choices) => rarely(choices, 'us-east-1', 'eu-north-1'),
  'placement.tenancy': (choices) => oneOf(choices, 'host', 'host', 'default', ''),
  'placement.host.affinity': (choices) => oneOf(choices, 'DedicatedHost', 'AnyAvailable'),
  'placement.host.dedicatedHost.allocationStrategy': (choices) => oneOf(choices, 'UserProvided', 'Dynamic', absent),
  'placement.host.dedicatedHost.id': (choices) => oneOf(choices, absent, hostId(choices)),
  'blockDevices[].deviceName': (choices) => oneOf(choices, `/dev/sd${choices.below(9)}`, '/dev/sdx', '/dev/sdy', absent),
  'blockDevices[].ebs.deleteOnTermination': (choices) => rarely(choices, false, oneOf(choices, true, absent)),
  'blockDevices[].ebs.volumeSize': (choices) => oneOf(choices, absent, volume['size']?.(choices)),
  'blockDevices[].ebs.volumeType': (choices) => volume['type']?.(choices),
  'blockDevices[].ebs.throughputMib': (choices) => volume['throughput']?.(choices),
  'blockDevices[].ebs.kmsKey.id': (choices) => oneOf(choices, absent, '', volume['key']?.(choices)),
  'blockDevices[].ebs.kmsKey.arn': (choices) => rarely(choices, 'arn:aws:kms:key', oneOf(choices, absent, '')),
  'metadataServiceOptions.authentication': (choices) => oneOf(choices, 'Required', 'Optional', ''),
  placementGroupPartition: (choices) => choices.below(8),
  capacityReservationId: (choices) => oneOf(choices, absent, absent, '', 'cr-1'),
  marketType: (choices) => oneOf(choices, 'OnDemand', 'Spot', 'CapacityBlock', ''),
  'spotMarketOptions.maxPrice': (choices) => rarely(choices, 'a', absent),
};

const right: Makers = {
  'ami.id': (choices) => rarely(choices, absent, `ami-${choices.below(99)}`),
  instanceType: (choices) => rarely(choices, 'm', oneOf(choices, 'm6i.xlarge', 'c7g.large')),
  'cpuOptions.confidentialCompute': (choices) => oneOf(choices, 'Disabled', 'AMDEncryptedVirtualizationNestedPaging'),
  assignPrimaryIPv6: (choices) => rarely(choices, 'disabled', 'enabled'),
  'privateDnsName.enableResourceNameDnsAAAARecord': () => true,
  'privateDnsName.enableResourceNameDnsARecord': () => true,
  'privateDnsName.hostnameType': (choices) => rarely(choices, 'ip-name', 'resource-name'),
  hostAffinity: (choices) => oneOf(choices, 'default', 'default', 'host', absent),
  hostID: (choices) => oneOf(choices, absent, absent, hostId(choices), 'h-01234567'),
  tenancy: (choices) => oneOf(choices, 'host', 'host', 'default', 'dedicated'),
  'ignition.storageType': (choices) => rarely(choices, 'ClusterObjectStore', 'UnencryptedUserData'),
  'instanceMetadataOptions.httpEndpoint': (choices) => rarely(choices, 'disabled', 'enabled'),
  'instanceMetadataOptions.httpProtocolIpv6': (choices) => rarely(choices, 'enabled', 'disabled'),
  'instanceMetadataOptions.httpPutResponseHopLimit': (choices) => rarely(choices, 2, 1),
  'instanceMetadataOptions.httpTokens': (choices) => oneOf(choices, 'required', 'optional', absent),
  'instanceMetadataOptions.instanceMetadataTags': (choices) => rarely(choices, 'enabled', 'disabled'),
  marketType: (choices) => oneOf(choices, 'OnDemand', 'Spot', 'CapacityBlock'),
  'spotMarketOptions.maxPrice': (choices) => rarely(choices, 'a', absent),
  capacityReservationId: (choices) => oneOf(choices, absent, absent, 'cr-1'),
  networkInterfaceType: (choices) => oneOf(choices, 'interface', 'efa'),
  'nonRootVolumes[].deviceName': (choices) => rarely(choices, '', `/dev/sd${choices.below(9)}`),
  placementGroupPartition: (choices) => 1 + choices.below(7),
  instanceID: (choices) => rarely(choices, 'i-2', absent),
  providerID: (choices) => rarely(choices, 'aws:///a/i-2', absent),
};
const volumeFields: Makers = {
  size: (choices) => volume['size']?.(choices),
  type: (choices) => volume['type']?.(choices),
  throughput: (choices) => volume['throughput']?.(choices),
  encryptionKey: (choices) => volume['key']?.(choices),
};

const PROVIDER_SPEC = 'spec.providerSpec.value.';
const INFRASTRUCTURE = 'infrastructure.spec.';

/** Ids of security groups and subnets come with no filters. */
const noFilters = (path: string, choices: Choices): unknown =>
  /(?:subnet|ecurityGroups\[\])\.id$/.test(path) ? rarely(choices, 'x', absent) : undefined;

const makeLeft: LeafMaker = (path, choices) => {
  if (path === 'spec.providerID') return rarely(choices, 'nowhere', 'aws:///eu-north-1a/i-1');
  const name = path.slice(PROVIDER_SPEC.length);
  return left[name]?.(choices) ?? filters(path, choices) ?? noFilters(path, choices);
};

const filters = (path: string, choices: Choices): unknown =>
  path.endsWith('.filters[].name') ? `tag:${choices.below(9)}` : undefined;

const makeRight: LeafMaker = (path, choices) => {
  if (path === 'machine.spec.providerID') return 'aws:///eu-north-1a/i-2';
  const name = path.slice(INFRASTRUCTURE.length);
  const ofVolume = /(?:rootVolume|nonRootVolumes\[\])\.(\w+)$/.exec(name)?.[1] ?? '';
  return (
    right[name]?.(choices) ?? volumeFields[ofVolume]?.(choices) ?? filters(path, choices) ?? noFilters(path, choices)
  );
};

/** For the trial of the conversion. */
export const conversionExamples: ConversionExamples = {
  context: conversionContext,
  makers: { left: makeLeft, right: makeRight },
};
