// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
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
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  healthChecks,
  legacyCondition,
  objectReference,
  remediation,
  unhealthyMachineConditionV1Beta1,
  unhealthyNodeConditionV1Beta1,
} from './shared.js';

const machineHealthCheckStatusV1Beta1Shape = object({
  conditions: optional(array(legacyCondition)),
  currentHealthy: optional(int32({ minimum: 0 })),
  expectedMachines: optional(int32({ minimum: 0 })),
  observedGeneration: optional(int64()),
  remediationsAllowed: optional(int32({ minimum: 0 })),
  targets: optional(array(string({ maxLength: 253, minLength: 1 }), { maxItems: 10000 })),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape MachineHealthCheckStatus in v1beta1. */
export interface MachineHealthCheckStatusV1Beta1 extends Infer<typeof machineHealthCheckStatusV1Beta1Shape> {}

/** The shape MachineHealthCheckStatus in v1beta1. */
export const machineHealthCheckStatusV1Beta1: Schema<MachineHealthCheckStatusV1Beta1> = named('MachineHealthCheckStatus', machineHealthCheckStatusV1Beta1Shape);

const machineHealthCheckStatusShape = object(
  {
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    currentHealthy: optional(int32({ minimum: 0 })),
    deprecated: optional(object({ v1beta1: optional(object({ conditions: optional(array(legacyCondition)) })) })),
    expectedMachines: optional(int32({ minimum: 0 })),
    observedGeneration: optional(int64({ minimum: 1 })),
    remediationsAllowed: optional(int32({ minimum: 0 })),
    targets: optional(array(string({ maxLength: 253, minLength: 1 }), { maxItems: 10000, listType: 'atomic' })),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineHealthCheckStatus. */
export interface MachineHealthCheckStatus extends Infer<typeof machineHealthCheckStatusShape> {}

/** The shape MachineHealthCheckStatus. */
export const machineHealthCheckStatus: Schema<MachineHealthCheckStatus> = named('MachineHealthCheckStatus', machineHealthCheckStatusShape);

const machineHealthCheckSpecV1Beta1Shape = object({
  clusterName: string({ maxLength: 63, minLength: 1 }),
  maxUnhealthy: optional(intOrString()),
  nodeStartupTimeout: optional(string()),
  remediationTemplate: optional(objectReference),
  selector: labelSelector,
  unhealthyConditions: optional(array(unhealthyNodeConditionV1Beta1, { maxItems: 100 })),
  unhealthyMachineConditions: optional(array(unhealthyMachineConditionV1Beta1, { maxItems: 100, minItems: 1, listType: 'atomic' })),
  unhealthyRange: optional(string({ maxLength: 32, minLength: 1, pattern: '^\\[[0-9]+-[0-9]+\\]$' })),
});

/** A value of the shape MachineHealthCheckSpec in v1beta1. */
export interface MachineHealthCheckSpecV1Beta1 extends Infer<typeof machineHealthCheckSpecV1Beta1Shape> {}

/** The shape MachineHealthCheckSpec in v1beta1. */
export const machineHealthCheckSpecV1Beta1: Schema<MachineHealthCheckSpecV1Beta1> = named('MachineHealthCheckSpec', machineHealthCheckSpecV1Beta1Shape);

const machineHealthCheckSpecShape = object({
  checks: optional(healthChecks),
  clusterName: string({ maxLength: 63, minLength: 1 }),
  remediation: optional(remediation),
  selector: labelSelector,
});

/** A value of the shape MachineHealthCheckSpec. */
export interface MachineHealthCheckSpec extends Infer<typeof machineHealthCheckSpecShape> {}

/** The shape MachineHealthCheckSpec. */
export const machineHealthCheckSpec: Schema<MachineHealthCheckSpec> = named('MachineHealthCheckSpec', machineHealthCheckSpecShape);

/** The kind MachineHealthCheck. */
export const machineHealthCheck = kind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  shortNames: ['mhc', 'mhcs'],
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
        { name: 'ExpectedMachines', type: 'integer', jsonPath: '.status.expectedMachines' },
        { name: 'MaxUnhealthy', type: 'string', jsonPath: '.spec.maxUnhealthy' },
        { name: 'CurrentHealthy', type: 'integer', jsonPath: '.status.currentHealthy' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(machineHealthCheckSpecV1Beta1), status: optional(machineHealthCheckStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Replicas', type: 'integer', jsonPath: '.status.expectedMachines' },
        { name: 'Healthy', type: 'integer', jsonPath: '.status.currentHealthy' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: machineHealthCheckSpec, status: optional(machineHealthCheckStatus) }),
    },
  ],
});

/** MachineHealthCheck in `cluster.x-k8s.io/v1beta1`. */
export type MachineHealthCheckV1Beta1 = KindOf<typeof machineHealthCheck, 'v1beta1'>;

/** MachineHealthCheck in `cluster.x-k8s.io/v1beta2`. */
export type MachineHealthCheck = KindOf<typeof machineHealthCheck, 'v1beta2'>;
