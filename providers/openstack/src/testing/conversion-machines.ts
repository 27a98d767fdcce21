/** Machines as installers create them, and one with every field set. Left is Machine API. */
import type { JsonObject } from '@capstan/meta';

const ID = '7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10';
const OTHER = '0b9de3a1-6a0e-4a55-8f6e-0a41a2f8a111';
const serverId = `openstack:///${ID}`;
const type = { apiVersion: 'machine.openshift.io/v1alpha1', kind: 'OpenstackProviderSpec' };
const cloudsSecret = { name: 'openstack-cloud-credentials', namespace: 'openshift-machine-api' };
const identityRef = { type: 'Secret', name: 'openstack-cloud-credentials', cloudName: 'openstack' };
const vips = [{ ipAddress: '192.0.2.5' }, { ipAddress: '192.0.2.7' }];

/** What is needed, and no more. */
const least = { ...type, cloudName: 'openstack', cloudsSecret, flavor: 'm1.xlarge', image: 'rhcos' };
const leastRight = { flavor: 'm1.xlarge', identityRef, image: { filter: { name: 'rhcos' } } };

const machineOf = (value: JsonObject, providerID?: string): JsonObject => ({
  spec: { ...(providerID === undefined ? {} : { providerID }), providerSpec: { value } },
});
const rightOf = (infrastructure: JsonObject, machine: JsonObject = {}): JsonObject => ({
  ...(Object.keys(machine).length === 0 ? {} : { machine: { spec: machine } }),
  infrastructure: { spec: infrastructure },
});

/** As the installer writes a worker, with a network of the user's own next to that of the cluster. */
const installed = {
  ...type,
  availabilityZone: 'nova',
  cloudName: 'openstack',
  cloudsSecret,
  flavor: 'm1.xlarge',
  image: 'shift-q9x4m-rhcos',
  metadata: { creationTimestamp: null },
  networks: [
    {
      filter: {},
      subnets: [{ filter: { name: 'shift-q9x4m-nodes', tags: 'openshiftClusterID=shift-q9x4m' } }],
    },
    { filter: {}, noAllowedAddressPairs: true, uuid: OTHER },
  ],
  securityGroups: [
    { filter: {}, name: 'shift-q9x4m-worker' },
    { filter: {}, uuid: OTHER },
  ],
  serverGroupName: 'shift-q9x4m-worker',
  serverMetadata: { Name: 'shift-q9x4m-worker', openshiftClusterID: 'shift-q9x4m' },
  tags: ['openshiftClusterID=shift-q9x4m'],
  trunk: true,
  userDataSecret: { name: 'worker-user-data' },
};
const installedRight = rightOf(
  {
    flavor: 'm1.xlarge',
    identityRef,
    image: { filter: { name: 'shift-q9x4m-rhcos' } },
    ports: [
      {
        fixedIPs: [{ subnet: { filter: { name: 'shift-q9x4m-nodes', tags: ['openshiftClusterID=shift-q9x4m'] } } }],
        allowedAddressPairs: vips,
        trunk: true,
      },
      { network: { id: OTHER }, trunk: true },
    ],
    providerID: serverId,
    securityGroups: [{ filter: { name: 'shift-q9x4m-worker' } }, { id: OTHER }],
    serverGroup: { filter: { name: 'shift-q9x4m-worker' } },
    serverMetadata: [
      { key: 'Name', value: 'shift-q9x4m-worker' },
      { key: 'openshiftClusterID', value: 'shift-q9x4m' },
    ],
    tags: ['openshiftClusterID=shift-q9x4m'],
    trunk: true,
  },
  { providerID: serverId, failureDomain: 'nova', bootstrap: { dataSecretName: 'worker-user-data' } },
);

/** With every field set. */
const full = {
  ...least,
  keyName: 'core',
  configDrive: false,
  rootVolume: { sourceUUID: 'rhcos', diskSize: 120, volumeType: 'ssd', availabilityZone: 'cinder-1' },
  image: '',
  additionalBlockDevices: [
    { name: 'etcd', sizeGiB: 10, storage: { type: 'Local' } },
    { name: 'logs', sizeGiB: 50, storage: { type: 'Volume', volume: { type: 'hdd', availabilityZone: 'cinder-2' } } },
    { name: 'data', sizeGiB: 50, storage: { type: 'Volume' } },
  ],
  serverGroupID: ID,
  networks: [
    {
      uuid: ID,
      subnets: [
        { uuid: ID },
        { filter: { cidr: '10.0.0.0/16', ipVersion: 4, gateway_ip: '10.0.0.1', ipv6RaMode: 'x' } },
      ],
      portTags: ['fast'],
      vnicType: 'direct',
      profile: { capabilities: '[switchdev]', trusted: 'true' },
      portSecurity: false,
    },
    { filter: { name: 'net', projectId: 'p', tags: 'a,b', notTagsAny: 'c' }, portSecurity: true },
  ],
  ports: [
    {
      networkID: OTHER,
      nameSuffix: 'storage',
      description: 'to the disks',
      adminStateUp: true,
      macAddress: 'fa:16:3e:00:00:01',
      fixedIPs: [{ subnetID: ID, ipAddress: '10.1.0.5' }, { subnetID: OTHER }],
      securityGroups: [ID],
      allowedAddressPairs: [{ ipAddress: '10.1.0.9', macAddress: 'fa:16:3e:00:00:02' }],
      tags: ['slow'],
      trunk: true,
      profile: { trusted: 'false' },
    },
    { networkID: ID },
  ],
};
const fullRight = rightOf({
  ...leastRight,
  sshKeyName: 'core',
  configDrive: false,
  rootVolume: { sizeGiB: 120, type: 'ssd', availabilityZone: { from: 'Name', name: 'cinder-1' } },
  additionalBlockDevices: [
    { name: 'etcd', sizeGiB: 10, storage: { type: 'Local' } },
    {
      name: 'logs',
      sizeGiB: 50,
      storage: { type: 'Volume', volume: { type: 'hdd', availabilityZone: { from: 'Name', name: 'cinder-2' } } },
    },
    { name: 'data', sizeGiB: 50, storage: { type: 'Volume', volume: { availabilityZone: { from: 'Machine' } } } },
  ],
  serverGroup: { id: ID },
  ports: [
    {
      network: { id: ID },
      fixedIPs: [
        { subnet: { id: ID } },
        { subnet: { filter: { cidr: '10.0.0.0/16', ipVersion: 4, gatewayIP: '10.0.0.1', ipv6RAMode: 'x' } } },
      ],
      tags: ['fast'],
      vnicType: 'direct',
      profile: { ovsHWOffload: true, trustedVF: true },
      disablePortSecurity: true,
      allowedAddressPairs: vips,
      trunk: false,
    },
    {
      network: { filter: { name: 'net', projectID: 'p', tags: ['a', 'b'], notTagsAny: ['c'] } },
      disablePortSecurity: false,
      allowedAddressPairs: vips,
      trunk: false,
    },
    {
      network: { id: OTHER },
      nameSuffix: 'storage',
      description: 'to the disks',
      adminStateUp: true,
      macAddress: 'fa:16:3e:00:00:01',
      fixedIPs: [{ subnet: { id: ID }, ipAddress: '10.1.0.5' }, { subnet: { id: OTHER } }],
      securityGroups: [{ id: ID }],
      allowedAddressPairs: [{ ipAddress: '10.1.0.9', macAddress: 'fa:16:3e:00:00:02' }],
      tags: ['slow'],
      trunk: true,
      profile: { trustedVF: false },
    },
    { network: { id: ID } },
  ],
});

/** By name, on both sides. */
export const conversionMachines = {
  installed: { left: machineOf(installed, serverId), right: installedRight },
  full: { left: machineOf(full), right: fullRight },
};
