import { isRecord, setAt } from '@capstan/convert';
import { providerMap } from '@capstan/convert/machine-api';
import type { MachineContext } from '@capstan/convert/machine-api';
import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conversionContext as context } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

const map = providerMap(conversion);

const spec: JsonObject = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'AWSMachineProviderConfig',
  ami: { id: 'ami-1' },
  instanceType: 'm6i.xlarge',
  placement: { region: 'eu-north-1' },
  securityGroups: [{ id: 'sg-1' }],
  subnet: { id: 'subnet-1' },
};
const machine = map.forward({ spec: { providerSpec: { value: spec } } }, context).value['infrastructure'] as {
  spec: JsonObject;
};

/** A record with one field of it changed. */
function changed(record: JsonObject, path: string, value: unknown): JsonObject {
  const copy = cloneJson(record) as JsonObject;
  setAt(copy, path.split('.'), value);
  return copy;
}

const issueLines = (issues: readonly { readonly path: string; readonly message: string }[], prefix: string): string[] =>
  issues.map(({ message, path }) => `${path.startsWith(prefix) ? path.slice(prefix.length) : `/${path}`}: ${message}`);

function toClusterApi(path: string, value: unknown, about: MachineContext = context): ReturnType<typeof outcome> {
  return outcome('left', changed(spec, path, value), about);
}
function toMachineApi(path: string, value: unknown, about: MachineContext = context): ReturnType<typeof outcome> {
  return outcome('right', changed(machine.spec, path, value), about);
}
function outcome(side: 'left' | 'right', record: JsonObject, about: MachineContext) {
  const isLeft = side === 'left';
  const source = isLeft
    ? { spec: { providerSpec: { value: record } } }
    : { machine: {}, infrastructure: { spec: record } };
  const { errors, warnings, value } = map.convert(side, source, about);
  const prefix = isLeft ? 'spec.providerSpec.value.' : 'infrastructure.spec.';
  return { errors: issueLines(errors, prefix), warnings: issueLines(warnings, prefix), value };
}

const dedicated = (host: JsonObject, tenancy = 'host'): JsonObject => ({ region: 'eu-north-1', tenancy, host });

describe('what Cluster API cannot say', () => {
  it('begins with a machine that it can', () => {
    expect(toClusterApi('ami.id', 'ami-1')).toMatchObject({ errors: [], warnings: [] });
  });

  const image = 'cannot be kept: Cluster API takes the id of an image; set ami.id instead';
  const profile = 'cannot be kept: Cluster API takes the name of a profile; set iamInstanceProfile.id instead';
  const arn = 'cannot be kept: Cluster API finds it by id or by filters; set its id instead';
  const filters = [{ name: 'tag:Name', values: ['a'] }];
  const ebs = (fields: JsonObject): JsonObject => ({ volumeSize: 50, volumeType: 'gp3', ...fields });
  it.each<readonly [string, unknown, string]>([
    ['metadata', { labels: { a: 'b' } }, 'metadata: has no place in Cluster API, and nothing reads it: remove it'],
    ['ami', {}, 'ami.id: must be set: an image is kept by its id alone'],
    ['ami.arn', 'arn:aws:ec2', `ami.arn: ${image}`],
    ['ami.filters', filters, `ami.filters: ${image}`],
    ['instanceType', '', 'instanceType: must be a string of two characters or more'],
    [
      'cpuOptions.confidentialCompute',
      'TDX',
      'cpuOptions.confidentialCompute: Unsupported value: "TDX": supported values: "Disabled", "AMDEncryptedVirtualizationNestedPaging"',
    ],
    [
      'tags',
      [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
      'tags[1].name: Duplicate value: "a"',
    ],
    ['iamInstanceProfile.arn', 'arn:aws:iam', `iamInstanceProfile.arn: ${profile}`],
    ['iamInstanceProfile.filters', filters, `iamInstanceProfile.filters: ${profile}`],
    [
      'credentialsSecret.name',
      'mine',
      'credentialsSecret.name: is "mine": only "aws-cloud-credentials" can be kept, as Cluster API has credentials on the infrastructure cluster',
    ],
    [
      'deviceIndex',
      1,
      'deviceIndex: is 1, and only 0 can be kept: Cluster API attaches the interface of a machine there',
    ],
    ['networkInterfaceType', 'ENI', 'networkInterfaceType: Unsupported value: "ENI": supported values: "ENA", "EFA"'],
    ['securityGroups', [{ id: 'sg-1' }, { arn: 'arn:aws:ec2' }], `securityGroups[1].arn: ${arn}`],
    [
      'securityGroups',
      [{ id: 'sg-1', filters }],
      'securityGroups[0].id: cannot be set together with filters: remove these',
    ],
    ['subnet', { arn: 'arn:aws:ec2' }, `subnet.arn: ${arn}`],
    ['subnet', { id: 'subnet-1', filters }, 'subnet.id: cannot be set together with filters: remove these'],
    ['subnet', { filters: [{ values: ['a'] }] }, 'subnet.filters[0].name: must name what is compared'],
    [
      'placement.region',
      'us-east-1',
      'placement.region: is "us-east-1", but spec.region of the infrastructure cluster is "eu-north-1"',
    ],
    [
      'placement.tenancy',
      'shared',
      'placement.tenancy: Unsupported value: "shared": supported values: "default", "dedicated", "host"',
    ],
    [
      'blockDevices',
      [{ ebs: ebs({}) }, { ebs: ebs({}) }],
      'blockDevices[1]: there is one already: spec.providerSpec.value.blockDevices[0]',
    ],
    [
      'blockDevices',
      [{ deviceName: '/dev/sdb', noDevice: '', virtualName: 'ephemeral0' }],
      'blockDevices[0].virtualName: cannot be kept: Cluster API maps no instance store volumes',
    ],
    [
      'blockDevices',
      [{ deviceName: '/dev/sdb', noDevice: '/dev/sdb' }],
      'blockDevices[0].noDevice: cannot be kept: Cluster API hides no devices of an image',
    ],
    [
      'blockDevices',
      [{ deviceName: '/dev/sdb', ebs: ebs({ deleteOnTermination: false }) }],
      'blockDevices[0].ebs.deleteOnTermination: is false, which cannot be kept: volumes are deleted with their machine',
    ],
    [
      'blockDevices',
      [{ deviceName: '/dev/sdb', ebs: ebs({ volumeSize: 4 }) }],
      'blockDevices[0].ebs.volumeSize: is 4, and Cluster API creates volumes of 8 GiB and more only',
    ],
    [
      'blockDevices',
      [{ ebs: { volumeSize: 50, volumeType: 'io2' } }],
      'blockDevices[0].ebs.volumeType: is "io2", which needs iops: set these',
    ],
    [
      'blockDevices',
      [{ ebs: { volumeSize: 50, volumeType: 'gp2', throughputMib: 200 } }],
      'blockDevices[0].ebs.throughputMib: can be set for volumes of type gp3 only: set volumeType, or remove it',
    ],
    [
      'blockDevices',
      [{ ebs: ebs({ throughputMib: 3000 }) }],
      'blockDevices[0].ebs.throughputMib: must be from 125 to 2000, and is 3000',
    ],
    [
      'blockDevices',
      [{ ebs: ebs({ kmsKey: { filters } }) }],
      'blockDevices[0].ebs.kmsKey.filters: cannot be kept: Cluster API takes the id or the ARN of a key',
    ],
    [
      'blockDevices',
      [{ ebs: ebs({ kmsKey: { id: 'a', arn: 'arn:b' } }) }],
      'blockDevices[0].ebs.kmsKey.arn: cannot be set together with id: remove one of them',
    ],
    [
      'metadataServiceOptions.authentication',
      'None',
      'metadataServiceOptions.authentication: Unsupported value: "None": supported values: "Required", "Optional"',
    ],
    ['placementGroupPartition', 8, 'placementGroupPartition: must be from 1 to 7, and is 8'],
    [
      'marketType',
      'Free',
      'marketType: Unsupported value: "Free": supported values: "OnDemand", "Spot", "CapacityBlock"',
    ],
    ['marketType', 'CapacityBlock', 'marketType: needs capacityReservationId: set it'],
    ['unknownField', 1, 'unknownField: is a field this conversion does not know'],
  ])('%s: %j', (path, value, message) => {
    expect(toClusterApi(path, value)).toMatchObject({ errors: [message], warnings: [] });
  });

  it.each<readonly [string, JsonObject, string]>([
    [
      'an instance of the spot market with a reservation',
      { spotMarketOptions: {}, capacityReservationId: 'cr-1' },
      'capacityReservationId: cannot be set for spot instances: remove it, or have them on demand',
    ],
    [
      'one on demand with options of the spot market',
      { spotMarketOptions: {}, marketType: 'OnDemand' },
      'marketType: is "OnDemand", which cannot be together with spotMarketOptions: remove one',
    ],
    [
      'a host without the tenancy',
      { placement: dedicated({ affinity: 'AnyAvailable' }, 'default') },
      'placement.host: can be set when placement.tenancy is "host" only',
    ],
    [
      'a host without affinity',
      { placement: dedicated({ dedicatedHost: { id: 'h-0123456789abcdef0' } }) },
      'placement.host.affinity: Unsupported value: "": supported values: "AnyAvailable", "DedicatedHost"',
    ],
    [
      'a dedicated host that is not named',
      { placement: dedicated({ affinity: 'DedicatedHost' }) },
      'placement.host.dedicatedHost: must be set when affinity is "DedicatedHost"',
    ],
    [
      'a host of the old form',
      { placement: dedicated({ affinity: 'DedicatedHost', dedicatedHost: { id: 'h-01234567' } }) },
      'placement.host.dedicatedHost.id: is "h-01234567", an id of the old form, which Cluster API does not take: use a newer host',
    ],
    [
      'a host that is none',
      { placement: dedicated({ affinity: 'DedicatedHost', dedicatedHost: { id: 'x' } }) },
      'placement.host.dedicatedHost.id: must be h- and 17 hexadecimal digits, and is "x"',
    ],
    [
      'a host of its own without an id',
      { placement: dedicated({ affinity: 'DedicatedHost', dedicatedHost: { allocationStrategy: 'UserProvided' } }) },
      'placement.host.dedicatedHost.id: must be set when allocationStrategy is "UserProvided"',
    ],
    [
      'a host that is made, with an id',
      {
        placement: dedicated({
          affinity: 'DedicatedHost',
          dedicatedHost: { allocationStrategy: 'Dynamic', id: 'h-0123456789abcdef0' },
        }),
      },
      'placement.host.dedicatedHost.id: cannot be set when allocationStrategy is "Dynamic": remove it',
    ],
    [
      'a host that is made, and may be left',
      { placement: dedicated({ affinity: 'AnyAvailable', dedicatedHost: { allocationStrategy: 'Dynamic' } }) },
      'placement.host.affinity: must be "DedicatedHost" when allocationStrategy is "Dynamic"',
    ],
    [
      'tags for a host that is there',
      {
        placement: dedicated({
          affinity: 'DedicatedHost',
          dedicatedHost: { id: 'h-0123456789abcdef0', dynamicHostAllocation: { tags: [{ name: 'a' }] } },
        }),
      },
      'placement.host.dedicatedHost.dynamicHostAllocation: can be set when allocationStrategy is "Dynamic" only',
    ],
  ])('%s', (_name, fields, message) => {
    expect(outcome('left', { ...spec, ...fields }, context)).toMatchObject({ errors: [message], warnings: [] });
  });

  it('warns of what it drops', () => {
    expect(toClusterApi('blockDevices', [{ ebs: ebs({ deleteOnTermination: false }) }])).toMatchObject({
      errors: [],
      warnings: [
        'blockDevices[0].ebs.deleteOnTermination: is false, which cannot be kept: volumes are deleted with their machine',
      ],
    });
    expect(toClusterApi('blockDevices', [{ deviceName: '/dev/sdb' }])).toMatchObject({
      errors: [],
      warnings: ['blockDevices[0]: has no ebs and is dropped, as Machine API makes no volume of it'],
    });
  });

  it('names the instance by its provider ID', () => {
    const source = { spec: { providerID: 'aws:///eu-north-1a/1234', providerSpec: { value: spec } } };
    expect(issueLines(map.forward(source, context).errors, '')).toEqual([
      'spec.providerID: must end in the id of an instance: aws:///<zone>/i-<id>',
    ]);
  });

  it('compares the region with the Infrastructure where there is no infrastructure cluster', () => {
    const { infrastructureCluster: _none, ...alone } = context;
    expect(toClusterApi('placement.region', 'us-east-1', alone).errors).toEqual([
      'placement.region: is "us-east-1", but status.platformStatus.aws.region of the Infrastructure is "eu-north-1"',
    ]);
    const { infrastructure: _nothing, ...unknown } = alone;
    expect(toClusterApi('placement.region', 'us-east-1', unknown).warnings).toEqual([
      'placement.region: cannot be compared with spec.region of the infrastructure cluster, which is not given',
    ]);
  });
});

describe('what Machine API cannot say', () => {
  it('begins with a machine that it can', () => {
    expect(toMachineApi('ami.id', 'ami-1')).toMatchObject({ errors: [], warnings: [] });
  });

  const metadata = (field: string, is: string, only: string): string =>
    `instanceMetadataOptions.${field}: is ${is}, and only ${only} can be kept: Machine API knows authentication alone`;
  const image = 'cannot be kept: Machine API takes the id of an image; set ami.id instead';
  const ignition = 'cannot be kept: machines of Machine API are set up by Ignition';
  it.each<readonly [string, unknown, string]>([
    ['ami', {}, 'ami.id: must be set: an image is kept by its id alone'],
    ['ami.eksLookupType', 'AmazonLinux', `ami.eksLookupType: ${image}`],
    ['imageLookupFormat', 'f', `imageLookupFormat: ${image}`],
    ['imageLookupOrg', 'o', `imageLookupOrg: ${image}`],
    ['imageLookupBaseOS', 'b', `imageLookupBaseOS: ${image}`],
    [
      'securityGroupOverrides',
      { node: 'sg-1' },
      'securityGroupOverrides: cannot be kept: list the groups in additionalSecurityGroups',
    ],
    [
      'networkInterfaces',
      ['eni-1'],
      'networkInterfaces: cannot be kept: Machine API makes the interface of a machine by itself',
    ],
    ['uncompressedUserData', true, `uncompressedUserData: ${ignition}`],
    ['cloudInit', { secureSecretsBackend: 'secrets-manager' }, `cloudInit: ${ignition}`],
    ['ignition.proxy', { httpProxy: 'http://p' }, 'ignition.proxy: cannot be kept: write it into the user data'],
    ['ignition.tls', { certificateAuthorities: ['a'] }, 'ignition.tls: cannot be kept: write it into the user data'],
    [
      'ignition.storageType',
      'ClusterObjectStore',
      'ignition.storageType: is "ClusterObjectStore", and only "UnencryptedUserData" can be kept: so Machine API gives user data',
    ],
    [
      'ignition',
      null,
      'ignition.storageType: is absent, and only "UnencryptedUserData" can be kept: so Machine API gives user data',
    ],
    [
      'elasticIpPool',
      { publicIpv4Pool: 'ipv4pool-ec2-1' },
      'elasticIpPool: cannot be kept: Machine API takes no addresses from pools of your own',
    ],
    [
      'capacityReservationPreference',
      'Open',
      'capacityReservationPreference: cannot be kept: Machine API has capacityReservationId alone',
    ],
    [
      'cpuOptions.nestedVirtualization',
      'enabled',
      'cpuOptions.nestedVirtualization: cannot be kept: Machine API does not know it',
    ],
    ['instanceMetadataOptions.httpEndpoint', 'disabled', metadata('httpEndpoint', '"disabled"', '"enabled"')],
    ['instanceMetadataOptions.httpProtocolIpv6', 'enabled', metadata('httpProtocolIpv6', '"enabled"', '"disabled"')],
    ['instanceMetadataOptions.httpPutResponseHopLimit', 2, metadata('httpPutResponseHopLimit', '2', '1')],
    [
      'instanceMetadataOptions.instanceMetadataTags',
      'enabled',
      metadata('instanceMetadataTags', '"enabled"', '"disabled"'),
    ],
    [
      'instanceMetadataOptions.httpTokens',
      'maybe',
      'instanceMetadataOptions.httpTokens: Unsupported value: "maybe": supported values: "required", "optional"',
    ],
    ['tenancy', 'shared', 'tenancy: Unsupported value: "shared": supported values: "default", "dedicated", "host"'],
    [
      'marketType',
      'Free',
      'marketType: Unsupported value: "Free": supported values: "OnDemand", "Spot", "CapacityBlock"',
    ],
    [
      'networkInterfaceType',
      'ena',
      'networkInterfaceType: Unsupported value: "ena": supported values: "interface", "efa"',
    ],
    ['placementGroupPartition', 3_000_000_000, 'placementGroupPartition: must be from 1 to 7, and is 3000000000'],
    [
      'rootVolume',
      { size: 50, type: 'gp3', throughput: 3_000_000_000 },
      'rootVolume.throughput: must be from 125 to 2000, and is 3000000000',
    ],
    ['rootVolume', {}, 'rootVolume.size: must be set: how many GiB the volume has'],
    ['nonRootVolumes', [{ size: 50 }], 'nonRootVolumes[0]: would become rootVolume'],
    ['hostID', 'h-0123456789abcdef0', 'hostID: can be set when tenancy is "host" only'],
    ['hostAffinity', 'host', 'hostAffinity: can be "host" when tenancy is "host" only'],
    ['hostAffinity', 'near', 'hostAffinity: Unsupported value: "near": supported values: "default", "host"'],
    ['dynamicHostAllocation', {}, 'dynamicHostAllocation: can be set when tenancy is "host" only'],
    [
      'assignPrimaryIPv6',
      'disabled',
      'assignPrimaryIPv6: is "disabled", which cannot be kept: Machine API makes it "enabled", because of status.platformStatus.aws.ipFamily of the Infrastructure',
    ],
    [
      'privateDnsName',
      null,
      'privateDnsName: is absent, which cannot be kept: Machine API makes it {"enableResourceNameDnsAAAARecord":true,"enableResourceNameDnsARecord":true,"hostnameType":"resource-name"}, because of status.platformStatus.aws.ipFamily of the Infrastructure',
    ],
    ['instanceID', 'i-1', 'instanceID: is "i-1", which belongs to no provider ID: the machine has none'],
  ])('%s: %j', (path, value, message) => {
    expect(toMachineApi(path, value)).toMatchObject({ errors: [message], warnings: [] });
  });

  it.each<readonly [string, JsonObject, string]>([
    [
      'a host that is not named',
      { hostAffinity: 'host' },
      'hostAffinity: is "host", which needs hostID or dynamicHostAllocation',
    ],
    [
      'a host that is named and made',
      { hostAffinity: 'host', hostID: 'h-0123456789abcdef0', dynamicHostAllocation: {} },
      'hostID: cannot be set together with dynamicHostAllocation',
    ],
    [
      'a host that is made, and may be left',
      { dynamicHostAllocation: {} },
      'dynamicHostAllocation: can be set when hostAffinity is "host" only',
    ],
    [
      'a host of the old form',
      { hostAffinity: 'host', hostID: 'h-01234567' },
      'hostID: is "h-01234567", an id of the old form, which Cluster API does not take: use a newer host',
    ],
  ])('%s', (_name, fields, message) => {
    expect(outcome('right', { ...machine.spec, tenancy: 'host', ...fields }, context)).toMatchObject({
      errors: [message],
    });
  });

  it('warns of what it drops', () => {
    expect(toMachineApi('ignition.version', '3.4')).toMatchObject({
      errors: [],
      warnings: ['ignition.version: is dropped: it is ignored when user data are given as they are'],
    });
    expect(toMachineApi('rootVolume', { size: 50, deviceName: '/dev/xvda' })).toMatchObject({
      errors: [],
      warnings: ['rootVolume.deviceName: is dropped: the root device has the name that its image gives it'],
    });
  });

  it('takes no other identity than the controller has', () => {
    const { infrastructureCluster: cluster = {} } = context;
    const other = changed(cluster, 'spec.identityRef', { kind: 'AWSClusterRoleIdentity', name: 'r' });
    const about = { ...context, infrastructureCluster: other };
    const message =
      '/: spec.identityRef of the infrastructure cluster is {"kind":"AWSClusterRoleIdentity","name":"r"}: only that of the ' +
      'controller itself can be kept, which is {"kind":"AWSClusterControllerIdentity","name":"default"}';
    expect(toMachineApi('ami.id', 'ami-1', about).errors).toEqual([message]);
    expect(toClusterApi('ami.id', 'ami-1', about).errors).toEqual([message]);
  });

  it('needs to know the region', () => {
    const { infrastructure: _none, infrastructureCluster: _nothing, ...unknown } = context;
    const { assignPrimaryIPv6: _ip, privateDnsName: _name, ...rest } = machine.spec;
    expect(outcome('right', rest, unknown).errors).toEqual([
      '/: spec.region of the infrastructure cluster is needed, and not given',
    ]);
    expect(outcome('right', machine.spec, unknown).errors[1]).toBe(
      'assignPrimaryIPv6: is "enabled", which cannot be kept: Machine API takes it from status.platformStatus.aws.ipFamily of the Infrastructure, which is not given',
    );
  });
});

describe('values of the wrong type', () => {
  const strange = ['text', 7, true, [], ['a'], [{}], {}, { a: 1 }, null];
  const places = (value: unknown, path: readonly string[] = []): (readonly string[])[] => {
    const inner = isRecord(value) || Array.isArray(value) ? Object.entries(value) : [];
    return [...(path.length === 0 ? [] : [path]), ...inner.flatMap(([name, each]) => places(each, [...path, name]))];
  };
  const volume = { size: 50, type: 'gp3', throughput: 200, iops: 3000, encrypted: true, encryptionKey: 'k' };
  const reference = { id: 'x', filters: [{ name: 'n', values: ['v'] }] };
  const full = {
    left: {
      ...spec,
      metadata: {},
      cpuOptions: { confidentialCompute: 'Disabled' },
      tags: [{ name: 'a', value: 'b' }],
      iamInstanceProfile: { id: 'p' },
      userDataSecret: { name: 's' },
      credentialsSecret: { name: 'aws-cloud-credentials' },
      keyName: 'k',
      deviceIndex: 0,
      publicIp: true,
      networkInterfaceType: 'ENA',
      securityGroups: [reference],
      subnet: reference,
      placement: {
        ...dedicated({
          affinity: 'DedicatedHost',
          dedicatedHost: {
            allocationStrategy: 'Dynamic',
            id: '',
            dynamicHostAllocation: { tags: [{ name: 'a', value: 'b' }] },
          },
        }),
        availabilityZone: 'a',
      },
      loadBalancers: [{ name: 'a', type: 'network' }],
      blockDevices: [
        {
          deviceName: '/dev/sdb',
          ebs: {
            volumeSize: 50,
            volumeType: 'gp3',
            iops: 3,
            throughputMib: 200,
            encrypted: true,
            kmsKey: { id: 'k' },
            deleteOnTermination: true,
          },
        },
      ],
      spotMarketOptions: { maxPrice: '1' },
      metadataServiceOptions: { authentication: 'Required' },
      placementGroupName: 'g',
      placementGroupPartition: 1,
      capacityReservationId: 'cr-1',
      marketType: 'Spot',
    },
    right: {
      ...machine.spec,
      additionalSecurityGroups: [reference],
      additionalTags: { a: 'b' },
      dynamicHostAllocation: { tags: { a: 'b' } },
      hostID: 'h',
      rootVolume: volume,
      nonRootVolumes: [{ ...volume, deviceName: '/dev/sdb' }],
      subnet: reference,
      sshKeyName: 'k',
      spotMarketOptions: { maxPrice: '1' },
      tenancy: 'host',
      publicIP: true,
    },
  };

  it.each(['left', 'right'] as const)('throw nothing, wherever they are on the %s', (side) => {
    for (const path of places(full[side]))
      for (const value of strange) {
        const record = cloneJson(full[side]) as JsonObject;
        setInto(record, path, value);
        expect(Array.isArray(outcome(side, record, context).errors)).toBe(true);
      }
  });

  function setInto(record: JsonObject, path: readonly string[], value: unknown): void {
    let current: JsonObject = record;
    for (const name of path.slice(0, -1)) current = current[name] as JsonObject;
    current[path.at(-1) ?? ''] = value;
  }

  it.each<readonly ['left' | 'right', string, unknown, string]>([
    ['left', 'placement', 'here', 'placement: must be an object'],
    ['left', 'instanceType', 7, 'instanceType: must be a string of two characters or more'],
    ['left', 'publicIp', 'yes', 'publicIp: must be true or false'],
    ['left', 'keyName', 7, 'keyName: must be a string'],
    ['left', 'tags', {}, 'tags: must be a list'],
    ['left', 'blockDevices', [7], 'blockDevices[0]: must be an object'],
    ['left', 'subnet', [], 'subnet: must be an object'],
    ['left', 'spotMarketOptions', 'cheap', 'spotMarketOptions: must be an object'],
    ['right', 'instanceMetadataOptions', 'all', 'instanceMetadataOptions: must be an object'],
    ['right', 'additionalTags', ['a'], 'additionalTags: must be an object'],
    ['right', 'sshKeyName', {}, 'sshKeyName: must be a string'],
  ])('%s %s: %j', (side, path, value, message) => {
    const { errors } = side === 'left' ? toClusterApi(path, value) : toMachineApi(path, value);
    expect(errors).toContain(message);
  });
});
