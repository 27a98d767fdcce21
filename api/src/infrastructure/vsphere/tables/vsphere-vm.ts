// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  kind,
  map,
  named,
  object,
  optional,
  string,
  time,
} from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  dataDisk,
  dataDiskV1Beta1,
  network,
  networkV1Beta1,
  pciDevice,
  pciDeviceV1Beta1,
  resources,
  statusNetwork,
  statusNetworkV1Beta1,
  v1beta1Condition,
} from './shared.js';

const vsphereVmStatusV1Beta1Shape = object({
  addresses: optional(array(string())),
  cloneMode: optional(string()),
  conditions: optional(array(v1beta1Condition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  host: optional(string()),
  moduleUUID: optional(string()),
  network: optional(array(statusNetworkV1Beta1)),
  ready: optional(boolean()),
  retryAfter: optional(time()),
  snapshot: optional(string()),
  taskRef: optional(string()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  vmRef: optional(string()),
});

/** A value of the shape VSphereVMStatus in v1beta1. */
export interface VSphereVMStatusV1Beta1 extends Infer<typeof vsphereVmStatusV1Beta1Shape> {}

/** The shape VSphereVMStatus in v1beta1. */
export const vsphereVmStatusV1Beta1: Schema<VSphereVMStatusV1Beta1> = named('VSphereVMStatus', vsphereVmStatusV1Beta1Shape);

const vsphereVmStatusShape = object(
  {
    addresses: optional(array(string({ maxLength: 39, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
    cloneMode: optional(string({ enum: ['fullClone', 'linkedClone'] })),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({
      v1beta1: optional(object({
        conditions: optional(array(v1beta1Condition)),
        failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
        failureReason: optional(string()),
      })),
    })),
    host: optional(string({ maxLength: 1024, minLength: 1 })),
    moduleUUID: optional(string({ maxLength: 2048 })),
    network: optional(array(statusNetwork, { maxItems: 128, listType: 'atomic' })),
    ready: optional(boolean()),
    retryAfter: optional(time()),
    snapshot: optional(string({ maxLength: 1024, minLength: 1 })),
    taskRef: optional(string({ maxLength: 2048, minLength: 1 })),
    vmRef: optional(string({ maxLength: 2048, minLength: 1 })),
  },
  { minProperties: 1 },
);

/** A value of the shape VSphereVMStatus. */
export interface VSphereVMStatus extends Infer<typeof vsphereVmStatusShape> {}

/** The shape VSphereVMStatus. */
export const vsphereVmStatus: Schema<VSphereVMStatus> = named('VSphereVMStatus', vsphereVmStatusShape);

const vsphereVmSpecV1Beta1Shape = object({
  additionalDisksGiB: optional(array(int32())),
  biosUUID: optional(string()),
  bootstrapRef: optional(object(
    {
      apiVersion: optional(string()),
      fieldPath: optional(string()),
      kind: optional(string()),
      name: optional(string()),
      namespace: optional(string()),
      resourceVersion: optional(string()),
      uid: optional(string()),
    },
    { mapType: 'atomic' },
  )),
  cloneMode: optional(string()),
  cryptoKeyID: optional(string({ maxLength: 128, minLength: 1 })),
  cryptoProfile: optional(string({ maxLength: 128, minLength: 1 })),
  customVMXKeys: optional(map(string())),
  dataDisks: optional(array(dataDiskV1Beta1, { maxItems: 29, listMapKeys: ['name'], listType: 'map' })),
  datacenter: optional(string()),
  datastore: optional(string()),
  diskGiB: optional(int32()),
  folder: optional(string()),
  ftEncryptionMode: optional(string({ enum: ['ftEncryptionDisabled', 'ftEncryptionOpportunistic', 'ftEncryptionRequired'] })),
  guestSoftPowerOffTimeout: optional(string()),
  hardwareVersion: optional(string()),
  memoryMiB: optional(int64()),
  migrateEncryption: optional(string({ enum: ['disabled', 'opportunistic', 'required'] })),
  nestedHV: optional(boolean()),
  network: networkV1Beta1,
  numCPUs: optional(int32()),
  numCoresPerSocket: optional(int32()),
  os: optional(string()),
  pciDevices: optional(array(pciDeviceV1Beta1)),
  powerOffMode: optional(string({ default: 'hard', enum: ['hard', 'soft', 'trySoft'] })),
  resourcePool: optional(string()),
  resources: optional(resources),
  server: optional(string()),
  snapshot: optional(string()),
  storagePolicyName: optional(string()),
  tagIDs: optional(array(string())),
  template: string({ minLength: 1 }),
  thumbprint: optional(string()),
});

/** A value of the shape VSphereVMSpec in v1beta1. */
export interface VSphereVMSpecV1Beta1 extends Infer<typeof vsphereVmSpecV1Beta1Shape> {}

/** The shape VSphereVMSpec in v1beta1. */
export const vsphereVmSpecV1Beta1: Schema<VSphereVMSpecV1Beta1> = named('VSphereVMSpec', vsphereVmSpecV1Beta1Shape);

const vsphereVmSpecShape = object({
  additionalDisksGiB: optional(array(int32(), { maxItems: 128, listType: 'atomic' })),
  biosUUID: optional(string({ maxLength: 1024, minLength: 1 })),
  bootstrapRef: optional(object({ name: string({ maxLength: 253, minLength: 1 }) })),
  cloneMode: optional(string({ enum: ['fullClone', 'linkedClone'] })),
  cryptoKeyID: optional(string({ maxLength: 128, minLength: 1 })),
  cryptoProfile: optional(string({ maxLength: 128, minLength: 1 })),
  customVMXKeys: optional(map(string())),
  dataDisks: optional(array(dataDisk, { maxItems: 29, listMapKeys: ['name'], listType: 'map' })),
  datacenter: optional(string({ maxLength: 2048, minLength: 1 })),
  datastore: optional(string({ maxLength: 2048, minLength: 1 })),
  diskGiB: optional(int32({ minimum: 1 })),
  folder: optional(string({ maxLength: 2048, minLength: 1 })),
  ftEncryptionMode: optional(string({ enum: ['ftEncryptionDisabled', 'ftEncryptionOpportunistic', 'ftEncryptionRequired'] })),
  guestSoftPowerOffTimeoutSeconds: optional(int32({ minimum: 1 })),
  hardwareVersion: optional(string({ maxLength: 128, minLength: 1 })),
  memoryMiB: optional(int64({ minimum: 1 })),
  migrateEncryption: optional(string({ enum: ['disabled', 'opportunistic', 'required'] })),
  nestedHV: optional(boolean()),
  network: network,
  numCPUs: optional(int32({ minimum: 2 })),
  numCoresPerSocket: optional(int32({ minimum: 0 })),
  os: optional(string({ maxLength: 128, minLength: 1 })),
  pciDevices: optional(array(pciDevice, { maxItems: 128, listType: 'atomic' })),
  powerOffMode: optional(string({ enum: ['hard', 'soft', 'trySoft'] })),
  resourcePool: optional(string({ maxLength: 2048, minLength: 1 })),
  resources: optional(resources),
  server: optional(string({ maxLength: 1024, minLength: 1 })),
  snapshot: optional(string({ maxLength: 1024, minLength: 1 })),
  storagePolicyName: optional(string({ maxLength: 1024, minLength: 1 })),
  tagIDs: optional(array(string({ maxLength: 1024, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
  template: string({ maxLength: 2048, minLength: 1 }),
  thumbprint: optional(string({ maxLength: 1024, minLength: 1 })),
});

/** A value of the shape VSphereVMSpec. */
export interface VSphereVMSpec extends Infer<typeof vsphereVmSpecShape> {}

/** The shape VSphereVMSpec. */
export const vsphereVmSpec: Schema<VSphereVMSpec> = named('VSphereVMSpec', vsphereVmSpecShape);

/** The kind VSphereVM. */
export const vsphereVm = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereVM',
  plural: 'vspherevms',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      subresources: { status: true },
      schema: object({ spec: optional(vsphereVmSpecV1Beta1), status: optional(vsphereVmStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: vsphereVmSpec, status: optional(vsphereVmStatus) }),
    },
  ],
});

/** VSphereVM in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereVMV1Beta1 = KindOf<typeof vsphereVm, 'v1beta1'>;

/** VSphereVM in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereVM = KindOf<typeof vsphereVm, 'v1beta2'>;
