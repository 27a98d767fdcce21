/** Machines as installers create them, and one with every field set. Left is Machine API. */
import type { JsonObject } from '@capstan/meta';

/** A host. */
export const hostId = 'baremetalhost:///openshift-machine-api/worker-0/5e1bd4d9-1d70-4e4a-9f2f-1d2c9a6a8b11';

/** The type of its provider specs. */
export const type = { apiVersion: 'baremetal.cluster.k8s.io/v1alpha1', kind: 'BareMetalMachineProviderSpec' };

/** As the installer writes it for workers, with the empty records of its Go types. */
export const installed = {
  ...type,
  metadata: { creationTimestamp: null },
  customDeploy: { method: 'install_coreos' },
  hostSelector: {},
  image: { checksum: '', url: '' },
  userData: { name: 'worker-user-data-managed' },
};

/** With every field set. */
export const full = {
  ...type,
  image: { url: 'http://172.22.0.3/images/rhcos.qcow2', checksum: 'http://172.22.0.3/images/rhcos.qcow2.md5sum' },
  customDeploy: { method: 'install_coreos' },
  userData: { name: 'infra-user-data' },
  hostSelector: {
    matchLabels: { rack: 'r1' },
    matchExpressions: [
      { key: 'disk', operator: 'In', values: ['nvme', 'ssd'] },
      { key: 'broken', operator: '!', values: [] },
    ],
  },
};
/** The same in Cluster API. */
export const fullMetal3 = { image: full.image, customDeploy: full.customDeploy, hostSelector: full.hostSelector };

/** A machine with a provider spec. */
export const machineOf = (value: JsonObject, providerID?: string): JsonObject => ({
  spec: { ...(providerID === undefined ? {} : { providerID }), providerSpec: { value } },
});

/** By name. */
export const conversionMachines = {
  installed: { left: machineOf(installed, hostId) },
  full: { left: machineOf(full) },
};
