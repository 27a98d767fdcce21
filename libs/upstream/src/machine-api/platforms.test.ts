import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './platforms.table.js';
import { wantedInstance } from './platforms.js';
import { awsProviderSpec, machine } from './testing/objects.js';

const user = { userDataSecret: { name: 'worker-user-data' } };

const SPECS: readonly (readonly [platform: string, value: object, expected: object])[] = [
  [
    'aws',
    awsProviderSpec('us-east-1b'),
    { instanceType: 'm6i.xlarge', image: 'ami-0123456789', region: 'us-east-1', zone: 'us-east-1b', isSpot: false },
  ],
  ['aws', { ...awsProviderSpec(), spotMarketOptions: {} }, { isSpot: true }],
  [
    'azure',
    {
      kind: 'AzureMachineProviderSpec',
      vmSize: 'Standard_D4s_v3',
      image: { resourceID: '/x/y' },
      location: 'westeurope',
      zone: '2',
      resourceGroup: 'demo-rg',
      ...user,
    },
    {
      instanceType: 'Standard_D4s_v3',
      image: '/x/y',
      region: 'westeurope',
      zone: '2',
      group: 'demo-rg',
      isSpot: false,
    },
  ],
  [
    'azure',
    {
      kind: 'AzureMachineProviderSpec',
      vmSize: 'a',
      image: { offer: 'rhcos' },
      spotVMOptions: { maxPrice: '1' },
      ...user,
    },
    { image: 'rhcos', isSpot: true },
  ],
  [
    'gcp',
    {
      kind: 'GCPMachineProviderSpec',
      machineType: 'n2-standard-4',
      disks: [{ boot: true, image: 'projects/rhcos' }],
      region: 'us-central1',
      zone: 'us-central1-a',
      projectID: 'p',
      preemptible: false,
      ...user,
    },
    {
      instanceType: 'n2-standard-4',
      image: 'projects/rhcos',
      region: 'us-central1',
      zone: 'us-central1-a',
      account: 'p',
      isSpot: false,
    },
  ],
  [
    'openstack',
    {
      kind: 'OpenstackProviderSpec',
      flavor: 'm1.large',
      image: 'rhcos',
      cloudName: 'openstack',
      availabilityZone: 'nova',
      ...user,
    },
    { instanceType: 'm1.large', image: 'rhcos', region: 'openstack', zone: 'nova' },
  ],
  [
    'vsphere',
    {
      kind: 'VSphereMachineProviderSpec',
      template: 'rhcos-tpl',
      workspace: { datacenter: 'dc1', folder: '/f', resourcePool: 'rp' },
      ...user,
    },
    { image: 'rhcos-tpl', region: 'dc1', zone: 'rp', group: '/f' },
  ],
  [
    'nutanix',
    {
      kind: 'NutanixMachineProviderConfig',
      vcpuSockets: 4,
      image: { type: 'name', name: 'rhcos' },
      cluster: { uuid: 'u' },
      failureDomain: { name: 'fd' },
      ...user,
    },
    { instanceType: '4', image: 'rhcos', region: 'u', zone: 'fd' },
  ],
  [
    'powervs',
    {
      kind: 'PowerVSMachineProviderConfig',
      systemType: 's922',
      image: { type: 'Name', name: 'rhcos' },
      serviceInstance: { type: 'ID', id: 'si' },
      network: { regex: '^n$' },
      ...user,
    },
    { instanceType: 's922', image: 'rhcos', region: 'si', account: 'si', zone: '' },
  ],
  [
    'metal3',
    { kind: 'BareMetalMachineProviderSpec', image: { url: 'http://i' }, userData: { name: 'worker-user-data' } },
    { instanceType: '', image: 'http://i' },
  ],
];

const read = (value: object): ReturnType<typeof wantedInstance> =>
  wantedInstance(machine('a', { spec: { providerSpec: { value } } }));

describe('provider specs', () => {
  it.each(SPECS)('of %s are read by its row: %j', (platform, value, expected) => {
    expect(read(value)).toMatchObject({ row: { platform }, userDataSecret: 'worker-user-data', ...expected });
  });

  it('are known for every platform', () => {
    expect(new Set(SPECS.map(([platform]) => platform))).toEqual(new Set(PLATFORMS.map(({ platform }) => platform)));
  });

  it.each([
    [{ kind: 'LibvirtMachineProviderConfig' }, 'providerSpec.value.kind: unknown kind "LibvirtMachineProviderConfig"'],
    [{}, 'providerSpec.value.kind: unknown kind ""'],
    [{ kind: 'AWSMachineProviderConfig', instanceType: '' }, 'providerSpec.value.instanceType: required'],
    [{ kind: 'GCPMachineProviderSpec', machineType: { not: 'text' } }, 'providerSpec.value.machineType: required'],
  ])('that cannot be read say why: %j', (value, problem) => {
    expect(read(value)).toEqual({ problem });
  });
});
