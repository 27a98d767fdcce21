import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Codec } from './codec.js';
import { compose, enumeration, zeroValue } from './codec.js';
import { entries, listInEntries } from './entry-rules.js';
import type { FieldList } from './field-list.js';
import { constant, derived, move, rename, same, unsupported, warned } from './field-rules.js';
import { lawViolations } from './laws.js';
import { listOf, partition } from './list-rules.js';
import { listToMap } from './map-rules.js';
import type { LeafMaker } from './random-object.js';
import { Choices, absent, objectMaker } from './random-object.js';
import { nested, optionalNested, split } from './record-rules.js';
import type { Rule } from './rule.js';
import { totalityGaps } from './totality.js';
import { TwoWayMap } from './two-way-map.js';

/*
 * A slice of what machines of a cloud need: one Machine whose provider spec becomes two objects, with values that live
 * on the cluster's infrastructure and have to match it.
 */

interface Cloud {
  /** Of the infrastructure cluster. */
  readonly region: string;
  readonly credentials: string;
  readonly clusterName: string;
}
const cloud: Cloud = { region: 'eu-1', credentials: 'cloud-credentials', clusterName: 'c' };
type CloudRule = Rule<Cloud>;

const optionalText = zeroValue('', { left: 'omit', right: 'omit' });
const noPlace = 'has no counterpart';

/** The last part of an id is the name of the instance; the whole id is kept next to it. */
const instanceOf: Codec<Cloud> = {
  forward: (value, field) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !/\/i-[^/]+$/.test(value)) field.error('does not name an instance');
    return value;
  },
  backward: (value) => value,
};

const networkInterface = compose(
  zeroValue('', { left: 'omit', right: 'omit' }),
  enumeration([
    ['ENA', 'interface'],
    ['EFA', 'efa'],
  ]),
);

const volume: readonly CloudRule[] = [
  nested('ebs', '', [
    rename('volumeSize', 'size', zeroValue(120, { left: 'fill', right: 'fill' })),
    rename('volumeType', 'type', optionalText),
    same('iops', zeroValue(0, { left: 'omit', right: 'omit' })),
    same('encrypted'),
  ]),
  unsupported('left', 'noDevice', 'devices cannot be hidden'),
];

const provider: readonly CloudRule[] = [
  constant('left', 'apiVersion', 'machine.openshift.io/v1beta1'),
  constant('left', 'kind', 'AWSMachineProviderConfig'),
  optionalNested('ami', 'ami', [
    same('id'),
    ...['arn', 'filters'].map((name) => unsupported<Cloud>('left', name, 'images are found by id alone')),
  ]),
  same('instanceType'),
  move('networkInterfaceType', 'networkInterfaceType', networkInterface),
  listToMap('tags', 'additionalTags', { key: 'name', value: 'value' }, [same('value')]),
  listOf('securityGroups', 'additionalSecurityGroups', [same('id'), warned('left', 'arn', noPlace)]),
  partition<Cloud>({
    list: 'blockDevices',
    isOne: (device) => (device['deviceName'] ?? '') === '',
    one: { path: 'rootVolume', rules: [warned('left', 'deviceName', 'a root device has no name'), ...volume] },
    rest: { path: 'nonRootVolumes', rules: [same('deviceName'), ...volume] },
  }),
  derived<Cloud>('left', 'placement.region', ({ context }) => context.region),
  derived<Cloud>('left', 'credentialsSecret.name', ({ context }) => context.credentials),
  unsupported('left', 'deviceIndex', 'only the first device is used'),
  constant('right', 'ignition.storageType', 'UnencryptedUserData'),
];

const hooks = (name: string, prefix: string): CloudRule =>
  listInEntries({
    list: `spec.lifecycleHooks.${name}`,
    map: 'metadata.annotations',
    prefix,
    key: 'name',
    value: 'owner',
  });
const drain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/';

const machine = new TwoWayMap<Cloud>({
  rules: [
    constant('left', 'apiVersion', 'machine.openshift.io/v1beta1'),
    constant('left', 'kind', 'Machine'),
    ...split<Cloud>({
      machine: [
        constant('right', 'apiVersion', 'cluster.x-k8s.io/v1beta2'),
        constant('right', 'kind', 'Machine'),
        same('metadata.name'),
        entries(['metadata.labels', 'spec.metadata.labels'], 'metadata.labels', [
          {
            side: 'left',
            key: 'machine.openshift.io/region',
            fate: 'dropped',
            reason: 'is created again from the placement',
          },
          { left: 'machine.openshift.io/cluster-api-machine-role', right: 'node-role.kubernetes.io/role' },
        ]),
        entries(['metadata.annotations'], 'metadata.annotations', [
          { side: 'right', key: `${drain}*`, fate: 'other', reason: 'stands for a lifecycle hook' },
          { left: 'machine.openshift.io/delete-machine', right: 'cluster.x-k8s.io/delete-machine' },
        ]),
        hooks('preDrain', drain),
        move('spec.providerID', 'spec.providerID', instanceOf),
        move('spec.providerSpec.value.userDataSecret.name', 'spec.bootstrap.dataSecretName', optionalText),
        move('spec.providerSpec.value.placement.availabilityZone', 'spec.failureDomain', optionalText),
        derived<Cloud>('right', 'spec.clusterName', ({ context }) => context.clusterName),
        unsupported('left', 'spec.taints', 'taints cannot be kept'),
        unsupported('right', 'spec.version', 'versions belong to the whole cluster'),
      ],
      infrastructure: [
        constant('right', 'apiVersion', 'infrastructure.cluster.x-k8s.io/v1beta2'),
        constant('right', 'kind', 'AWSMachine'),
        nested('spec.providerSpec.value', 'spec', provider),
      ],
    }),
  ],
});

const value = 'spec.providerSpec.value';
const texts = (prefix: string, names: string): string[] => names.split(' ').map((name) => `${prefix}${name} string`);
const disk = (path: string, names: string): string[] => {
  const [size, type, iops, encrypted] = names.split(' ');
  return [`${path}.${size} int64`, `${path}.${type} string`, `${path}.${iops} int64`, `${path}.${encrypted} bool`];
};
const typeAndMetadata = 'apiVersion kind metadata.name metadata.labels{} metadata.annotations{}';
const fields: Readonly<Record<'left' | 'right', FieldList>> = {
  left: [
    ...texts('', typeAndMetadata),
    ...texts('spec.', 'providerID metadata.labels{} lifecycleHooks.preDrain[].name lifecycleHooks.preDrain[].owner'),
    'spec.taints[] any',
    ...texts(`${value}.`, 'apiVersion kind ami.id ami.arn instanceType networkInterfaceType tags[].name tags[].value'),
    ...texts(`${value}.`, 'securityGroups[].id securityGroups[].arn placement.region placement.availabilityZone'),
    ...texts(`${value}.`, 'credentialsSecret.name userDataSecret.name'),
    ...texts(`${value}.`, 'blockDevices[].deviceName blockDevices[].noDevice'),
    `${value}.ami.filters[] any`,
    `${value}.deviceIndex int64`,
    ...disk(`${value}.blockDevices[].ebs`, 'volumeSize volumeType iops encrypted'),
  ],
  right: [
    ...texts('machine.', typeAndMetadata),
    ...texts('machine.spec.', 'providerID bootstrap.dataSecretName failureDomain clusterName version'),
    ...texts('infrastructure.', 'apiVersion kind spec.ami.id spec.instanceType spec.networkInterfaceType'),
    ...texts('infrastructure.spec.', 'additionalTags{} additionalSecurityGroups[].id nonRootVolumes[].deviceName'),
    'infrastructure.spec.ignition.storageType string',
    ...disk('infrastructure.spec.rootVolume', 'size type iops encrypted'),
    ...disk('infrastructure.spec.nonRootVolumes[]', 'size type iops encrypted'),
  ],
};

const left = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: 'm',
    labels: { a: '1', 'machine.openshift.io/cluster-api-machine-role': 'worker' },
    annotations: { 'machine.openshift.io/delete-machine': 'yes' },
  },
  spec: {
    metadata: { labels: { a: '1', 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
    lifecycleHooks: { preDrain: [{ name: 'etcd', owner: 'operator' }] },
    providerID: 'aws:///eu-1a/i-1',
    providerSpec: {
      value: {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'AWSMachineProviderConfig',
        ami: { id: 'ami-1' },
        instanceType: 'm5.large',
        networkInterfaceType: 'EFA',
        tags: [
          { name: 'b', value: '2' },
          { name: 'c', value: '1' },
        ],
        securityGroups: [{ id: 'sg-2' }, { id: 'sg-1' }],
        placement: { region: 'eu-1', availabilityZone: 'eu-1a' },
        credentialsSecret: { name: 'cloud-credentials' },
        userDataSecret: { name: 'worker-user-data' },
        blockDevices: [
          { ebs: { volumeSize: 50, encrypted: true } },
          { deviceName: '/dev/sdz', ebs: { volumeSize: 120 } },
          { deviceName: '/dev/sda', ebs: { volumeSize: 10, volumeType: 'gp3', iops: 3000 } },
        ],
      },
    },
  },
};

const right = {
  machine: {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name: 'm',
      labels: { a: '1', 'node-role.kubernetes.io/role': 'worker' },
      annotations: { 'cluster.x-k8s.io/delete-machine': 'yes', [`${drain}etcd`]: 'operator' },
    },
    spec: {
      providerID: 'aws:///eu-1a/i-1',
      bootstrap: { dataSecretName: 'worker-user-data' },
      failureDomain: 'eu-1a',
      clusterName: 'c',
    },
  },
  infrastructure: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    spec: {
      ami: { id: 'ami-1' },
      instanceType: 'm5.large',
      networkInterfaceType: 'efa',
      additionalTags: { b: '2', c: '1' },
      additionalSecurityGroups: [{ id: 'sg-2' }, { id: 'sg-1' }],
      rootVolume: { size: 50, encrypted: true },
      nonRootVolumes: [
        { deviceName: '/dev/sdz', size: 120 },
        { deviceName: '/dev/sda', size: 10, type: 'gp3', iops: 3000 },
      ],
      ignition: { storageType: 'UnencryptedUserData' },
    },
  },
};

/** Types, and texts that only some values may be: often enough the right ones. */
const special: Readonly<Record<'left' | 'right', LeafMaker>> = {
  left: (path, random) => {
    if (path === 'apiVersion' || path === `${value}.apiVersion`) return left.apiVersion;
    if (path === 'kind') return 'Machine';
    if (path === `${value}.kind`) return 'AWSMachineProviderConfig';
    if (path.endsWith('.networkInterfaceType')) return ['ENA', 'EFA', ''][random.below(3)];
    if (path.endsWith('.region')) return random.below(9) === 0 ? 'us-1' : cloud.region;
    if (path.endsWith('credentialsSecret.name')) return cloud.credentials;
    if (path === 'spec.providerID') return `aws:///a/i-${random.below(9)}`;
    return /deviceIndex|noDevice|taints|ami\.(?:arn|filters)/.test(path) && random.below(9) > 0 ? absent : undefined;
  },
  right: (path, random) => {
    if (path.endsWith('piVersion'))
      return (path.startsWith('machine') ? right.machine : right.infrastructure).apiVersion;
    if (path.endsWith('.kind')) return path.startsWith('machine') ? 'Machine' : 'AWSMachine';
    if (path.endsWith('.networkInterfaceType')) return ['interface', 'efa', ''][random.below(3)];
    if (path.endsWith('.clusterName')) return 'c';
    if (path.endsWith('.storageType')) return 'UnencryptedUserData';
    if (path.endsWith('.deviceName')) return `/dev/sd${random.below(9)}`;
    if (path.endsWith('.providerID')) return `aws:///a/i-${random.below(9)}`;
    return path.endsWith('.version') && random.below(9) > 0 ? absent : undefined;
  },
};

describe('machines of a cloud', () => {
  it('are one object here and two there', () => {
    expect(machine.forward(left, cloud)).toEqual({ value: right, errors: [], warnings: [] });
    expect(machine.backward(right, cloud)).toEqual({ value: left, errors: [], warnings: [] });
  });

  it('have a rule for every field', () => {
    const none = { missing: [], stale: [], unequal: [] };
    expect(totalityGaps(machine.claims, fields)).toEqual({ left: none, right: none });
  });

  it.each(['left', 'right'] as const)('keep the laws, from the %s', (side) => {
    const make = objectMaker(fields[side], special[side]);
    let converted = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 200, size: 'max' }), (numbers) => {
        const object = make(new Choices(numbers));
        if (machine.convert(side, object, cloud).errors.length === 0) converted += 1;
        expect(lawViolations(machine, side, object, cloud)).toEqual([]);
      }),
    );
    expect(converted).toBeGreaterThan(10);
  });

  it('must match what lives on the infrastructure cluster', () => {
    const { value: spec } = left.spec.providerSpec;
    const elsewhere = { ...spec, placement: { ...spec.placement, region: 'us-1' }, deviceIndex: 1 };
    const { errors } = machine.forward({ ...left, spec: { ...left.spec, providerSpec: { value: elsewhere } } }, cloud);
    expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'spec.providerSpec.value.placement.region: is "us-1", which cannot be kept: it will be "eu-1"',
      'spec.providerSpec.value.deviceIndex: only the first device is used',
    ]);
  });
});
