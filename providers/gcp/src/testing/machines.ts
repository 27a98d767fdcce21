/** Machines on Google Cloud as the installer writes them, in both APIs. */
import { setAt } from '@capstan/convert';
import type { TwoWayMap } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
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

/** Values by their paths; `undefined` takes a field away. */
export type Changes = Readonly<Record<string, unknown>>;

/** A copy with some values changed. */
export function changed(record: JsonObject, changes: Changes): JsonObject {
  const copy = cloneJson(record) as JsonObject;
  for (const [path, value] of Object.entries(changes)) setAt(copy, path.split('.'), value);
  return cloneJson(copy) as JsonObject;
}

/** What came of a worker with some values changed; issues are `path: message`. */
export interface Told {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly spec: JsonObject;
}

const PLACE = /^(?:spec\.providerSpec\.value|infrastructure\.spec)\./;
const lines = (issues: readonly { readonly path: string; readonly message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path.replace(PLACE, '')}: ${message}`);

/** A worker with some values changed, both ways. */
export function ways(map: TwoWayMap<MachineContext>): {
  readonly there: (changes: Changes, context?: MachineContext) => Told;
  readonly back: (changes: Changes, context?: MachineContext) => Told;
} {
  return {
    there: (changes, context = conversionContext) => {
      const machine = machineApiMachine(changed(workerProviderSpec(), changes));
      const { errors, value, warnings } = map.forward(machine, context);
      const { infrastructure } = value as { infrastructure?: { spec: JsonObject } };
      return { errors: lines(errors), warnings: lines(warnings), spec: infrastructure?.spec ?? {} };
    },
    back: (changes, context = conversionContext) => {
      const machine = clusterApiMachine(changed(workerGcpMachine(), changes));
      const { errors, value, warnings } = map.backward(machine, context);
      const { spec } = value as { spec: { providerSpec: { value: JsonObject } } };
      return { errors: lines(errors), warnings: lines(warnings), spec: spec.providerSpec.value };
    },
  };
}
