// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  integer,
  labelSelector,
  map,
  named,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../../model/index.js';

const routeV1Beta1Shape = object({ metric: int32(), to: string(), via: string() });

/** A value of the shape Route in v1beta1. */
export interface RouteV1Beta1 extends Infer<typeof routeV1Beta1Shape> {}

/** The shape Route in v1beta1. */
export const routeV1Beta1: Schema<RouteV1Beta1> = named('Route', routeV1Beta1Shape);

const addressesFromPoolV1Beta1Shape = object(
  { apiGroup: optional(string()), kind: string(), name: string() },
  { mapType: 'atomic' },
);

/** A value of the shape AddressesFromPool in v1beta1. */
export interface AddressesFromPoolV1Beta1 extends Infer<typeof addressesFromPoolV1Beta1Shape> {}

/** The shape AddressesFromPool in v1beta1. */
export const addressesFromPoolV1Beta1: Schema<AddressesFromPoolV1Beta1> = named('AddressesFromPool', addressesFromPoolV1Beta1Shape);

const routeShape = object({
  metric: int32({ minimum: 0 }),
  to: string({ maxLength: 39, minLength: 1 }),
  via: string({ maxLength: 39, minLength: 1 }),
});

/** A value of the shape Route. */
export interface Route extends Infer<typeof routeShape> {}

/** The shape Route. */
export const route: Schema<Route> = named('Route', routeShape);

const dataDiskV1Beta1Shape = object({
  name: string(),
  provisioningMode: optional(string({ enum: ['Thin', 'Thick', 'EagerlyZeroed'] })),
  sizeGiB: int32(),
});

/** A value of the shape DataDisk in v1beta1. */
export interface DataDiskV1Beta1 extends Infer<typeof dataDiskV1Beta1Shape> {}

/** The shape DataDisk in v1beta1. */
export const dataDiskV1Beta1: Schema<DataDiskV1Beta1> = named('DataDisk', dataDiskV1Beta1Shape);

const metadataShape = object(
  { annotations: optional(map(string())), labels: optional(map(string())) },
  { minProperties: 1 },
);

/** A value of the shape Metadata. */
export interface Metadata extends Infer<typeof metadataShape> {}

/** The shape Metadata. */
export const metadata: Schema<Metadata> = named('Metadata', metadataShape);

const dataDiskShape = object({
  name: string({ maxLength: 1024, minLength: 1 }),
  provisioningMode: optional(string({ enum: ['Thin', 'Thick', 'EagerlyZeroed'] })),
  sizeGiB: int32({ minimum: 1 }),
});

/** A value of the shape DataDisk. */
export interface DataDisk extends Infer<typeof dataDiskShape> {}

/** The shape DataDisk. */
export const dataDisk: Schema<DataDisk> = named('DataDisk', dataDiskShape);

const statusNetworkV1Beta1Shape = object({
  connected: optional(boolean()),
  ipAddrs: optional(array(string())),
  macAddr: string(),
  networkName: optional(string()),
});

/** A value of the shape StatusNetwork in v1beta1. */
export interface StatusNetworkV1Beta1 extends Infer<typeof statusNetworkV1Beta1Shape> {}

/** The shape StatusNetwork in v1beta1. */
export const statusNetworkV1Beta1: Schema<StatusNetworkV1Beta1> = named('StatusNetwork', statusNetworkV1Beta1Shape);

const pciDeviceV1Beta1Shape = object({
  customLabel: optional(string()),
  deviceId: optional(int32()),
  vGPUProfile: optional(string()),
  vendorId: optional(int32()),
});

/** A value of the shape PciDevice in v1beta1. */
export interface PciDeviceV1Beta1 extends Infer<typeof pciDeviceV1Beta1Shape> {}

/** The shape PciDevice in v1beta1. */
export const pciDeviceV1Beta1: Schema<PciDeviceV1Beta1> = named('PciDevice', pciDeviceV1Beta1Shape);

const pciDeviceShape = object({
  customLabel: optional(string({ maxLength: 1024, minLength: 1 })),
  deviceId: optional(int32()),
  vGPUProfile: optional(string({ maxLength: 1024, minLength: 1 })),
  vendorId: optional(int32()),
});

/** A value of the shape PciDevice. */
export interface PciDevice extends Infer<typeof pciDeviceShape> {}

/** The shape PciDevice. */
export const pciDevice: Schema<PciDevice> = named('PciDevice', pciDeviceShape);

const statusNetworkShape = object({
  connected: optional(boolean()),
  ipAddrs: optional(array(string({ maxLength: 39, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
  macAddr: string({ maxLength: 17, minLength: 1 }),
  networkName: optional(string({ maxLength: 1024, minLength: 1 })),
});

/** A value of the shape StatusNetwork. */
export interface StatusNetwork extends Infer<typeof statusNetworkShape> {}

/** The shape StatusNetwork. */
export const statusNetwork: Schema<StatusNetwork> = named('StatusNetwork', statusNetworkShape);

const addressesFromPoolShape = object({
  apiGroup: string({
    maxLength: 253,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  }),
  kind: string({ maxLength: 63, minLength: 1, pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' }),
  name: string({
    maxLength: 253,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  }),
});

/** A value of the shape AddressesFromPool. */
export interface AddressesFromPool extends Infer<typeof addressesFromPoolShape> {}

/** The shape AddressesFromPool. */
export const addressesFromPool: Schema<AddressesFromPool> = named('AddressesFromPool', addressesFromPoolShape);

const v1beta1ConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape V1beta1Condition. */
export interface V1beta1Condition extends Infer<typeof v1beta1ConditionShape> {}

/** The shape V1beta1Condition. */
export const v1beta1Condition: Schema<V1beta1Condition> = named('V1beta1Condition', v1beta1ConditionShape);

const limitsShape = object({ cpu: optional(quantity()), memory: optional(quantity()) }, { minProperties: 1 });

/** A value of the shape Limits. */
export interface Limits extends Infer<typeof limitsShape> {}

/** The shape Limits. */
export const limits: Schema<Limits> = named('Limits', limitsShape);

const dhcp4OverridesV1Beta1Shape = object({
  hostname: optional(string()),
  routeMetric: optional(integer()),
  sendHostname: optional(boolean()),
  useDNS: optional(boolean()),
  useDomains: optional(string()),
  useHostname: optional(boolean()),
  useMTU: optional(boolean()),
  useNTP: optional(boolean()),
  useRoutes: optional(string()),
});

/** A value of the shape Dhcp4Overrides in v1beta1. */
export interface Dhcp4OverridesV1Beta1 extends Infer<typeof dhcp4OverridesV1Beta1Shape> {}

/** The shape Dhcp4Overrides in v1beta1. */
export const dhcp4OverridesV1Beta1: Schema<Dhcp4OverridesV1Beta1> = named('Dhcp4Overrides', dhcp4OverridesV1Beta1Shape);

const dhcp4OverridesShape = object({
  hostname: optional(string({ maxLength: 1024 })),
  routeMetric: optional(int32({ minimum: 0 })),
  sendHostname: optional(boolean()),
  useDNS: optional(boolean()),
  useDomains: optional(string({ maxLength: 128 })),
  useHostname: optional(boolean()),
  useMTU: optional(boolean()),
  useNTP: optional(boolean()),
  useRoutes: optional(string({ maxLength: 128 })),
});

/** A value of the shape Dhcp4Overrides. */
export interface Dhcp4Overrides extends Infer<typeof dhcp4OverridesShape> {}

/** The shape Dhcp4Overrides. */
export const dhcp4Overrides: Schema<Dhcp4Overrides> = named('Dhcp4Overrides', dhcp4OverridesShape);

const vsphereClusterSpecV1Beta1Shape = object({
  clusterModules: optional(array(object({ controlPlane: boolean(), moduleUUID: string(), targetObjectName: string() }))),
  controlPlaneEndpoint: optional(object({ host: optional(string()), port: optional(int32()) })),
  disableClusterModule: optional(boolean()),
  failureDomainSelector: optional(labelSelector),
  identityRef: optional(object({ kind: string({ enum: ['VSphereClusterIdentity', 'Secret'] }), name: string({ minLength: 1 }) })),
  server: optional(string()),
  thumbprint: optional(string()),
});

/** A value of the shape VSphereClusterSpec in v1beta1. */
export interface VSphereClusterSpecV1Beta1 extends Infer<typeof vsphereClusterSpecV1Beta1Shape> {}

/** The shape VSphereClusterSpec in v1beta1. */
export const vsphereClusterSpecV1Beta1: Schema<VSphereClusterSpecV1Beta1> = named('VSphereClusterSpec', vsphereClusterSpecV1Beta1Shape);

const vsphereDeploymentZoneStatusV1Beta1Shape = object({
  conditions: optional(array(v1beta1Condition)),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape VSphereDeploymentZoneStatus in v1beta1. */
export interface VSphereDeploymentZoneStatusV1Beta1 extends Infer<typeof vsphereDeploymentZoneStatusV1Beta1Shape> {}

/** The shape VSphereDeploymentZoneStatus in v1beta1. */
export const vsphereDeploymentZoneStatusV1Beta1: Schema<VSphereDeploymentZoneStatusV1Beta1> = named('VSphereDeploymentZoneStatus', vsphereDeploymentZoneStatusV1Beta1Shape);

const resourcesShape = object(
  {
    limits: optional(limits),
    requests: optional(limits),
    shares: optional(object(
      { cpu: optional(int32({ minimum: 1 })), memory: optional(int32({ minimum: 1 })) },
      { minProperties: 1 },
    )),
  },
  { minProperties: 1 },
);

/** A value of the shape Resources. */
export interface Resources extends Infer<typeof resourcesShape> {}

/** The shape Resources. */
export const resources: Schema<Resources> = named('Resources', resourcesShape);

const vsphereDeploymentZoneStatusShape = object(
  {
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({ v1beta1: optional(object({ conditions: optional(array(v1beta1Condition)) })) })),
    ready: optional(boolean()),
  },
  { minProperties: 1 },
);

/** A value of the shape VSphereDeploymentZoneStatus. */
export interface VSphereDeploymentZoneStatus extends Infer<typeof vsphereDeploymentZoneStatusShape> {}

/** The shape VSphereDeploymentZoneStatus. */
export const vsphereDeploymentZoneStatus: Schema<VSphereDeploymentZoneStatus> = named('VSphereDeploymentZoneStatus', vsphereDeploymentZoneStatusShape);

const vsphereClusterSpecShape = object({
  clusterModules: optional(array(
    object({
      controlPlane: boolean(),
      moduleUUID: string({ maxLength: 2048, minLength: 1 }),
      targetObjectName: string({ maxLength: 253, minLength: 1 }),
    }),
    { maxItems: 512, listType: 'atomic' },
  )),
  controlPlaneEndpoint: optional(object(
    { host: optional(string({ maxLength: 512, minLength: 1 })), port: optional(int32({ maximum: 65535, minimum: 1 })) },
    { minProperties: 1 },
  )),
  disableClusterModule: optional(boolean()),
  failureDomainSelector: optional(labelSelector),
  identityRef: optional(object({
    kind: string({ enum: ['VSphereClusterIdentity', 'Secret'] }),
    name: string({ maxLength: 253, minLength: 1 }),
  })),
  server: string({ maxLength: 1024, minLength: 1 }),
  thumbprint: optional(string({ maxLength: 1024, minLength: 1 })),
});

/** A value of the shape VSphereClusterSpec. */
export interface VSphereClusterSpec extends Infer<typeof vsphereClusterSpecShape> {}

/** The shape VSphereClusterSpec. */
export const vsphereClusterSpec: Schema<VSphereClusterSpec> = named('VSphereClusterSpec', vsphereClusterSpecShape);

const networkV1Beta1Shape = object({
  devices: array(object({
    addressesFromPools: optional(array(addressesFromPoolV1Beta1)),
    deviceName: optional(string()),
    dhcp4: optional(boolean()),
    dhcp4Overrides: optional(dhcp4OverridesV1Beta1),
    dhcp6: optional(boolean()),
    dhcp6Overrides: optional(dhcp4OverridesV1Beta1),
    gateway4: optional(string()),
    gateway6: optional(string()),
    ipAddrs: optional(array(string())),
    macAddr: optional(string()),
    mtu: optional(int64()),
    nameservers: optional(array(string())),
    networkName: string(),
    routes: optional(array(routeV1Beta1)),
    searchDomains: optional(array(string())),
    skipIPAllocation: optional(boolean()),
  })),
  preferredAPIServerCidr: optional(string()),
  routes: optional(array(routeV1Beta1)),
});

/** A value of the shape Network in v1beta1. */
export interface NetworkV1Beta1 extends Infer<typeof networkV1Beta1Shape> {}

/** The shape Network in v1beta1. */
export const networkV1Beta1: Schema<NetworkV1Beta1> = named('Network', networkV1Beta1Shape);

const networkShape = object({
  devices: array(
    object({
      addressesFromPools: optional(array(addressesFromPool, { maxItems: 128, listType: 'atomic' })),
      deviceName: optional(string({ maxLength: 1024, minLength: 1 })),
      dhcp4: optional(boolean()),
      dhcp4Overrides: optional(dhcp4Overrides),
      dhcp6: optional(boolean()),
      dhcp6Overrides: optional(dhcp4Overrides),
      gateway4: optional(string({ maxLength: 64, minLength: 1 })),
      gateway6: optional(string({ maxLength: 64, minLength: 1 })),
      ipAddrs: optional(array(string({ maxLength: 39, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
      macAddr: optional(string({ maxLength: 23, minLength: 1 })),
      mtu: optional(int64()),
      nameservers: optional(array(string({ maxLength: 64, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
      networkName: string({ maxLength: 2048, minLength: 1 }),
      routes: optional(array(route, { maxItems: 512, listType: 'atomic' })),
      searchDomains: optional(array(string({ maxLength: 1024, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
      skipIPAllocation: optional(boolean()),
    }),
    { maxItems: 128, listType: 'atomic' },
  ),
  routes: optional(array(route, { maxItems: 512, listType: 'atomic' })),
});

/** A value of the shape Network. */
export interface Network extends Infer<typeof networkShape> {}

/** The shape Network. */
export const network: Schema<Network> = named('Network', networkShape);

const vsphereMachineSpecV1Beta1Shape = object({
  additionalDisksGiB: optional(array(int32())),
  cloneMode: optional(string()),
  cryptoKeyID: optional(string({ maxLength: 128, minLength: 1 })),
  cryptoProfile: optional(string({ maxLength: 128, minLength: 1 })),
  customVMXKeys: optional(map(string())),
  dataDisks: optional(array(dataDiskV1Beta1, { maxItems: 29, listMapKeys: ['name'], listType: 'map' })),
  datacenter: optional(string()),
  datastore: optional(string()),
  diskGiB: optional(int32()),
  failureDomain: optional(string()),
  folder: optional(string()),
  ftEncryptionMode: optional(string({ enum: ['ftEncryptionDisabled', 'ftEncryptionOpportunistic', 'ftEncryptionRequired'] })),
  guestSoftPowerOffTimeout: optional(string()),
  hardwareVersion: optional(string()),
  memoryMiB: optional(int64()),
  migrateEncryption: optional(string({ enum: ['disabled', 'opportunistic', 'required'] })),
  namingStrategy: optional(object({ template: optional(string()) })),
  nestedHV: optional(boolean()),
  network: networkV1Beta1,
  numCPUs: optional(int32()),
  numCoresPerSocket: optional(int32()),
  os: optional(string()),
  pciDevices: optional(array(pciDeviceV1Beta1)),
  powerOffMode: optional(string({ default: 'hard', enum: ['hard', 'soft', 'trySoft'] })),
  providerID: optional(string()),
  resourcePool: optional(string()),
  resources: optional(resources),
  server: optional(string()),
  snapshot: optional(string()),
  storagePolicyName: optional(string()),
  tagIDs: optional(array(string())),
  template: string({ minLength: 1 }),
  thumbprint: optional(string()),
});

/** A value of the shape VSphereMachineSpec in v1beta1. */
export interface VSphereMachineSpecV1Beta1 extends Infer<typeof vsphereMachineSpecV1Beta1Shape> {}

/** The shape VSphereMachineSpec in v1beta1. */
export const vsphereMachineSpecV1Beta1: Schema<VSphereMachineSpecV1Beta1> = named('VSphereMachineSpec', vsphereMachineSpecV1Beta1Shape);

const vsphereMachineSpecShape = object({
  additionalDisksGiB: optional(array(int32(), { maxItems: 128, listType: 'atomic' })),
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
  naming: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) }, { minProperties: 1 })),
  nestedHV: optional(boolean()),
  network: network,
  numCPUs: optional(int32({ minimum: 2 })),
  numCoresPerSocket: optional(int32({ minimum: 0 })),
  os: optional(string({ maxLength: 128, minLength: 1 })),
  pciDevices: optional(array(pciDevice, { maxItems: 128, listType: 'atomic' })),
  powerOffMode: optional(string({ enum: ['hard', 'soft', 'trySoft'] })),
  providerID: optional(string({ maxLength: 512, minLength: 1 })),
  resourcePool: optional(string({ maxLength: 2048, minLength: 1 })),
  resources: optional(resources),
  server: optional(string({ maxLength: 1024, minLength: 1 })),
  snapshot: optional(string({ maxLength: 1024, minLength: 1 })),
  storagePolicyName: optional(string({ maxLength: 1024, minLength: 1 })),
  tagIDs: optional(array(string({ maxLength: 1024, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
  template: string({ maxLength: 2048, minLength: 1 }),
  thumbprint: optional(string({ maxLength: 1024, minLength: 1 })),
});

/** A value of the shape VSphereMachineSpec. */
export interface VSphereMachineSpec extends Infer<typeof vsphereMachineSpecShape> {}

/** The shape VSphereMachineSpec. */
export const vsphereMachineSpec: Schema<VSphereMachineSpec> = named('VSphereMachineSpec', vsphereMachineSpecShape);
