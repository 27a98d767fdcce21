import type { JsonObject } from '@capstan/meta';

/** A machine as both APIs write it: left Machine API, right Cluster API. */
interface Pair {
  readonly left: JsonObject;
  readonly right: JsonObject;
}

const providerID = 'vsphere://4225c5a2-1b1f-4a71-9c30-7f6e0f3a9b01';

function machine(parts: { providerSpec: JsonObject; infrastructure: JsonObject }): Pair {
  return {
    left: {
      spec: {
        providerID,
        providerSpec: {
          value: {
            apiVersion: 'machine.openshift.io/v1beta1',
            kind: 'VSphereMachineProviderSpec',
            credentialsSecret: { name: 'vsphere-cloud-credentials' },
            userDataSecret: { name: 'worker-user-data' },
            ...parts.providerSpec,
          },
        },
      },
    },
    right: {
      machine: { spec: { providerID, bootstrap: { dataSecretName: 'worker-user-data' } } },
      infrastructure: { spec: { providerID, powerOffMode: 'hard', ...parts.infrastructure } },
    },
  };
}

const sizes = { numCPUs: 4, numCoresPerSocket: 4, memoryMiB: 16_384, diskGiB: 120 };
const workspace = {
  server: 'vcenter.example.com',
  datacenter: 'dc1',
  folder: '/dc1/vm/fleet-x7k2p',
  datastore: '/dc1/datastore/nfs',
  resourcePool: '/dc1/host/c1/Resources',
};

/** Machines as the installer makes them, and such as use what is seldom used. */
export const machines = {
  /** Addresses from DHCP. */
  worker: machine({
    providerSpec: {
      template: 'fleet-x7k2p-rhcos-region-zone',
      cloneMode: 'fullClone',
      network: { devices: [{ networkName: 'segment-7' }] },
      workspace,
      ...sizes,
    },
    infrastructure: {
      template: 'fleet-x7k2p-rhcos-region-zone',
      cloneMode: 'fullClone',
      network: { devices: [{ networkName: 'segment-7', dhcp4: true }] },
      ...workspace,
      ...sizes,
    },
  }),
  /** Addresses that are given, and others from pools; disks of its own. */
  static: machine({
    providerSpec: {
      template: 'rhcos',
      cloneMode: 'linkedClone',
      snapshot: 'before-4.20',
      network: {
        devices: [
          {
            networkName: 'segment-7',
            gateway: '192.0.2.1',
            ipAddrs: ['192.0.2.10/24'],
            nameservers: ['192.0.2.53'],
          },
          {
            networkName: 'segment-8',
            addressesFromPools: [
              { group: 'ipam.cluster.x-k8s.io', resource: 'inclusterippools', name: 'pool-1' },
              { group: 'ipam.cluster.x-k8s.io', resource: 'globalinclusterippools', name: 'pool-2' },
            ],
          },
        ],
      },
      workspace: { server: 'vcenter.example.com' },
      tagIDs: ['urn:vmomi:InventoryServiceTag:5736bf56-49f5-4667-b38c-b97e09dc9578:GLOBAL'],
      dataDisks: [
        { name: 'images', sizeGiB: 100, provisioningMode: 'Thin' },
        { name: 'logs', sizeGiB: 20 },
      ],
      ...sizes,
    },
    infrastructure: {
      template: 'rhcos',
      cloneMode: 'linkedClone',
      snapshot: 'before-4.20',
      server: 'vcenter.example.com',
      datacenter: '*',
      network: {
        devices: [
          {
            networkName: 'segment-7',
            gateway4: '192.0.2.1',
            ipAddrs: ['192.0.2.10/24'],
            nameservers: ['192.0.2.53'],
          },
          {
            networkName: 'segment-8',
            addressesFromPools: [
              { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'pool-1' },
              { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'GlobalInClusterIPPool', name: 'pool-2' },
            ],
          },
        ],
      },
      tagIDs: ['urn:vmomi:InventoryServiceTag:5736bf56-49f5-4667-b38c-b97e09dc9578:GLOBAL'],
      dataDisks: [
        { name: 'images', sizeGiB: 100, provisioningMode: 'Thin' },
        { name: 'logs', sizeGiB: 20 },
      ],
      ...sizes,
    },
  }),
} as const;
