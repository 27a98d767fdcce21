// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, condition, int32, int64, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  legacyCondition,
  machineInitializationStatus,
  machineTemplate,
  machineTemplateV1Beta1,
  nextReplicaStatusV1Beta1,
  objectReference,
} from './shared.js';

const machinePoolStatusV1Beta1Shape = object({
  availableReplicas: optional(int32()),
  bootstrapReady: optional(boolean()),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
  failureReason: optional(string()),
  infrastructureReady: optional(boolean()),
  nodeRefs: optional(array(objectReference, { maxItems: 10000 })),
  observedGeneration: optional(int64()),
  phase: optional(string({
    enum: [
      'Pending',
      'Provisioning',
      'Provisioned',
      'Running',
      'ScalingUp',
      'ScalingDown',
      'Scaling',
      'Deleting',
      'Failed',
      'Unknown',
    ],
  })),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  unavailableReplicas: optional(int32()),
  v1beta2: optional(nextReplicaStatusV1Beta1),
});

/** A value of the shape MachinePoolStatus in v1beta1. */
export interface MachinePoolStatusV1Beta1 extends Infer<typeof machinePoolStatusV1Beta1Shape> {}

/** The shape MachinePoolStatus in v1beta1. */
export const machinePoolStatusV1Beta1: Schema<MachinePoolStatusV1Beta1> = named('MachinePoolStatus', machinePoolStatusV1Beta1Shape);

const machinePoolStatusShape = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({
      v1beta1: optional(object({
        availableReplicas: optional(int32()),
        conditions: optional(array(legacyCondition)),
        failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
        failureReason: optional(string()),
        readyReplicas: optional(int32()),
        unavailableReplicas: optional(int32()),
      })),
    })),
    initialization: optional(machineInitializationStatus),
    nodeRefs: optional(array(objectReference, { maxItems: 10000, listType: 'atomic' })),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(string({
      enum: [
        'Pending',
        'Provisioning',
        'Provisioned',
        'Running',
        'ScalingUp',
        'ScalingDown',
        'Scaling',
        'Deleting',
        'Failed',
        'Unknown',
      ],
    })),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    upToDateReplicas: optional(int32()),
  },
  { minProperties: 1 },
);

/** A value of the shape MachinePoolStatus. */
export interface MachinePoolStatus extends Infer<typeof machinePoolStatusShape> {}

/** The shape MachinePoolStatus. */
export const machinePoolStatus: Schema<MachinePoolStatus> = named('MachinePoolStatus', machinePoolStatusShape);

const machinePoolSpecV1Beta1Shape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100 })),
  minReadySeconds: optional(int32()),
  providerIDList: optional(array(string({ maxLength: 512, minLength: 1 }), { maxItems: 10000 })),
  replicas: optional(int32()),
  template: machineTemplateV1Beta1,
});

/** A value of the shape MachinePoolSpec in v1beta1. */
export interface MachinePoolSpecV1Beta1 extends Infer<typeof machinePoolSpecV1Beta1Shape> {}

/** The shape MachinePoolSpec in v1beta1. */
export const machinePoolSpecV1Beta1: Schema<MachinePoolSpecV1Beta1> = named('MachinePoolSpec', machinePoolSpecV1Beta1Shape);

const machinePoolSpecShape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, listType: 'atomic' })),
  providerIDList: optional(array(string({ maxLength: 512, minLength: 1 }), { maxItems: 10000, listType: 'atomic' })),
  replicas: optional(int32()),
  template: machineTemplate,
});

/** A value of the shape MachinePoolSpec. */
export interface MachinePoolSpec extends Infer<typeof machinePoolSpecShape> {}

/** The shape MachinePoolSpec. */
export const machinePoolSpec: Schema<MachinePoolSpec> = named('MachinePoolSpec', machinePoolSpecShape);

/** The kind MachinePool. */
export const machinePool = kind({
  group: 'cluster.x-k8s.io',
  kind: 'MachinePool',
  plural: 'machinepools',
  shortNames: ['mp'],
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
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', priority: 10 },
        { name: 'Replicas', type: 'string', jsonPath: '.status.replicas' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: object({ spec: optional(machinePoolSpecV1Beta1), status: optional(machinePoolStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Up-to-date', type: 'integer', jsonPath: '.status.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: object({ spec: machinePoolSpec, status: optional(machinePoolStatus) }),
    },
  ],
});

/** MachinePool in `cluster.x-k8s.io/v1beta1`. */
export type MachinePoolV1Beta1 = KindOf<typeof machinePool, 'v1beta1'>;

/** MachinePool in `cluster.x-k8s.io/v1beta2`. */
export type MachinePool = KindOf<typeof machinePool, 'v1beta2'>;
