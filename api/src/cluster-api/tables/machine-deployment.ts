// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  intOrString,
  kind,
  labelSelector,
  named,
  object,
  optional,
  string,
  time,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  legacyCondition,
  machineDeploymentRollout,
  machineDeploymentStrategyV1Beta1,
  machineTemplate,
  machineTemplateV1Beta1,
  nextReplicaStatusV1Beta1,
} from './shared.js';

const machineDeploymentStatusV1Beta1Shape = object({
  availableReplicas: optional(int32()),
  conditions: optional(array(legacyCondition)),
  observedGeneration: optional(int64()),
  phase: optional(string({ enum: ['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'] })),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  selector: optional(string({ maxLength: 4096, minLength: 1 })),
  unavailableReplicas: optional(int32()),
  updatedReplicas: optional(int32()),
  v1beta2: optional(nextReplicaStatusV1Beta1),
});

/** A value of the shape MachineDeploymentStatus in v1beta1. */
export interface MachineDeploymentStatusV1Beta1 extends Infer<typeof machineDeploymentStatusV1Beta1Shape> {}

/** The shape MachineDeploymentStatus in v1beta1. */
export const machineDeploymentStatusV1Beta1: Schema<MachineDeploymentStatusV1Beta1> = named('MachineDeploymentStatus', machineDeploymentStatusV1Beta1Shape);

const machineDeploymentStatusShape = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({
      v1beta1: optional(object({
        availableReplicas: optional(int32()),
        conditions: optional(array(legacyCondition)),
        readyReplicas: optional(int32()),
        unavailableReplicas: optional(int32()),
        updatedReplicas: optional(int32()),
      })),
    })),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(string({ enum: ['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'] })),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    selector: optional(string({ maxLength: 4096, minLength: 1 })),
    upToDateReplicas: optional(int32()),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineDeploymentStatus. */
export interface MachineDeploymentStatus extends Infer<typeof machineDeploymentStatusShape> {}

/** The shape MachineDeploymentStatus. */
export const machineDeploymentStatus: Schema<MachineDeploymentStatus> = named('MachineDeploymentStatus', machineDeploymentStatusShape);

const machineDeploymentSpecV1Beta1Shape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  machineNamingStrategy: optional(object({ template: optional(string({ maxLength: 256, minLength: 1 })) })),
  minReadySeconds: optional(int32()),
  paused: optional(boolean()),
  progressDeadlineSeconds: optional(int32()),
  replicas: optional(int32()),
  revisionHistoryLimit: optional(int32()),
  rolloutAfter: optional(time()),
  selector: labelSelector,
  strategy: optional(machineDeploymentStrategyV1Beta1),
  template: machineTemplateV1Beta1,
});

/** A value of the shape MachineDeploymentSpec in v1beta1. */
export interface MachineDeploymentSpecV1Beta1 extends Infer<typeof machineDeploymentSpecV1Beta1Shape> {}

/** The shape MachineDeploymentSpec in v1beta1. */
export const machineDeploymentSpecV1Beta1: Schema<MachineDeploymentSpecV1Beta1> = named('MachineDeploymentSpec', machineDeploymentSpecV1Beta1Shape);

const machineDeploymentSpecShape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  deletion: optional(object({ order: optional(string({ enum: ['Random', 'Newest', 'Oldest'] })) }, { minProperties: 1 })),
  machineNaming: optional(object({ template: optional(string({ maxLength: 256, minLength: 1 })) }, { minProperties: 1 })),
  paused: optional(boolean()),
  remediation: optional(object({ maxInFlight: optional(intOrString()) }, { minProperties: 1 })),
  replicas: optional(int32()),
  rollout: optional(machineDeploymentRollout),
  selector: labelSelector,
  template: machineTemplate,
});

/** A value of the shape MachineDeploymentSpec. */
export interface MachineDeploymentSpec extends Infer<typeof machineDeploymentSpecShape> {}

/** The shape MachineDeploymentSpec. */
export const machineDeploymentSpec: Schema<MachineDeploymentSpec> = named('MachineDeploymentSpec', machineDeploymentSpecShape);

/** The kind MachineDeployment. */
export const machineDeployment = kind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineDeployment',
  plural: 'machinedeployments',
  shortNames: ['md'],
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
        { name: 'Updated', type: 'integer', jsonPath: '.status.updatedReplicas' },
        { name: 'Unavailable', type: 'integer', jsonPath: '.status.unavailableReplicas' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
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
      schema: object({ spec: optional(machineDeploymentSpecV1Beta1), status: optional(machineDeploymentStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
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
        scale: {
          labelSelectorPath: '.status.selector',
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
        },
      },
      schema: object({ spec: machineDeploymentSpec, status: optional(machineDeploymentStatus) }),
    },
  ],
});

/** MachineDeployment in `cluster.x-k8s.io/v1beta1`. */
export type MachineDeploymentV1Beta1 = KindOf<typeof machineDeployment, 'v1beta1'>;

/** MachineDeployment in `cluster.x-k8s.io/v1beta2`. */
export type MachineDeployment = KindOf<typeof machineDeployment, 'v1beta2'>;
