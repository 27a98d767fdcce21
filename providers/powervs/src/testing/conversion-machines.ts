/** Machines as the installer makes them. Left is Machine API. */
import type { JsonObject } from '@capstan/meta';

const providerID = 'ibmpowervs://syd/syd05/service/instance';

const worker: JsonObject = {
  apiVersion: 'machine.openshift.io/v1',
  kind: 'PowerVSMachineProviderConfig',
  metadata: { creationTimestamp: null },
  credentialsSecret: { name: 'powervs-credentials' },
  image: { type: 'Name', name: 'rhcos-ocean-7xk2p' },
  keyPairName: 'ocean-7xk2p-key',
  memoryGiB: 32,
  network: { type: 'RegEx', regex: '^DHCPSERVER.*ocean-7xk2p.*_Private$' },
  processorType: 'Shared',
  processors: '0.5',
  serviceInstance: { type: 'ID', id: 'service' },
  systemType: 's922',
  userDataSecret: { name: 'worker-user-data' },
};
const infrastructure: JsonObject = {
  image: { name: 'rhcos-ocean-7xk2p' },
  memoryGiB: 32,
  network: { regex: '^DHCPSERVER.*ocean-7xk2p.*_Private$' },
  processorType: 'Shared',
  processors: '0.5',
  providerID,
  serviceInstance: { id: 'service' },
  serviceInstanceID: '',
  sshKey: 'ocean-7xk2p-key',
  systemType: 's922',
};

/** What they are in Cluster API. */
export const conversionMachines = {
  worker: {
    left: { spec: { providerID, providerSpec: { value: worker } } },
    right: {
      machine: { spec: { bootstrap: { dataSecretName: 'worker-user-data' }, providerID } },
      infrastructure: { spec: infrastructure },
    },
  },
};
