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

/** What only makes sense together is chosen for a whole object. */
interface Scenario {
  readonly host: 'none' | 'any' | 'given' | 'dynamic';
  readonly market: 'none' | 'OnDemand' | 'Spot' | 'CapacityBlock' | 'reserved';
  readonly isByFilters: boolean;
  /** Whether values may be wrong. */
  readonly isWrong: boolean;
}
const scenarios = new WeakMap<Choices, Scenario>();

function scenarioOf(choices: Choices): Scenario {
  const scenario = scenarios.get(choices) ?? {
    host: oneOf(choices, 'none', 'any', 'given', 'dynamic') as Scenario['host'],
    market: oneOf(choices, 'none', 'OnDemand', 'Spot', 'CapacityBlock', 'reserved') as Scenario['market'],
    isByFilters: choices.below(2) === 0,
    isWrong: choices.below(4) === 1,
  };
  scenarios.set(choices, scenario);
  return scenario;
}

/** Now and then what cannot be converted. */
const rarely = (choices: Choices, wrong: unknown, right: unknown): unknown =>
  scenarioOf(choices).isWrong && choices.below(12) === 1 ? wrong : right;
const hostId = (choices: Choices): string => `h-0123456789abcdef${choices.below(10)}`;
const when = (isSo: boolean, value: unknown): unknown => (isSo ? value : absent);

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
  'placement.host.dedicatedHost.dynamicHostAllocation.tags[].name': (choices) =>
    when(scenarioOf(choices).host === 'dynamic', `tag-${choices.below(50)}`),
  'placement.host.dedicatedHost.dynamicHostAllocation.tags[].value': (choices) =>
    when(scenarioOf(choices).host === 'dynamic', 'v'),
  'credentialsSecret.name': (choices) => rarely(choices, 'other', 'aws-cloud-credentials'),
  deviceIndex: (choices) => rarely(choices, 1, 0),
  networkInterfaceType: (choices) => oneOf(choices, 'ENA', 'EFA', ''),
  'placement.region': (choices) => rarely(choices, 'us-east-1', 'eu-north-1'),
  'placement.tenancy': (choices) =>
    scenarioOf(choices).host === 'none'
      ? oneOf(choices, 'default', 'dedicated', 'host', '')
      : rarely(choices, '', 'host'),
  'placement.host.affinity': (choices) => {
    const { host } = scenarioOf(choices);
    if (host === 'given') return oneOf(choices, 'DedicatedHost', 'AnyAvailable');
    return when(host !== 'none', host === 'dynamic' ? 'DedicatedHost' : rarely(choices, '', 'AnyAvailable'));
  },
  'placement.host.dedicatedHost.allocationStrategy': (choices) => {
    const { host } = scenarioOf(choices);
    return host === 'dynamic' ? 'Dynamic' : when(host === 'given', oneOf(choices, 'UserProvided', absent));
  },
  'placement.host.dedicatedHost.id': (choices) =>
    when(scenarioOf(choices).host === 'given', rarely(choices, 'h-01234567', hostId(choices))),
  'blockDevices[].deviceName': (choices) =>
    oneOf(choices, `/dev/sd${choices.below(9)}`, '/dev/sdx', '/dev/sdy', absent),
  'blockDevices[].ebs.deleteOnTermination': (choices) => rarely(choices, false, oneOf(choices, true, absent)),
  'blockDevices[].ebs.volumeSize': (choices) => rarely(choices, absent, volume['size']?.(choices)),
  'blockDevices[].ebs.volumeType': (choices) => volume['type']?.(choices),
  'blockDevices[].ebs.throughputMib': (choices) => volume['throughput']?.(choices),
  'blockDevices[].ebs.kmsKey.id': (choices) => oneOf(choices, absent, '', volume['key']?.(choices)),
  'blockDevices[].ebs.kmsKey.arn': (choices) => rarely(choices, 'arn:aws:kms:key', oneOf(choices, absent, '')),
  'metadataServiceOptions.authentication': (choices) => oneOf(choices, 'Required', 'Optional', ''),
  placementGroupPartition: (choices) => choices.below(8),
  capacityReservationId: (choices) => when(['reserved', 'CapacityBlock'].includes(scenarioOf(choices).market), 'cr-1'),
  marketType: (choices) => {
    const { market } = scenarioOf(choices);
    return market === 'none' || market === 'reserved' ? oneOf(choices, '', absent) : market;
  },
  'spotMarketOptions.maxPrice': (choices) => when(scenarioOf(choices).market === 'Spot', '0.2'),
};

const right: Makers = {
  'ami.id': (choices) => rarely(choices, absent, `ami-${choices.below(99)}`),
  instanceType: (choices) => rarely(choices, 'm', oneOf(choices, 'm6i.xlarge', 'c7g.large')),
  'cpuOptions.confidentialCompute': (choices) => oneOf(choices, 'Disabled', 'AMDEncryptedVirtualizationNestedPaging'),
  assignPrimaryIPv6: (choices) => rarely(choices, 'disabled', 'enabled'),
  'privateDnsName.enableResourceNameDnsAAAARecord': () => true,
  'privateDnsName.enableResourceNameDnsARecord': () => true,
  'privateDnsName.hostnameType': (choices) => rarely(choices, 'ip-name', 'resource-name'),
  hostAffinity: (choices) => {
    const { host } = scenarioOf(choices);
    if (host === 'dynamic') return 'host';
    return host === 'given' ? oneOf(choices, 'host', 'default', absent) : oneOf(choices, 'default', absent);
  },
  hostID: (choices) => when(scenarioOf(choices).host === 'given', rarely(choices, 'h-01234567', hostId(choices))),
  'dynamicHostAllocation.tags{}': (choices) => when(scenarioOf(choices).host === 'dynamic', 'v'),
  tenancy: (choices) => (scenarioOf(choices).host === 'none' ? oneOf(choices, 'default', 'dedicated') : 'host'),
  'ignition.storageType': (choices) => rarely(choices, 'ClusterObjectStore', 'UnencryptedUserData'),
  'instanceMetadataOptions.httpEndpoint': (choices) => rarely(choices, 'disabled', 'enabled'),
  'instanceMetadataOptions.httpProtocolIpv6': (choices) => rarely(choices, 'enabled', 'disabled'),
  'instanceMetadataOptions.httpPutResponseHopLimit': (choices) => rarely(choices, 2, 1),
  'instanceMetadataOptions.httpTokens': (choices) => oneOf(choices, 'required', 'optional', absent),
  'instanceMetadataOptions.instanceMetadataTags': (choices) => rarely(choices, 'enabled', 'disabled'),
  marketType: (choices) => {
    const { market } = scenarioOf(choices);
    return when(market !== 'none' && market !== 'reserved', market);
  },
  'spotMarketOptions.maxPrice': (choices) => when(scenarioOf(choices).market === 'Spot', '0.2'),
  capacityReservationId: (choices) => when(['reserved', 'CapacityBlock'].includes(scenarioOf(choices).market), 'cr-1'),
  networkInterfaceType: (choices) => oneOf(choices, 'interface', 'efa'),
  'nonRootVolumes[].deviceName': (choices) => rarely(choices, '', `/dev/sd${choices.below(9)}`),
  placementGroupPartition: (choices) => 1 + choices.below(7),
  instanceID: (choices) => rarely(choices, 'i-3', oneOf(choices, 'i-2', absent)),
  providerID: (choices) => rarely(choices, 'aws:///a/i-3', oneOf(choices, 'aws:///eu-north-1a/i-2', absent)),
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
function reference(path: string, choices: Choices): unknown {
  const { isByFilters } = scenarioOf(choices);
  if (/(?:subnet|ecurityGroups\[\])\.id$/.test(path)) return when(!isByFilters, `id-${choices.below(9)}`);
  if (!/(?:subnet|ecurityGroups\[\])\.filters/.test(path)) return undefined;
  if (!isByFilters) return rarely(choices, 'tag:1', absent);
  return path.endsWith('name') ? `tag:${choices.below(9)}` : undefined;
}

const makeLeft: LeafMaker = (path, choices) => {
  if (path === 'spec.providerID') return rarely(choices, 'nowhere', 'aws:///eu-north-1a/i-1');
  const name = path.slice(PROVIDER_SPEC.length);
  return left[name]?.(choices) ?? reference(path, choices);
};

const makeRight: LeafMaker = (path, choices) => {
  if (path === 'machine.spec.providerID') return 'aws:///eu-north-1a/i-2';
  const name = path.slice(INFRASTRUCTURE.length);
  const ofVolume = /(?:rootVolume|nonRootVolumes\[\])\.(\w+)$/.exec(name)?.[1] ?? '';
  return right[name]?.(choices) ?? volumeFields[ofVolume]?.(choices) ?? reference(path, choices);
};

const frame = [
  'spec',
  'spec.providerSpec',
  'spec.providerSpec.value',
  'spec.providerSpec.value.ami',
  'machine',
  'machine.spec',
  'infrastructure',
  'infrastructure.spec',
];

/** For the trial of the conversion. */
export const conversionExamples: ConversionExamples = {
  context: conversionContext,
  controlPlane: {
    loadBalancers: ['int', 'ext'].map((end) => ({ name: `ocean-7xk2p-${end}`, type: 'network' })),
  },
  makers: { left: makeLeft, right: makeRight },
  required: [...frame, ...['ami', 'ignition', 'privateDnsName'].map((name) => `${INFRASTRUCTURE}${name}`)],
};
