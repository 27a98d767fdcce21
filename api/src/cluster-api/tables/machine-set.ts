// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  condition,
  int32,
  int64,
  kind,
  labelSelector,
  named,
  object,
  optional,
  string,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { legacyCondition, machineTemplate, machineTemplateV1Beta1, nextReplicaStatusV1Beta1 } from './shared.js';

const machineSetStatusV1Beta1Shape = object({
  availableReplicas: optional(int32()),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
  failureReason: optional(string()),
  fullyLabeledReplicas: optional(int32()),
  observedGeneration: optional(int64()),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  selector: optional(string({ maxLength: 4096, minLength: 1 })),
  v1beta2: optional(nextReplicaStatusV1Beta1),
});

/** A value of the shape MachineSetStatus in v1beta1. */
export interface MachineSetStatusV1Beta1 extends Infer<typeof machineSetStatusV1Beta1Shape> {}

/** The shape MachineSetStatus in v1beta1. */
export const machineSetStatusV1Beta1: Schema<MachineSetStatusV1Beta1> = named('MachineSetStatus', machineSetStatusV1Beta1Shape);

const machineSetStatusShape = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({
      v1beta1: optional(object({
        availableReplicas: optional(int32()),
        conditions: optional(array(legacyCondition)),
        failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
        failureReason: optional(string()),
        fullyLabeledReplicas: optional(int32()),
        readyReplicas: optional(int32()),
      })),
    })),
    observedGeneration: optional(int64({ minimum: 1 })),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    selector: optional(string({ maxLength: 4096, minLength: 1 })),
    upToDateReplicas: optional(int32()),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineSetStatus. */
export interface MachineSetStatus extends Infer<typeof machineSetStatusShape> {}

/** The shape MachineSetStatus. */
export const machineSetStatus: Schema<MachineSetStatus> = named('MachineSetStatus', machineSetStatusShape);

const machineSetSpecV1Beta1Shape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  deletePolicy: optional(string({ enum: ['Random', 'Newest', 'Oldest'] })),
  machineNamingStrategy: optional(object({ template: optional(string({ maxLength: 256, minLength: 1 })) })),
  minReadySeconds: optional(int32()),
  replicas: optional(int32()),
  selector: labelSelector,
  template: optional(machineTemplateV1Beta1),
});

/** A value of the shape MachineSetSpec in v1beta1. */
export interface MachineSetSpecV1Beta1 extends Infer<typeof machineSetSpecV1Beta1Shape> {}

/** The shape MachineSetSpec in v1beta1. */
export const machineSetSpecV1Beta1: Schema<MachineSetSpecV1Beta1> = named('MachineSetSpec', machineSetSpecV1Beta1Shape);

const machineSetSpecShape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  deletion: optional(object({ order: optional(string({ enum: ['Random', 'Newest', 'Oldest'] })) }, { minProperties: 1 })),
  machineNaming: optional(object({ template: optional(string({ maxLength: 256, minLength: 1 })) }, { minProperties: 1 })),
  replicas: optional(int32()),
  selector: labelSelector,
  template: machineTemplate,
});

/** A value of the shape MachineSetSpec. */
export interface MachineSetSpec extends Infer<typeof machineSetSpecShape> {}

/** The shape MachineSetSpec. */
export const machineSetSpec: Schema<MachineSetSpec> = named('MachineSetSpec', machineSetSpecShape);

/** The kind MachineSet. */
export const machineSet = kind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineSet',
  plural: 'machinesets',
  shortNames: ['ms'],
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
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
      subresources: {
        status: true,
        scale: {
          labelSelectorPath: '.status.selector',
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
        },
      },
      schema: object({ spec: optional(machineSetSpecV1Beta1), status: optional(machineSetStatusV1Beta1) }),
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
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
      subresources: {
        status: true,
        scale: {
          labelSelectorPath: '.status.selector',
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
        },
      },
      schema: object({ spec: machineSetSpec, status: optional(machineSetStatus) }),
    },
  ],
});

/** MachineSet in `cluster.x-k8s.io/v1beta1`. */
export type MachineSetV1Beta1 = KindOf<typeof machineSet, 'v1beta1'>;

/** MachineSet in `cluster.x-k8s.io/v1beta2`. */
export type MachineSet = KindOf<typeof machineSet, 'v1beta2'>;
