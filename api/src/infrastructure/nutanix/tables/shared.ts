// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  named,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../../model/index.js';

const categoryShape = object({ key: optional(string()), value: optional(string()) });

/** A value of the shape Category. */
export interface Category extends Infer<typeof categoryShape> {}

/** The shape Category. */
export const category: Schema<Category> = named('Category', categoryShape);

const statusConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape StatusCondition. */
export interface StatusCondition extends Infer<typeof statusConditionShape> {}

/** The shape StatusCondition. */
export const statusCondition: Schema<StatusCondition> = named('StatusCondition', statusConditionShape);

const nodeRefShape = object(
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
);

/** A value of the shape NodeRef. */
export interface NodeRef extends Infer<typeof nodeRefShape> {}

/** The shape NodeRef. */
export const nodeRef: Schema<NodeRef> = named('NodeRef', nodeRefShape);

const subnetShape = object(
  {
    name: optional(string({ minLength: 1 })),
    type: string({ enum: ['uuid', 'name'] }),
    uuid: optional(string({ format: 'uuid', maxLength: 36, minLength: 36 })),
  },
  {
    rules: [
      {
        message: "'name' must be set when type is 'name', and forbidden otherwise",
        rule: "self.type == 'name' ? has(self.name) : !has(self.name)",
      },
      {
        message: "'uuid' must be set when type is 'uuid', and forbidden otherwise",
        rule: "self.type == 'uuid' ? has(self.uuid) && self.uuid.contains('-') : !has(self.uuid)",
      },
    ],
  },
);

/** A value of the shape Subnet. */
export interface Subnet extends Infer<typeof subnetShape> {}

/** The shape Subnet. */
export const subnet: Schema<Subnet> = named('Subnet', subnetShape);

const nutanixMetroStatusShape = object({ conditions: optional(array(condition)) });

/** A value of the shape NutanixMetroStatus. */
export interface NutanixMetroStatus extends Infer<typeof nutanixMetroStatusShape> {}

/** The shape NutanixMetroStatus. */
export const nutanixMetroStatus: Schema<NutanixMetroStatus> = named('NutanixMetroStatus', nutanixMetroStatusShape);

const nutanixClusterSpecShape = object(
  {
    controlPlaneEndpoint: optional(object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) })),
    controlPlaneFailureDomains: optional(array(
      object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
      { listMapKeys: ['name'], listType: 'map' },
    )),
    failureDomains: optional(array(
      object({
        cluster: subnet,
        controlPlane: boolean(),
        name: string({ maxLength: 64, minLength: 1, pattern: '[a-z0-9]([-a-z0-9]*[a-z0-9])?' }),
        subnets: array(subnet, { minItems: 1 }),
      }),
      { listMapKeys: ['name'], listType: 'map' },
    )),
    prismCentral: optional(object({
      additionalTrustBundle: optional(object({
        data: optional(string()),
        kind: string({ enum: ['String', 'ConfigMap'] }),
        name: optional(string()),
        namespace: optional(string()),
      })),
      address: string({ maxLength: 256 }),
      credentialRef: optional(object({ kind: string({ enum: ['Secret'] }), name: string({ minLength: 1 }), namespace: optional(string()) })),
      insecure: optional(boolean({ default: false })),
      port: int32({ default: 9440, maximum: 65535, minimum: 1 }),
    })),
  },
  {
    rules: [
      {
        message: "Cannot set both 'failureDomains' and 'controlPlaneFailureDomains' fields simultaneously. Use 'controlPlaneFailureDomains' as 'failureDomains' is deprecated.",
        rule: '!(has(self.failureDomains) && has(self.controlPlaneFailureDomains))',
      },
    ],
  },
);

/** A value of the shape NutanixClusterSpec. */
export interface NutanixClusterSpec extends Infer<typeof nutanixClusterSpecShape> {}

/** The shape NutanixClusterSpec. */
export const nutanixClusterSpec: Schema<NutanixClusterSpec> = named('NutanixClusterSpec', nutanixClusterSpecShape);

const nutanixMachineSpecShape = object(
  {
    additionalCategories: optional(array(category)),
    bootType: optional(string({ enum: ['legacy', 'uefi'] })),
    bootstrapRef: optional(nodeRef),
    cluster: optional(subnet),
    dataDisks: optional(array(object({
      dataSource: optional(subnet),
      deviceProperties: optional(object({
        adapterType: string({ enum: ['SCSI', 'IDE', 'PCI', 'SATA', 'SPAPR'] }),
        deviceIndex: optional(int32({ default: 0, minimum: 0 })),
        deviceType: string({ default: 'Disk', enum: ['Disk', 'CDRom'] }),
      })),
      diskSize: quantity(),
      storageConfig: optional(object({
        diskMode: string({ default: 'Standard', enum: ['Standard', 'Flash'] }),
        storageContainer: optional(subnet),
      })),
    }))),
    gpus: optional(array(object({ deviceID: optional(int64()), name: optional(string()), type: string({ enum: ['deviceID', 'name'] }) }))),
    image: optional(subnet),
    imageLookup: optional(object({
      baseOS: string({ minLength: 1 }),
      format: optional(string({ default: 'capx-{{.BaseOS}}-{{.K8sVersion}}-*' })),
    })),
    memorySize: quantity(),
    project: optional(subnet),
    providerID: optional(string()),
    subnet: optional(array(subnet, { maxItems: 32 })),
    systemDiskSize: quantity(),
    vcpuSockets: int32({ minimum: 1 }),
    vcpusPerSocket: int32({ minimum: 1 }),
  },
  {
    rules: [
      {
        message: "Either 'image' or 'imageLookup' must be set, but not both",
        rule: 'has(self.image) != has(self.imageLookup)',
      },
      {
        message: 'each subnet must be unique',
        rule: 'has(self.subnet) && size(self.subnet) > 1 ? self.subnet.all(x, self.subnet.exists_one(y, x == y)) : true',
      },
    ],
  },
);

/** A value of the shape NutanixMachineSpec. */
export interface NutanixMachineSpec extends Infer<typeof nutanixMachineSpecShape> {}

/** The shape NutanixMachineSpec. */
export const nutanixMachineSpec: Schema<NutanixMachineSpec> = named('NutanixMachineSpec', nutanixMachineSpecShape);
