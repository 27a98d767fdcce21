import { StatusConverter, MachineConverter, providerMap } from '@capstan/convert/machine-api';
import { getAt } from '@capstan/convert';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conversionContext as context, conversionExamples } from '../testing/conversion-examples.js';
import { failureDomains } from './failure-domains.js';
import { conversion } from './index.js';

const map = providerMap(conversion);
const spec: JsonObject = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'AWSMachineProviderConfig',
  ami: { id: 'ami-1' },
  instanceType: 'm6i.xlarge',
};
/** In a network, without which there is a warning. */
const network: JsonObject = { securityGroups: [{ id: 'sg-1' }], subnet: { id: 'subnet-1' } };

const forward = (fields: JsonObject): JsonObject => {
  const { errors, value } = map.forward({ spec: { providerSpec: { value: { ...spec, ...fields } } } }, context);
  expect(errors).toEqual([]);
  return (value['infrastructure'] as { spec: JsonObject }).spec;
};
const backward = (infrastructure: JsonObject, about = context): JsonObject => {
  const { errors, value } = map.backward({ machine: {}, infrastructure: { spec: infrastructure } }, about);
  expect(errors).toEqual([]);
  return (value['spec'] as { providerSpec: { value: JsonObject } }).providerSpec.value;
};

describe('a disk', () => {
  it('is not there when there is no device', () => {
    expect(forward({})).not.toHaveProperty('rootVolume');
    expect(backward(forward({}))).not.toHaveProperty('blockDevices');
  });

  it('must have a size: without one it has that of the image, which Cluster API cannot give it', () => {
    const value = { ...spec, blockDevices: [{ ebs: {} }, { deviceName: '/dev/sdb', ebs: { encrypted: true } }] };
    const { errors } = map.forward({ spec: { providerSpec: { value } } }, context);
    expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual(
      [0, 1].map(
        (index) =>
          `spec.providerSpec.value.blockDevices[${index}].ebs.volumeSize: must be set: Machine API gives the volume the size of its image, and Cluster API needs one`,
      ),
    );
  });

  it.each(['gp2', undefined])('of type %s has no iops in Machine API, which gives a warning', (volumeType) => {
    const value = { ...spec, ...network, blockDevices: [{ ebs: { volumeSize: 50, volumeType, iops: 300 } }] };
    const { errors, warnings } = map.forward({ spec: { providerSpec: { value } } }, context);
    expect([errors, warnings.map(({ path }) => path)]).toEqual([
      [],
      ['spec.providerSpec.value.blockDevices[0].ebs.iops'],
    ]);
  });

  it('keeps its key, be it an id or an ARN', () => {
    const blockDevices = [
      { ebs: { volumeSize: 50, kmsKey: { arn: 'arn:aws:kms:k' } } },
      { deviceName: '/dev/sdb', ebs: { volumeSize: 50, kmsKey: { id: 'alias/k' } } },
    ];
    const made = forward({ blockDevices });
    expect(made).toMatchObject({
      rootVolume: { size: 50, encryptionKey: 'arn:aws:kms:k' },
      nonRootVolumes: [{ deviceName: '/dev/sdb', size: 50, encryptionKey: 'alias/k' }],
    });
    expect(backward(made)['blockDevices']).toEqual(blockDevices);
  });
});

describe('the market', () => {
  it('of spot instances has no null, which the CRD refuses', () => {
    expect(forward({ spotMarketOptions: { maxPrice: null } })['spotMarketOptions']).toEqual({});
  });

  it.each([{}, { maxPrice: '0.5' }])('of spot instances stays, also without a price: %j', (spotMarketOptions) => {
    const made = forward({ spotMarketOptions });
    expect(made['spotMarketOptions']).toEqual(spotMarketOptions);
    expect(backward(made)['spotMarketOptions']).toEqual(spotMarketOptions);
  });
});

describe('a dedicated host', () => {
  const id = 'h-0123456789abcdef0';
  it.each<readonly [string, JsonObject, JsonObject]>([
    ['any', { tenancy: 'host' }, { tenancy: 'host', hostAffinity: 'default' }],
    [
      'given, to stay on',
      {
        tenancy: 'host',
        host: { affinity: 'DedicatedHost', dedicatedHost: { allocationStrategy: 'UserProvided', id } },
      },
      { tenancy: 'host', hostAffinity: 'host', hostID: id },
    ],
    [
      'given, to start on',
      {
        tenancy: 'host',
        host: { affinity: 'AnyAvailable', dedicatedHost: { allocationStrategy: 'UserProvided', id } },
      },
      { tenancy: 'host', hostAffinity: 'default', hostID: id },
    ],
    [
      'made',
      { tenancy: 'host', host: { affinity: 'DedicatedHost', dedicatedHost: { allocationStrategy: 'Dynamic' } } },
      { tenancy: 'host', hostAffinity: 'host', dynamicHostAllocation: {} },
    ],
    [
      'made with tags',
      {
        tenancy: 'host',
        host: {
          affinity: 'DedicatedHost',
          dedicatedHost: {
            allocationStrategy: 'Dynamic',
            dynamicHostAllocation: { tags: [{ name: 'a', value: 'b' }] },
          },
        },
      },
      { tenancy: 'host', hostAffinity: 'host', dynamicHostAllocation: { tags: { a: 'b' } } },
    ],
  ])('%s', (_name, placement, expected) => {
    const made = forward({ placement });
    const { tenancy, hostAffinity, hostID, dynamicHostAllocation } = made;
    expect(JSON.parse(JSON.stringify({ tenancy, hostAffinity, hostID, dynamicHostAllocation }))).toEqual(expected);
    expect(backward(made)['placement']).toEqual({ ...placement, region: 'eu-north-1' });
  });

  it('is kept where the affinity is absent', () => {
    const { hostAffinity: _none, ...made } = forward({ placement: { tenancy: 'host' } });
    expect(backward({ ...made, hostID: id })['placement']).toEqual({
      region: 'eu-north-1',
      tenancy: 'host',
      host: { affinity: 'AnyAvailable', dedicatedHost: { allocationStrategy: 'UserProvided', id } },
    });
  });
});

describe('the key of a machine without one', () => {
  const { infrastructureCluster: cluster = {} } = context;
  const own = { ...context, infrastructureCluster: { ...cluster, metadata: { name: 'own' } } };
  const keyed = { ...cluster, spec: { ...(cluster['spec'] as JsonObject), sshKeyName: 'team' } };
  const sshKeyName = (about: typeof context): unknown => {
    const { value } = map.forward({ spec: { providerSpec: { value: spec } } }, about);
    return (value['infrastructure'] as { spec: JsonObject }).spec['sshKeyName'];
  };

  it('is written as none where Cluster API would give it one', () => {
    expect(sshKeyName(context)).toBeUndefined();
    expect(sshKeyName(own)).toBe('');
    expect(sshKeyName({ ...context, infrastructureCluster: keyed })).toBe('');
    expect(sshKeyName({ ...context, infrastructureCluster: undefined })).toBe('');
  });

  it('is the one that Cluster API gave it, on the way back', () => {
    const made = forward({});
    expect(backward(made)['keyName']).toBeUndefined();
    expect(backward(made, own)['keyName']).toBe('default');
    expect(backward(made, { ...context, infrastructureCluster: keyed })['keyName']).toBe('team');
    expect(backward({ ...made, sshKeyName: '' }, own)['keyName']).toBeUndefined();
  });
});

describe('load balancers', () => {
  const both = [
    { name: 'ocean-7xk2p-int', type: 'network' },
    { name: 'ocean-7xk2p-ext', type: 'network' },
  ];
  const problems = (loadBalancers: unknown, isControlPlane: boolean, about = context) =>
    conversion.check?.({ ...spec, loadBalancers }, { isControlPlane, context: about });
  const { infrastructureCluster: cluster = {} } = context;
  const withCluster = (fields: JsonObject): typeof context => ({
    ...context,
    infrastructureCluster: { ...cluster, spec: { ...(cluster['spec'] as JsonObject), ...fields } },
  });

  it('of machines of the control plane are those of the infrastructure cluster', () => {
    expect(problems(both, true)).toEqual([]);
    expect(problems([], false)).toEqual([]);
    expect(problems(undefined, false)).toEqual([]);
  });

  it.each<readonly [string, unknown, boolean, typeof context, string, string]>([
    [
      'of a worker',
      both,
      false,
      context,
      'loadBalancers',
      'cannot be kept: only machines of the control plane are in load balancers; remove them',
    ],
    [
      'that are missing',
      both.slice(0, 1),
      true,
      context,
      'loadBalancers',
      'does not name "ocean-7xk2p-ext", which the infrastructure cluster puts every such machine in',
    ],
    [
      'that are others',
      [...both, { name: 'x', type: 'network' }],
      true,
      context,
      'loadBalancers[2].name',
      'is "x", but the infrastructure cluster has "ocean-7xk2p-int" and "ocean-7xk2p-ext"',
    ],
    [
      'of another type',
      [{ ...both[0], type: 'classic' }, both[1]],
      true,
      context,
      'loadBalancers[0].type',
      'is "classic", but the infrastructure cluster has "network"',
    ],
    ['that are no list', 'all', true, context, 'loadBalancers', 'must be a list'],
    [
      'that are no records',
      ['all'],
      true,
      withCluster({ controlPlaneLoadBalancer: { name: 'x' }, secondaryControlPlaneLoadBalancer: undefined }),
      'loadBalancers[0]',
      'must be an object',
    ],
    [
      'of a cluster without one',
      both,
      true,
      withCluster({ controlPlaneLoadBalancer: undefined }),
      'loadBalancers',
      'cannot be compared: spec.controlPlaneLoadBalancer of the infrastructure cluster is missing',
    ],
    [
      'of a cluster whose own has no name',
      both,
      true,
      withCluster({ controlPlaneLoadBalancer: {} }),
      'loadBalancers',
      'cannot be compared: spec.controlPlaneLoadBalancer of the infrastructure cluster has no name',
    ],
    [
      'of a kind that Machine API does not know',
      both,
      true,
      withCluster({ controlPlaneLoadBalancer: { name: 'x', loadBalancerType: 'alb' } }),
      'loadBalancers',
      'cannot be compared: spec.controlPlaneLoadBalancer of the infrastructure cluster is of type "alb", and machines of Machine API join "classic" and "nlb" ones',
    ],
    [
      'of a cluster that nobody knows',
      both,
      true,
      { ...context, infrastructureCluster: undefined },
      'loadBalancers',
      'cannot be compared: spec.controlPlaneLoadBalancer of the infrastructure cluster is needed, and not given',
    ],
  ])('%s', (...row) => {
    const [, loadBalancers, isControlPlane, about, path, message] = row;
    const code = message.endsWith('not given')
      ? { code: 'ClusterUnknown' }
      : message.includes('infrastructure cluster')
        ? { code: 'ClusterMismatch' }
        : {};
    expect(problems(loadBalancers, isControlPlane, about)?.[0]).toEqual({ ...code, path, message });
  });

  it('come back with a machine of the control plane', () => {
    const converter = new MachineConverter(conversion);
    const master = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: {
        name: 'master-0',
        namespace: 'openshift-machine-api',
        labels: {
          'machine.openshift.io/cluster-api-machine-role': 'master',
          'machine.openshift.io/cluster-api-machine-type': 'master',
        },
      },
      spec: { providerSpec: { value: { ...spec, loadBalancers: both, userDataSecret: { name: 'master-user-data' } } } },
    };
    const there = converter.toClusterApi(master, context);
    expect(there.errors).toEqual([]);
    const [infrastructure, machine] = there.objects as [JsonObject, JsonObject];
    const back = converter.toMachineApi({ infrastructure, machine }, context);
    expect(back.errors).toEqual([]);
    expect(back.objects[0]).toMatchObject({ spec: { providerSpec: { value: { loadBalancers: both } } } });
  });
});

describe('a machine that does not say where it is in the network', () => {
  const warned = (fields: JsonObject): string[] => {
    const value = { ...spec, ...fields };
    return map
      .forward({ spec: { providerSpec: { value } } }, context)
      .warnings.map(({ code, path }) => `${code} ${path}`);
  };
  const at = 'EffectDiffers spec.providerSpec.value';

  it.each<[JsonObject, string[]]>([
    [{}, [`${at}.subnet`, `${at}.securityGroups`]],
    [{ subnet: { filters: [] }, securityGroups: [{ id: 'sg-1' }] }, [`${at}.subnet`]],
    [{ subnet: { id: 'subnet-1' }, securityGroups: [] }, [`${at}.securityGroups`]],
    [{ subnet: { filters: [{ name: 'tag:Name', values: ['a'] }] }, securityGroups: [{ id: 'sg-1' }] }, []],
  ])('has a warning, as the two APIs take others: %j', (fields, expected) => {
    expect(warned(fields)).toEqual(expected);
  });

  it.each<[string, JsonObject[] | undefined, boolean]>([
    [
      'has no warning where all failure domains of its set have subnets',
      [{ subnet: { type: 'ID', id: 'subnet-1' } }],
      false,
    ],
    ['has it where one has none', [{ subnet: { type: 'ID', id: 'subnet-1' } }, { placement: {} }], true],
    ['has it without failure domains', undefined, true],
  ])('%s', (_, aws, isWarned) => {
    const member = {
      ...(aws && { failureDomains: { platform: 'AWS', aws } }),
      spec: { providerSpec: { value: { ...spec, securityGroups: [{ id: 'sg-1' }] } } },
    };
    const { warnings } = new MachineConverter(conversion).toClusterApi(
      { kind: 'ControlPlaneMachineSet', spec: { template: { machines_v1beta1_machine_openshift_io: member } } },
      context,
    );
    expect(warnings.some(({ path }) => path.endsWith('.subnet'))).toBe(isWarned);
  });
});

describe('failure domains', () => {
  const subnets = [
    { id: 'public', resourceID: 'subnet-0', availabilityZone: 'eu-north-1a', isPublic: true },
    { id: 'private', resourceID: 'subnet-1', availabilityZone: 'eu-north-1a', tags: { Name: 'a-private' } },
  ];
  const about = { ...context, infrastructureCluster: { spec: { network: { subnets } } } };
  const placement = { availabilityZone: 'eu-north-1a' };

  it.each<readonly [string, JsonObject]>([
    ['a zone', { placement }],
    ['a zone with its subnet', { placement, subnet: { type: 'ID', id: 'subnet-1' } }],
    [
      'a zone with its subnet by name',
      { placement, subnet: { type: 'Filters', filters: [{ name: 'tag:Name', values: ['a-private'] }] } },
    ],
  ])('have the name of the zone: %s', (_name, domain) => {
    expect(failureDomains.toName(domain, about)).toEqual({ name: 'eu-north-1a' });
  });

  it('of a control plane come back as they were, by ID or by name, and with a subnet or without', () => {
    const converter = new MachineConverter(conversion);
    const loadBalancers = conversionExamples.controlPlane?.['loadBalancers'];
    const network = { subnets };
    const cluster = context.infrastructureCluster as { spec: JsonObject };
    const where = { ...context, infrastructureCluster: { ...cluster, spec: { ...cluster.spec, network } } };
    const named = { type: 'Filters', filters: [{ name: 'tag:Name', values: ['a-private'] }] };
    for (const domain of [
      { placement },
      { placement, subnet: named },
      { placement, subnet: { type: 'ID', id: 'subnet-1' } },
    ]) {
      const template = {
        failureDomains: { platform: 'AWS', aws: [domain] },
        metadata: { labels: { 'machine.openshift.io/cluster-api-machine-role': 'master' } },
        spec: { providerSpec: { value: { ...spec, loadBalancers, userDataSecret: { name: 'master-user-data' } } } },
      };
      const there = converter.toClusterApi(
        {
          apiVersion: 'machine.openshift.io/v1',
          kind: 'ControlPlaneMachineSet',
          metadata: { name: 'cluster' },
          spec: { template: { machines_v1beta1_machine_openshift_io: template } },
        },
        where,
      );
      expect(there.errors).toEqual([]);
      const [made, set] = there.objects as [JsonObject, JsonObject];
      const back = converter.toMachineApi({ set, template: made }, where).objects[0];
      expect(back).toMatchObject({
        spec: { template: { machines_v1beta1_machine_openshift_io: { failureDomains: { aws: [domain] } } } },
      });
      const [after] = getAt(back, [
        'spec',
        'template',
        'machines_v1beta1_machine_openshift_io',
        'failureDomains',
        'aws',
      ]) as JsonObject[];
      expect(after).toEqual(domain);
    }
  });

  it('come back with the subnet that Cluster API takes', () => {
    expect(failureDomains.toDomain('eu-north-1a', about)).toEqual({
      domain: { placement, subnet: { type: 'ID', id: 'subnet-1' } },
    });
    expect(failureDomains.toDomain('eu-north-1a', context)).toEqual({ domain: { placement } });
  });

  it.each<readonly [string, JsonObject, typeof context, string, string, string | undefined]>([
    [
      'without a zone',
      { subnet: { type: 'ID', id: 'subnet-1' } },
      about,
      'placement.availabilityZone',
      'must be set: Cluster API knows a failure domain by its zone',
      undefined,
    ],
    [
      'with another subnet',
      { placement, subnet: { type: 'ID', id: 'subnet-2' } },
      about,
      'subnet',
      'cannot be kept: Cluster API takes the subnet that spec.network.subnets of the infrastructure cluster lists for "eu-north-1a", which is another; list it there, or remove it here',
      'ClusterMismatch',
    ],
    [
      'with a subnet where none is listed',
      { placement, subnet: { type: 'ARN', arn: 'arn:aws' } },
      context,
      'subnet',
      'cannot be kept: Cluster API takes the subnet that spec.network.subnets of the infrastructure cluster lists for "eu-north-1a", which is none; list it there, or remove it here',
      'ClusterMismatch',
    ],
    [
      'with a subnet where the cluster is not known',
      { placement, subnet: { type: 'ID', id: 'subnet-1' } },
      { ...context, infrastructureCluster: undefined },
      'subnet',
      'cannot be compared: spec.network.subnets of the infrastructure cluster is needed, and not given',
      'ClusterUnknown',
    ],
  ])('are refused %s', (...row) => {
    const [, domain, where, path, message, code] = row;
    expect(failureDomains.toName(domain, where)).toEqual({ path, message, ...(code === undefined ? {} : { code }) });
  });
});

describe('the status of an instance', () => {
  const converter = new StatusConverter(conversion);
  const now = '2026-01-01T00:00:00Z';
  const lastTransitionTime = '2025-12-31T00:00:00Z';
  const machine = (instanceState: string): JsonObject => ({
    spec: { providerID: 'aws:///a/i-1', providerSpec: { value: { ...spec, spotMarketOptions: {} } } },
    status: {
      providerStatus: {
        instanceId: 'i-1',
        instanceState,
        dedicatedHost: { id: 'h-0123456789abcdef0' },
        conditions: [
          {
            type: 'MachineCreation',
            status: 'True',
            reason: 'MachineCreationSucceeded',
            message: 'made',
            lastTransitionTime,
          },
        ],
      },
    },
  });

  it('is ready when it runs', () => {
    expect(converter.toClusterApi(machine('running'), context, now).status.infrastructure).toEqual({
      ready: true,
      interruptible: true,
      instanceState: 'running',
      dedicatedHost: { id: 'h-0123456789abcdef0' },
      conditions: ['Ready', 'InstanceReady'].map((type) => ({ type, status: 'True', lastTransitionTime })),
    });
  });

  it('is not known when it does not', () => {
    expect(converter.toClusterApi(machine('pending'), context, now).status.infrastructure).toMatchObject({
      ready: false,
      conditions: [{ type: 'Ready', status: 'Unknown', severity: 'Error', message: 'made' }, { type: 'InstanceReady' }],
    });
  });

  it('names its instance on the way back', () => {
    const infrastructure = {
      status: {
        ready: true,
        instanceState: 'running',
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
      },
    };
    const source = { machine: { spec: { providerID: 'aws:///a/i-1' } }, infrastructure };
    expect(converter.toMachineApi(source, context, now).status['providerStatus']).toEqual({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AWSMachineProviderStatus',
      instanceId: 'i-1',
      instanceState: 'running',
      conditions: [
        {
          type: 'MachineCreation',
          status: 'True',
          reason: 'MachineCreationSucceeded',
          message: '',
          lastTransitionTime,
        },
      ],
    });
  });
});
