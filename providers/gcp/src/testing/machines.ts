/** Machines on Google Cloud as the installer writes them, in both APIs. */
import type { TwoWayMap } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { changed, conversionWays } from '@capstan/provider/testing';
import type { Way } from '@capstan/provider/testing';
import { conversionContext } from './conversion-examples.js';

const CLUSTER = 'ocean-7xk2p';
const PROVIDER_ID = `gce://ocean-project/europe-north1-a/${CLUSTER}-worker-a-abcde`;
const IMAGE = 'projects/rhcos-cloud/global/images/rhcos-419-gcp-x86-64';
const ACCOUNT = {
  email: `${CLUSTER}-w@ocean-project.iam.gserviceaccount.com`,
  scopes: ['https://www.googleapis.com/auth/cloud-platform'],
};

/** The provider spec of a worker. */
export function workerProviderSpec(): JsonObject {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'GCPMachineProviderSpec',
    metadata: { creationTimestamp: null },
    canIPForward: false,
    credentialsSecret: { name: 'gcp-cloud-credentials' },
    deletionProtection: false,
    disks: [{ autoDelete: true, boot: true, image: IMAGE, labels: null, sizeGb: 128, type: 'pd-ssd' }],
    machineType: 'n2-standard-4',
    networkInterfaces: [
      { network: `${CLUSTER}-network`, projectID: 'network-project', subnetwork: `${CLUSTER}-worker-subnet` },
    ],
    projectID: 'ocean-project',
    region: 'europe-north1',
    serviceAccounts: [ACCOUNT],
    shieldedInstanceConfig: {},
    tags: [`${CLUSTER}-worker`],
    userDataSecret: { name: 'worker-user-data' },
    zone: 'europe-north1-a',
  };
}

/** The spec of the GCPMachine that stands for it. */
export function workerGcpMachine(): JsonObject {
  return {
    additionalNetworkTags: [`${CLUSTER}-worker`],
    image: IMAGE,
    instanceType: 'n2-standard-4',
    ipForwarding: 'Disabled',
    providerID: PROVIDER_ID,
    rootDeviceSize: 128,
    rootDeviceType: 'pd-ssd',
    serviceAccounts: ACCOUNT,
    subnet: `${CLUSTER}-worker-subnet`,
  };
}

/** A whole machine of Machine API around a provider spec. */
export function machineApiMachine(providerSpec: JsonObject): JsonObject {
  return { spec: { providerID: PROVIDER_ID, providerSpec: { value: providerSpec } } };
}

/** A machine of Cluster API and its infrastructure. */
export function clusterApiMachine(gcpMachine: JsonObject): JsonObject {
  return {
    machine: {
      spec: {
        bootstrap: { dataSecretName: 'worker-user-data' },
        failureDomain: 'europe-north1-a',
        providerID: PROVIDER_ID,
      },
    },
    infrastructure: { spec: gcpMachine },
  };
}

/** Machines as the installer makes them, on both sides. */
export const conversionMachines = {
  worker: { left: machineApiMachine(workerProviderSpec()), right: clusterApiMachine(workerGcpMachine()) },
};

/** A worker with some values changed, both ways. */
export function ways(map: TwoWayMap<MachineContext>): { readonly there: Way; readonly back: Way } {
  return conversionWays(map, conversionContext, {
    left: (changes) => machineApiMachine(changed(workerProviderSpec(), changes)),
    right: (changes) => clusterApiMachine(changed(workerGcpMachine(), changes)),
  });
}
