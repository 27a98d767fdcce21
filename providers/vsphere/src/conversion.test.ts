import { MachineConverter, providerMap } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { checkMalformed, conversionConformance, TRIAL_LIMIT_MS } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversion } from './conversion/index.js';
import { conversionExamples as examples } from './testing/conversion-examples.js';
import { machines } from './testing/machines.js';

const map = providerMap(conversion);
const { context } = examples;
const VALUE = 'spec.providerSpec.value.';
const INFRASTRUCTURE = 'infrastructure.spec.';

/** The errors and warnings of a source with these fields changed. */
function issuesOf(side: 'left' | 'right', changes: JsonObject): string[] {
  const source = structuredClone(machines.worker[side]) as JsonObject;
  const place = side === 'left' ? ['spec', 'providerSpec', 'value'] : ['infrastructure', 'spec'];
  const spec = place.reduce((record, name) => record[name] as JsonObject, source);
  Object.assign(spec, changes);
  const { errors, warnings } = map.convert(side, source, context);
  const prefix = side === 'left' ? VALUE : INFRASTRUCTURE;
  return [...errors, ...warnings].map(({ message, path }) => `${path.replace(prefix, '')}: ${message}`);
}

const needsArguments = (field: string): string =>
  `${field}: needs guestinfo.afterburn.initrd.network-kargs, which Machine API sets and Cluster API does not: set it in the template`;

it.each(conversionConformance(conversion, examples).map(({ name, run }) => [name, run] as const))(
  'machines %s',
  { timeout: TRIAL_LIMIT_MS },
  (_, run) => {
    run();
  },
);

describe('a machine', () => {
  it.each(Object.entries(machines))('of the %s is written in both APIs', (_name, { left, right }) => {
    expect(map.forward(left, context)).toMatchObject({ value: right, errors: [] });
    expect(map.backward(right, context)).toEqual({ value: left, errors: [], warnings: [] });
  });

  it('with addresses of its own or of pools gives a warning for the network configuration of its template', () => {
    const place = 'spec.providerSpec.value.network.devices';
    expect(map.forward(machines.worker.left, context).warnings).toEqual([]);
    expect(
      map.forward(machines.static.left, context).warnings.map(({ message, path }) => `${path}: ${message}`),
    ).toEqual([`${place}[0].${needsArguments('ipAddrs')}`, `${place}[1].${needsArguments('addressesFromPools')}`]);
  });

  it.each([
    ['numCPUs', 0, 'numCPUs: is not set: Cluster API makes it 2 CPUs'],
    ['numCPUs', 1, 'numCPUs: is 1: Cluster API makes it 2 CPUs'],
    ['memoryMiB', undefined, 'memoryMiB: is not set: Cluster API makes it 2048 MiB'],
  ])('with %s of %j gives a warning', (name, value, expected) => {
    expect(issuesOf('left', { [name]: value } as JsonObject)).toEqual([
      `${expected}, and takes nothing from the template: set it`,
    ]);
  });

  it.each(
    Object.entries(machines).flatMap(([name, { left, right }]) => [
      [name, 'left', left] as const,
      [name, 'right', right] as const,
    ]),
  )('of the %s with odd values is refused or comes back, from the %s', (_name, side, object) => {
    checkMalformed(conversion, side, object, context);
  });

  it.each([
    ['fullClone', undefined, 'fullClone'],
    ['fullClone', '', 'fullClone'],
    ['linkedClone', 'linkedClone', 'linkedClone'],
  ])('is created by %s in Cluster API too when Machine API has %s', (expected, cloneMode, back) => {
    const source = structuredClone(machines.worker.left) as JsonObject;
    const spec = (source['spec'] as { providerSpec: { value: JsonObject } }).providerSpec.value;
    if (cloneMode === undefined) delete spec['cloneMode'];
    else spec['cloneMode'] = cloneMode;
    const { value } = map.forward(source, context);
    expect(value).toHaveProperty('infrastructure.spec.cloneMode', expected);
    expect(map.backward(value, context).value).toHaveProperty('spec.providerSpec.value.cloneMode', back);
  });

  it('of Cluster API without a clone mode is a linked one in Machine API', () => {
    const source = structuredClone(machines.worker.right) as { infrastructure: { spec: JsonObject } };
    delete source.infrastructure.spec['cloneMode'];
    const { value } = map.backward(source as unknown as JsonObject, context);
    expect(value).toHaveProperty('spec.providerSpec.value.cloneMode', 'linkedClone');
  });

  it('has its IPv6 gateway as one, which was written as an IPv4 gateway before', () => {
    const source = structuredClone(machines.static.left) as JsonObject;
    const devices = (source['spec'] as { providerSpec: { value: { network: { devices: JsonObject[] } } } }).providerSpec
      .value.network.devices;
    Object.assign(devices[0] ?? {}, { gateway: '2001:db8::1', ipAddrs: ['2001:db8::10/64'] });
    const { value } = map.forward(source, context);
    expect(value).toHaveProperty('infrastructure.spec.network.devices.0.gateway6', '2001:db8::1');
    expect(value).not.toHaveProperty('infrastructure.spec.network.devices.0.gateway4');
  });
});

const device = { networkName: 'segment-7' };
const devices = (change: JsonObject): JsonObject => ({ network: { devices: [{ ...device, ...change }] } });
const noPlace = 'has no place in Machine API: remove it, or keep the machine in Cluster API';

describe('of Machine API', () => {
  it.each<[string, JsonObject, string[]]>([
    [
      'metadata',
      { metadata: { labels: { a: 'b' } } },
      ['metadata: has no place in Cluster API: set labels and annotations on the machine itself'],
    ],
    [
      'other credentials',
      { credentialsSecret: { name: 'mine' } },
      [
        'credentialsSecret.name: is "mine": only "vsphere-cloud-credentials" can be kept, as Cluster API has credentials on the infrastructure cluster',
      ],
    ],
    ['no template', { template: '' }, ['template: must name the template that machines are cloned from']],
    [
      'an unknown clone mode',
      { cloneMode: 'instant' },
      ['cloneMode: Unsupported value: "instant": supported values: "fullClone", "linkedClone"'],
    ],
    [
      'a group of VMs',
      { workspace: { server: 'vcenter.example.com', vmGroup: 'rack-1' } },
      ['workspace.vmGroup: has no place in Cluster API: machines are put into no group of VMs there'],
    ],
    [
      'a pool of others',
      devices({ addressesFromPools: [{ group: 'example.com', resource: 'ippools', name: 'p' }] }),
      [
        'network.devices[0].addressesFromPools[0].resource: is "ippools" of the group "example.com", which has no known name in the other API: only "inclusterippools", "globalinclusterippools" of ipam.cluster.x-k8s.io can be kept',
        `network.devices[0].${needsArguments('addressesFromPools')}`,
      ],
    ],
    [
      'a gateway that is none',
      devices({ gateway: 'router' }),
      ['network.devices[0].gateway: must be an IPv4 or IPv6 address, and is "router"'],
    ],
    [
      'an address without its prefix',
      devices({ ipAddrs: ['192.0.2.10'] }),
      [
        'network.devices[0].ipAddrs: has "192.0.2.10", which must be an address with the length of its prefix, as 192.0.2.10/24',
        `network.devices[0].${needsArguments('ipAddrs')}`,
      ],
    ],
    [
      'a disk without a size',
      { dataDisks: [{ name: 'a' }] },
      ['dataDisks[0].sizeGiB: must be a whole number from 1 to 16384, and is null'],
    ],
    [
      'a disk that is too large',
      { dataDisks: [{ name: 'a', sizeGiB: 20_000 }] },
      ['dataDisks[0].sizeGiB: must be a whole number from 1 to 16384, and is 20000'],
    ],
    [
      'a disk without a name',
      { dataDisks: [{ sizeGiB: 1 }] },
      ['dataDisks[0].name: must be the name of the disk, by which it is known'],
    ],
    [
      'two disks of one name',
      {
        dataDisks: [
          { name: 'a', sizeGiB: 1 },
          { name: 'a', sizeGiB: 2 },
        ],
      },
      ['dataDisks[1].name: Duplicate value: "a"'],
    ],
    [
      'an unknown mode of a disk',
      { dataDisks: [{ name: 'a', sizeGiB: 1, provisioningMode: 'Lazy' }] },
      ['dataDisks[0].provisioningMode: Unsupported value: "Lazy": supported values: "Thin", "Thick", "EagerlyZeroed"'],
    ],
    [
      'more CPUs than can be counted',
      { numCPUs: 2 ** 31 },
      [`numCPUs: must be from -2147483648 to 2147483647, and is ${2 ** 31}`],
    ],
  ])('%s cannot be kept, and gives an error', (_name, changes, expected) => {
    expect(issuesOf('left', changes)).toEqual(expected);
  });

  it('a provider ID of another cloud is refused', () => {
    const source = {
      ...machines.worker.left,
      spec: { ...(machines.worker.left['spec'] as JsonObject), providerID: 'aws:///i-1' },
    };
    expect(map.forward(source, context).errors).toEqual([
      expect.objectContaining({ path: 'spec.providerID', message: 'names no VM of vSphere: vsphere://<uuid>' }),
    ]);
  });
});

describe('of Cluster API', () => {
  it.each<[string, JsonObject, string[]]>([
    ...(
      [
        ['thumbprint', 'AA:BB'],
        ['storagePolicyName', 'fast'],
        ['resources', { limits: { cpu: 1 } }],
        ['customVMXKeys', { 'disk.enableUUID': 'TRUE' }],
        ['pciDevices', [{ deviceId: 1, vendorId: 2 }]],
        ['hardwareVersion', 'vmx-17'],
        ['guestSoftPowerOffTimeout', '5m'],
        ['namingStrategy', { template: '{{ .machine.name }}' }],
        ['nestedHV', true],
        ['ftEncryptionMode', 'ftEncryptionRequired'],
        ['migrateEncryption', 'required'],
        ['cryptoKeyID', 'k'],
        ['cryptoProfile', 'p'],
      ] as const
    ).map(([name, value]): [string, JsonObject, string[]] => [name, { [name]: value }, [`${name}: ${noPlace}`]]),
    ...(
      [
        ['deviceName', 'eth0'],
        ['dhcp4Overrides', { useDNS: false, hostname: 'h' }],
        ['dhcp6', true],
        ['dhcp6Overrides', { hostname: 'h' }],
        ['macAddr', '00:50:56:00:00:01'],
        ['mtu', 9000],
        ['routes', [{ to: '10.0.0.0/8', via: '192.0.2.1', metric: 1 }]],
        ['searchDomains', ['example.com']],
        ['skipIPAllocation', true],
      ] as const
    ).map(([name, value]): [string, JsonObject, string[]] => [
      `devices' ${name}`,
      devices({ dhcp4: true, [name]: value }),
      [`network.devices[0].${name}: ${noPlace}`],
    ]),
    [
      'routes',
      { network: { devices: [], routes: [{ to: 'a', via: 'b', metric: 1 }] } },
      [`network.routes: ${noPlace}`],
    ],
    [
      'preferredAPIServerCidr',
      { network: { devices: [], preferredAPIServerCidr: '10.0.0.0/8' } },
      [`network.preferredAPIServerCidr: ${noPlace}`],
    ],
    [
      'disks of the template',
      { additionalDisksGiB: [50] },
      [
        'additionalDisksGiB: sizes disks that the template has, which Machine API cannot: remove it, or keep the machine in Cluster API',
      ],
    ],
    ['a soft power off', { powerOffMode: 'soft' }, ['powerOffMode: must be "hard", and is "soft"']],
    [
      'Windows',
      { os: 'Windows' },
      ['os: is another one than Linux, which is all that Machine API makes: keep the machine in Cluster API'],
    ],
    [
      'a failure domain of its own',
      { failureDomain: 'zone-a' },
      [
        'failureDomain: is not read by the programs of vSphere: say it on the Machine that the infrastructure belongs to',
      ],
    ],
    [
      'two gateways',
      devices({ dhcp4: true, gateway4: '192.0.2.1', gateway6: '2001:db8::1' }),
      [
        'network.devices[0].gateway6: cannot be kept together with gateway4: a device has one gateway in Machine API: remove one of them',
      ],
    ],
    [
      'a gateway of the other family',
      devices({ dhcp4: true, gateway4: '2001:db8::1' }),
      ['network.devices[0].gateway4: must be an IPv4 address, and is "2001:db8::1"'],
    ],
    [
      'no DHCP and no addresses',
      devices({}),
      [
        'network.devices[0].dhcp4: must be true: in Machine API a device without addresses and pools takes them from DHCP',
      ],
    ],
    [
      'DHCP together with addresses',
      devices({ dhcp4: true, ipAddrs: ['192.0.2.10/24'] }),
      ['network.devices[0].dhcp4: must be false: in Machine API a device with addresses or pools takes none from DHCP'],
    ],
    [
      'a pool without a group',
      devices({ addressesFromPools: [{ kind: 'InClusterIPPool', name: 'p' }] }),
      [
        'network.devices[0].addressesFromPools[0].kind: is "InClusterIPPool" of the group "", which has no known name in the other API: only "InClusterIPPool", "GlobalInClusterIPPool" of ipam.cluster.x-k8s.io can be kept',
      ],
    ],
    [
      'a provider ID that the machine has not',
      { providerID: 'vsphere://other' },
      [
        'providerID: is "vsphere://other", which belongs to no provider ID: the machine\'s leads to "vsphere://4225c5a2-1b1f-4a71-9c30-7f6e0f3a9b01"',
      ],
    ],
  ])('%s cannot be kept, and gives an error', (_name, changes, expected) => {
    expect(issuesOf('right', changes)).toEqual(expected);
  });
});

it('a set cannot have the addresses of one machine, which its template would be refused for', () => {
  const { providerSpec } = machines.static.left['spec'] as JsonObject;
  const set = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name: 'static', namespace: 'openshift-machine-api' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { providerSpec } },
    },
  };
  const { errors } = new MachineConverter(conversion).toClusterApi(set as unknown as JsonObject, context);
  expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual([
    'spec.template.spec.providerSpec.value.network.devices[0].ipAddrs: are those of one machine, and a template has many: take them from a pool',
  ]);
});

describe('failure domains', () => {
  it('are known by their names', () => {
    const { failureDomains } = conversion;
    expect(failureDomains?.toName({ name: 'zone-a' }, context)).toEqual({ name: 'zone-a' });
    expect(failureDomains?.toName({}, context)).toEqual({
      path: 'name',
      message: 'must be a string that is not empty',
    });
    expect(failureDomains?.toDomain('zone-a', context)).toEqual({ domain: { name: 'zone-a' } });
  });
});
