// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, condition, int64, kind, named, object, optional, string, time } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  legacyCondition,
  legacyStatus,
  machineInitializationStatus,
  machineSpec,
  machineSpecV1Beta1,
  objectReference,
} from './shared.js';

const machineAddressShape = object({
  address: string({ maxLength: 256, minLength: 1 }),
  type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
});

/** A value of the shape MachineAddress. */
export interface MachineAddress extends Infer<typeof machineAddressShape> {}

/** The shape MachineAddress. */
export const machineAddress: Schema<MachineAddress> = named('MachineAddress', machineAddressShape);

const machineDeletionStatusShape = object({ nodeDrainStartTime: optional(time()), waitForNodeVolumeDetachStartTime: optional(time()) });

/** A value of the shape MachineDeletionStatus. */
export interface MachineDeletionStatus extends Infer<typeof machineDeletionStatusShape> {}

/** The shape MachineDeletionStatus. */
export const machineDeletionStatus: Schema<MachineDeletionStatus> = named('MachineDeletionStatus', machineDeletionStatusShape);

const nodeSystemInfoShape = object({
  architecture: string(),
  bootID: string(),
  containerRuntimeVersion: string(),
  kernelVersion: string(),
  kubeProxyVersion: string(),
  kubeletVersion: string(),
  machineID: string(),
  operatingSystem: string(),
  osImage: string(),
  swap: optional(object({ capacity: optional(int64()) })),
  systemUUID: string(),
});

/** A value of the shape NodeSystemInfo. */
export interface NodeSystemInfo extends Infer<typeof nodeSystemInfoShape> {}

/** The shape NodeSystemInfo. */
export const nodeSystemInfo: Schema<NodeSystemInfo> = named('NodeSystemInfo', nodeSystemInfoShape);

const machineStatusV1Beta1Shape = object({
  addresses: optional(array(machineAddress)),
  bootstrapReady: optional(boolean()),
  certificatesExpiryDate: optional(time()),
  conditions: optional(array(legacyCondition)),
  deletion: optional(machineDeletionStatus),
  failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
  failureReason: optional(string()),
  infrastructureReady: optional(boolean()),
  lastUpdated: optional(time()),
  nodeInfo: optional(nodeSystemInfo),
  nodeRef: optional(objectReference),
  observedGeneration: optional(int64()),
  phase: optional(string({ enum: ['Pending', 'Provisioning', 'Provisioned', 'Running', 'Deleting', 'Deleted', 'Failed', 'Unknown'] })),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape MachineStatus in v1beta1. */
export interface MachineStatusV1Beta1 extends Infer<typeof machineStatusV1Beta1Shape> {}

/** The shape MachineStatus in v1beta1. */
export const machineStatusV1Beta1: Schema<MachineStatusV1Beta1> = named('MachineStatus', machineStatusV1Beta1Shape);

const machineStatusShape = object(
  {
    addresses: optional(array(machineAddress, { maxItems: 256, listType: 'atomic' })),
    certificatesExpiryDate: optional(time()),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deletion: optional(machineDeletionStatus),
    deprecated: optional(object({ v1beta1: optional(legacyStatus) })),
    failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
    initialization: optional(machineInitializationStatus),
    lastUpdated: optional(time()),
    nodeInfo: optional(nodeSystemInfo),
    nodeRef: optional(object({
      name: string({
        maxLength: 253,
        minLength: 1,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
      }),
    })),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(string({
      enum: [
        'Pending',
        'Provisioning',
        'Provisioned',
        'Running',
        'Updating',
        'Deleting',
        'Deleted',
        'Failed',
        'Unknown',
      ],
    })),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineStatus. */
export interface MachineStatus extends Infer<typeof machineStatusShape> {}

/** The shape MachineStatus. */
export const machineStatus: Schema<MachineStatus> = named('MachineStatus', machineStatusShape);

/** The kind Machine. */
export const machine = kind({
  group: 'cluster.x-k8s.io',
  kind: 'Machine',
  plural: 'machines',
  shortNames: ['ma'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/provider': 'cluster-api' },
  conversion: { service: { namespace: 'capi-system', name: 'capi-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'NodeName', type: 'string', jsonPath: '.status.nodeRef.name' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(machineSpecV1Beta1), status: optional(machineStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Node Name', type: 'string', jsonPath: '.status.nodeRef.name' },
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'Failure domain', type: 'string', jsonPath: '.status.failureDomain' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Up-to-date', type: 'string', jsonPath: '.status.conditions[?(@.type=="UpToDate")].status' },
        {
          name: 'Internal-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="InternalIP")].address',
          priority: 10,
        },
        {
          name: 'External-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="ExternalIP")].address',
          priority: 10,
        },
        { name: 'OS-Image', type: 'string', jsonPath: '.status.nodeInfo.osImage', priority: 10 },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      ],
      subresources: { status: true },
      schema: object({ spec: machineSpec, status: optional(machineStatus) }),
    },
  ],
});

/** Machine in `cluster.x-k8s.io/v1beta1`. */
export type MachineV1Beta1 = KindOf<typeof machine, 'v1beta1'>;

/** Machine in `cluster.x-k8s.io/v1beta2`. */
export type Machine = KindOf<typeof machine, 'v1beta2'>;
