import type { JsonObject } from '@capstan/meta';

/** A machine as both APIs write it: left Machine API, right Cluster API. */
interface Pair {
  readonly left: JsonObject;
  readonly right: JsonObject;
}

const providerID = 'nutanix://5e8c1d9a-7b3f-4a60-9d21-3c4b5a697887';

function machine(parts: { providerSpec: JsonObject; machine?: JsonObject; infrastructure: JsonObject }): Pair {
  return {
    left: {
      spec: {
        providerID,
        providerSpec: {
          value: {
            apiVersion: 'machine.openshift.io/v1',
            kind: 'NutanixMachineProviderConfig',
            credentialsSecret: { name: 'nutanix-credentials' },
            userDataSecret: { name: 'worker-user-data' },
            ...parts.providerSpec,
          },
        },
      },
    },
    right: {
      machine: { spec: { providerID, bootstrap: { dataSecretName: 'worker-user-data' }, ...parts.machine } },
      infrastructure: {
        spec: {
          providerID,
          bootstrapRef: {
            apiVersion: 'v1',
            kind: 'Secret',
            name: 'worker-user-data',
            namespace: 'openshift-cluster-api',
          },
          ...parts.infrastructure,
        },
      },
    },
  };
}

const sizes = { vcpusPerSocket: 1, vcpuSockets: 4, memorySize: '16Gi', systemDiskSize: '120Gi' };
const cluster = { type: 'uuid', uuid: '0005b0f1-8f43-a0f2-02b7-3cecef193712' };
const subnet = { type: 'uuid', uuid: 'c7938dc6-7659-453e-a688-e26020c68e43' };
const image = { type: 'name', name: 'fleet-x7k2p-rhcos' };
const disk = {
  diskSize: '100Gi',
  deviceProperties: { deviceType: 'Disk', adapterType: 'SCSI', deviceIndex: 1 },
  storageConfig: {
    diskMode: 'Flash',
    storageContainer: { type: 'uuid', uuid: '3b7b7fa1-6f8c-4a1c-bb2e-9e1d1a9c5f10' },
  },
  dataSource: { type: 'name', name: 'tools' },
};

/** Machines as the installer makes them, and such as use what is seldom used. */
export const machines = {
  worker: machine({
    providerSpec: { cluster, image, subnets: [subnet], ...sizes },
    infrastructure: { cluster, image, subnet: [subnet], ...sizes },
  }),
  whole: machine({
    providerSpec: {
      cluster,
      image,
      subnets: [subnet, { type: 'name', name: 'storage' }],
      bootType: 'UEFI',
      project: { type: 'name', name: 'fleet' },
      categories: [{ key: 'kubernetes-io-cluster-fleet', value: 'owned' }],
      gpus: [
        { type: 'DeviceID', deviceID: 8757 },
        { type: 'Name', name: 'Ampere 40' },
      ],
      dataDisks: [disk, { diskSize: '1Gi' }],
      failureDomain: { name: 'fd-1' },
      ...sizes,
    },
    machine: { failureDomain: 'fd-1' },
    infrastructure: {
      cluster,
      image,
      subnet: [subnet, { type: 'name', name: 'storage' }],
      bootType: 'uefi',
      project: { type: 'name', name: 'fleet' },
      additionalCategories: [{ key: 'kubernetes-io-cluster-fleet', value: 'owned' }],
      gpus: [
        { type: 'deviceID', deviceID: 8757 },
        { type: 'name', name: 'Ampere 40' },
      ],
      dataDisks: [disk, { diskSize: '1Gi' }],
      ...sizes,
    },
  }),
} as const;
