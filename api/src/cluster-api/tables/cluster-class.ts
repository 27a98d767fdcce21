// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  anything,
  array,
  boolean,
  condition,
  int32,
  int64,
  intOrString,
  kind,
  map,
  named,
  object,
  optional,
  string,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  healthChecks,
  legacyCondition,
  machineDeletion,
  machineDeploymentDeletion,
  machineDeploymentRemediation,
  machineDeploymentRolloutStrategy,
  machineDeploymentStrategyV1Beta1,
  machineReadinessGate,
  machineTaint,
  objectReference,
  remediation,
  templateMetadata,
  templateMetadataV1Beta1,
  templateReference,
  unhealthyMachineConditionV1Beta1,
  unhealthyNodeConditionV1Beta1,
} from './shared.js';

const jsonPatchDefinitionShape = object({
  op: string({ enum: ['add', 'replace', 'remove'] }),
  path: string({ maxLength: 512, minLength: 1 }),
  value: optional(anything()),
  valueFrom: optional(object({
    template: optional(string({ maxLength: 10240, minLength: 1 })),
    variable: optional(string({ maxLength: 256, minLength: 1 })),
  })),
});

/** A value of the shape JsonPatchDefinition. */
export interface JsonPatchDefinition extends Infer<typeof jsonPatchDefinitionShape> {}

/** The shape JsonPatchDefinition. */
export const jsonPatchDefinition: Schema<JsonPatchDefinition> = named('JsonPatchDefinition', jsonPatchDefinitionShape);

const variableRuleShape = object({
  fieldPath: optional(string({ maxLength: 512, minLength: 1 })),
  message: optional(string({ maxLength: 512, minLength: 1 })),
  messageExpression: optional(string({ maxLength: 1024, minLength: 1 })),
  reason: optional(string({
    default: 'FieldValueInvalid',
    enum: ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'],
  })),
  rule: string({ maxLength: 4096, minLength: 1 }),
});

/** A value of the shape VariableRule. */
export interface VariableRule extends Infer<typeof variableRuleShape> {}

/** The shape VariableRule. */
export const variableRule: Schema<VariableRule> = named('VariableRule', variableRuleShape);

const workerClassTemplateV1Beta1Shape = object({
  bootstrap: object({ ref: objectReference }),
  infrastructure: object({ ref: objectReference }),
  metadata: optional(templateMetadataV1Beta1),
});

/** A value of the shape WorkerClassTemplate in v1beta1. */
export interface WorkerClassTemplateV1Beta1 extends Infer<typeof workerClassTemplateV1Beta1Shape> {}

/** The shape WorkerClassTemplate in v1beta1. */
export const workerClassTemplateV1Beta1: Schema<WorkerClassTemplateV1Beta1> = named('WorkerClassTemplate', workerClassTemplateV1Beta1Shape);

const healthCheckClassV1Beta1Shape = object({
  maxUnhealthy: optional(intOrString()),
  nodeStartupTimeout: optional(string()),
  remediationTemplate: optional(objectReference),
  unhealthyConditions: optional(array(unhealthyNodeConditionV1Beta1, { maxItems: 100 })),
  unhealthyMachineConditions: optional(array(unhealthyMachineConditionV1Beta1, { maxItems: 100, minItems: 1, listType: 'atomic' })),
  unhealthyRange: optional(string({ maxLength: 32, minLength: 1, pattern: '^\\[[0-9]+-[0-9]+\\]$' })),
});

/** A value of the shape HealthCheckClass in v1beta1. */
export interface HealthCheckClassV1Beta1 extends Infer<typeof healthCheckClassV1Beta1Shape> {}

/** The shape HealthCheckClass in v1beta1. */
export const healthCheckClassV1Beta1: Schema<HealthCheckClassV1Beta1> = named('HealthCheckClass', healthCheckClassV1Beta1Shape);

const clusterClassPatchV1Beta1Shape = object({
  definitions: optional(array(
    object({
      jsonPatches: array(jsonPatchDefinition, { maxItems: 100 }),
      selector: object({
        apiVersion: string({ maxLength: 512, minLength: 1 }),
        kind: string({ maxLength: 256, minLength: 1 }),
        matchResources: object({
          controlPlane: optional(boolean()),
          infrastructureCluster: optional(boolean()),
          machineDeploymentClass: optional(object({ names: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100 })) })),
          machinePoolClass: optional(object({ names: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100 })) })),
        }),
      }),
    }),
    { maxItems: 100 },
  )),
  description: optional(string({ maxLength: 1024, minLength: 1 })),
  enabledIf: optional(string({ maxLength: 256, minLength: 1 })),
  external: optional(object({
    discoverVariablesExtension: optional(string({ maxLength: 512, minLength: 1 })),
    generateExtension: optional(string({ maxLength: 512, minLength: 1 })),
    settings: optional(map(string())),
    validateExtension: optional(string({ maxLength: 512, minLength: 1 })),
  })),
  name: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape ClusterClassPatch in v1beta1. */
export interface ClusterClassPatchV1Beta1 extends Infer<typeof clusterClassPatchV1Beta1Shape> {}

/** The shape ClusterClassPatch in v1beta1. */
export const clusterClassPatchV1Beta1: Schema<ClusterClassPatchV1Beta1> = named('ClusterClassPatch', clusterClassPatchV1Beta1Shape);

const clusterClassPatchShape = object({
  definitions: optional(array(
    object({
      jsonPatches: array(jsonPatchDefinition, { maxItems: 100, minItems: 1, listType: 'atomic' }),
      selector: object({
        apiVersion: string({
          maxLength: 317,
          minLength: 1,
          pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/[a-z]([-a-z0-9]*[a-z0-9])?$',
        }),
        kind: string({ maxLength: 63, minLength: 1, pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' }),
        matchResources: object(
          {
            controlPlane: optional(boolean()),
            infrastructureCluster: optional(boolean()),
            machineDeploymentClass: optional(object({
              names: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, listType: 'atomic' })),
            })),
            machinePoolClass: optional(object({
              names: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, listType: 'atomic' })),
            })),
          },
          { minProperties: 1 },
        ),
      }),
    }),
    { maxItems: 100, listType: 'atomic' },
  )),
  description: optional(string({ maxLength: 1024, minLength: 1 })),
  enabledIf: optional(string({ maxLength: 256, minLength: 1 })),
  external: optional(object({
    discoverVariablesExtension: optional(string({ maxLength: 512, minLength: 1 })),
    generatePatchesExtension: optional(string({ maxLength: 512, minLength: 1 })),
    settings: optional(map(string())),
    validateTopologyExtension: optional(string({ maxLength: 512, minLength: 1 })),
  })),
  name: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape ClusterClassPatch. */
export interface ClusterClassPatch extends Infer<typeof clusterClassPatchShape> {}

/** The shape ClusterClassPatch. */
export const clusterClassPatch: Schema<ClusterClassPatch> = named('ClusterClassPatch', clusterClassPatchShape);

const machinePoolClassV1Beta1Shape = object({
  class: string({ maxLength: 256, minLength: 1 }),
  failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100 })),
  minReadySeconds: optional(int32()),
  namingStrategy: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) })),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  template: workerClassTemplateV1Beta1,
});

/** A value of the shape MachinePoolClass in v1beta1. */
export interface MachinePoolClassV1Beta1 extends Infer<typeof machinePoolClassV1Beta1Shape> {}

/** The shape MachinePoolClass in v1beta1. */
export const machinePoolClassV1Beta1: Schema<MachinePoolClassV1Beta1> = named('MachinePoolClass', machinePoolClassV1Beta1Shape);

const machinePoolClassShape = object({
  bootstrap: object({ templateRef: templateReference }),
  class: string({ maxLength: 256, minLength: 1 }),
  deletion: optional(machineDeletion),
  failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, listType: 'atomic' })),
  infrastructure: object({ templateRef: templateReference }),
  metadata: optional(templateMetadata),
  minReadySeconds: optional(int32({ minimum: 0 })),
  naming: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) }, { minProperties: 1 })),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
});

/** A value of the shape MachinePoolClass. */
export interface MachinePoolClass extends Infer<typeof machinePoolClassShape> {}

/** The shape MachinePoolClass. */
export const machinePoolClass: Schema<MachinePoolClass> = named('MachinePoolClass', machinePoolClassShape);

const variableSchemaV1Beta1Shape = object({
  additionalProperties: optional(anything()),
  allOf: optional(anything()),
  anyOf: optional(anything()),
  default: optional(anything()),
  description: optional(string({ maxLength: 4096, minLength: 1 })),
  enum: optional(array(anything(), { maxItems: 100 })),
  example: optional(anything()),
  exclusiveMaximum: optional(boolean()),
  exclusiveMinimum: optional(boolean()),
  format: optional(string({ maxLength: 32, minLength: 1 })),
  items: optional(anything()),
  maxItems: optional(int64()),
  maxLength: optional(int64()),
  maxProperties: optional(int64()),
  maximum: optional(int64()),
  minItems: optional(int64()),
  minLength: optional(int64()),
  minProperties: optional(int64()),
  minimum: optional(int64()),
  not: optional(anything()),
  oneOf: optional(anything()),
  pattern: optional(string({ maxLength: 512, minLength: 1 })),
  properties: optional(anything()),
  required: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 1000 })),
  type: optional(string({ enum: ['object', 'array', 'string', 'integer', 'number', 'boolean'] })),
  uniqueItems: optional(boolean()),
  'x-kubernetes-int-or-string': optional(boolean()),
  'x-kubernetes-preserve-unknown-fields': optional(boolean()),
  'x-kubernetes-validations': optional(array(variableRule, { maxItems: 100, listMapKeys: ['rule'], listType: 'map' })),
  'x-metadata': optional(templateMetadataV1Beta1),
});

/** A value of the shape VariableSchema in v1beta1. */
export interface VariableSchemaV1Beta1 extends Infer<typeof variableSchemaV1Beta1Shape> {}

/** The shape VariableSchema in v1beta1. */
export const variableSchemaV1Beta1: Schema<VariableSchemaV1Beta1> = named('VariableSchema', variableSchemaV1Beta1Shape);

const variableSchemaShape = object(
  {
    additionalProperties: optional(anything()),
    allOf: optional(anything()),
    anyOf: optional(anything()),
    default: optional(anything()),
    description: optional(string({ maxLength: 4096, minLength: 1 })),
    enum: optional(array(anything(), { maxItems: 100, listType: 'atomic' })),
    example: optional(anything()),
    exclusiveMaximum: optional(boolean()),
    exclusiveMinimum: optional(boolean()),
    format: optional(string({ maxLength: 32, minLength: 1 })),
    items: optional(anything()),
    maxItems: optional(int64()),
    maxLength: optional(int64()),
    maxProperties: optional(int64()),
    maximum: optional(int64()),
    minItems: optional(int64()),
    minLength: optional(int64()),
    minProperties: optional(int64()),
    minimum: optional(int64()),
    not: optional(anything()),
    oneOf: optional(anything()),
    pattern: optional(string({ maxLength: 512, minLength: 1 })),
    properties: optional(anything()),
    required: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 1000, minItems: 1, listType: 'atomic' })),
    type: optional(string({ enum: ['object', 'array', 'string', 'integer', 'number', 'boolean'] })),
    uniqueItems: optional(boolean()),
    'x-kubernetes-int-or-string': optional(boolean()),
    'x-kubernetes-preserve-unknown-fields': optional(boolean()),
    'x-kubernetes-validations': optional(array(variableRule, { maxItems: 100, minItems: 1, listMapKeys: ['rule'], listType: 'map' })),
    'x-metadata': optional(templateMetadata),
  },
  { minProperties: 1 },
);

/** A value of the shape VariableSchema. */
export interface VariableSchema extends Infer<typeof variableSchemaShape> {}

/** The shape VariableSchema. */
export const variableSchema: Schema<VariableSchema> = named('VariableSchema', variableSchemaShape);

const clusterClassVariableV1Beta1Shape = object({
  metadata: optional(templateMetadataV1Beta1),
  name: string({ maxLength: 256, minLength: 1 }),
  required: boolean(),
  schema: object({ openAPIV3Schema: variableSchemaV1Beta1 }),
});

/** A value of the shape ClusterClassVariable in v1beta1. */
export interface ClusterClassVariableV1Beta1 extends Infer<typeof clusterClassVariableV1Beta1Shape> {}

/** The shape ClusterClassVariable in v1beta1. */
export const clusterClassVariableV1Beta1: Schema<ClusterClassVariableV1Beta1> = named('ClusterClassVariable', clusterClassVariableV1Beta1Shape);

const clusterClassVariableShape = object({
  deprecatedV1Beta1Metadata: optional(templateMetadata),
  name: string({ maxLength: 256, minLength: 1 }),
  required: boolean(),
  schema: object({ openAPIV3Schema: variableSchema }),
});

/** A value of the shape ClusterClassVariable. */
export interface ClusterClassVariable extends Infer<typeof clusterClassVariableShape> {}

/** The shape ClusterClassVariable. */
export const clusterClassVariable: Schema<ClusterClassVariable> = named('ClusterClassVariable', clusterClassVariableShape);

const controlPlaneClassV1Beta1Shape = object({
  machineHealthCheck: optional(healthCheckClassV1Beta1),
  machineInfrastructure: optional(object({ ref: objectReference })),
  metadata: optional(templateMetadataV1Beta1),
  namingStrategy: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) })),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  ref: objectReference,
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
});

/** A value of the shape ControlPlaneClass in v1beta1. */
export interface ControlPlaneClassV1Beta1 extends Infer<typeof controlPlaneClassV1Beta1Shape> {}

/** The shape ControlPlaneClass in v1beta1. */
export const controlPlaneClassV1Beta1: Schema<ControlPlaneClassV1Beta1> = named('ControlPlaneClass', controlPlaneClassV1Beta1Shape);

const controlPlaneClassShape = object({
  deletion: optional(machineDeletion),
  healthCheck: optional(object({ checks: optional(healthChecks), remediation: optional(remediation) }, { minProperties: 1 })),
  machineInfrastructure: optional(object({ templateRef: templateReference })),
  metadata: optional(templateMetadata),
  naming: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) }, { minProperties: 1 })),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' })),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  templateRef: templateReference,
});

/** A value of the shape ControlPlaneClass. */
export interface ControlPlaneClass extends Infer<typeof controlPlaneClassShape> {}

/** The shape ControlPlaneClass. */
export const controlPlaneClass: Schema<ControlPlaneClass> = named('ControlPlaneClass', controlPlaneClassShape);

const clusterClassStatusV1Beta1Shape = object({
  conditions: optional(array(legacyCondition)),
  observedGeneration: optional(int64()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  variables: optional(array(
    object({
      definitions: array(
        object({
          from: string({ maxLength: 256, minLength: 1 }),
          metadata: optional(templateMetadataV1Beta1),
          required: boolean(),
          schema: object({ openAPIV3Schema: variableSchemaV1Beta1 }),
        }),
        { maxItems: 100 },
      ),
      definitionsConflict: optional(boolean()),
      name: string({ maxLength: 256, minLength: 1 }),
    }),
    { maxItems: 1000 },
  )),
});

/** A value of the shape ClusterClassStatus in v1beta1. */
export interface ClusterClassStatusV1Beta1 extends Infer<typeof clusterClassStatusV1Beta1Shape> {}

/** The shape ClusterClassStatus in v1beta1. */
export const clusterClassStatusV1Beta1: Schema<ClusterClassStatusV1Beta1> = named('ClusterClassStatus', clusterClassStatusV1Beta1Shape);

const machineDeploymentClassV1Beta1Shape = object({
  class: string({ maxLength: 256, minLength: 1 }),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  machineHealthCheck: optional(healthCheckClassV1Beta1),
  minReadySeconds: optional(int32()),
  namingStrategy: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) })),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  strategy: optional(machineDeploymentStrategyV1Beta1),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  template: workerClassTemplateV1Beta1,
});

/** A value of the shape MachineDeploymentClass in v1beta1. */
export interface MachineDeploymentClassV1Beta1 extends Infer<typeof machineDeploymentClassV1Beta1Shape> {}

/** The shape MachineDeploymentClass in v1beta1. */
export const machineDeploymentClassV1Beta1: Schema<MachineDeploymentClassV1Beta1> = named('MachineDeploymentClass', machineDeploymentClassV1Beta1Shape);

const clusterClassStatusShape = object(
  {
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({ v1beta1: optional(object({ conditions: optional(array(legacyCondition)) })) })),
    observedGeneration: optional(int64({ minimum: 1 })),
    variables: optional(array(
      object({
        definitions: array(
          object({
            deprecatedV1Beta1Metadata: optional(templateMetadata),
            from: string({ maxLength: 256, minLength: 1 }),
            required: boolean(),
            schema: object({ openAPIV3Schema: variableSchema }),
          }),
          { maxItems: 100, minItems: 1, listType: 'atomic' },
        ),
        definitionsConflict: optional(boolean()),
        name: string({ maxLength: 256, minLength: 1 }),
      }),
      { maxItems: 1000, listType: 'atomic' },
    )),
  },
  { minProperties: 1 },
);

/** A value of the shape ClusterClassStatus. */
export interface ClusterClassStatus extends Infer<typeof clusterClassStatusShape> {}

/** The shape ClusterClassStatus. */
export const clusterClassStatus: Schema<ClusterClassStatus> = named('ClusterClassStatus', clusterClassStatusShape);

const machineDeploymentClassShape = object({
  bootstrap: object({ templateRef: templateReference }),
  class: string({ maxLength: 256, minLength: 1 }),
  deletion: optional(machineDeploymentDeletion),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  healthCheck: optional(object(
    { checks: optional(healthChecks), remediation: optional(machineDeploymentRemediation) },
    { minProperties: 1 },
  )),
  infrastructure: object({ templateRef: templateReference }),
  metadata: optional(templateMetadata),
  minReadySeconds: optional(int32({ minimum: 0 })),
  naming: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) }, { minProperties: 1 })),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' })),
  rollout: optional(object({ strategy: optional(machineDeploymentRolloutStrategy) }, { minProperties: 1 })),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
});

/** A value of the shape MachineDeploymentClass. */
export interface MachineDeploymentClass extends Infer<typeof machineDeploymentClassShape> {}

/** The shape MachineDeploymentClass. */
export const machineDeploymentClass: Schema<MachineDeploymentClass> = named('MachineDeploymentClass', machineDeploymentClassShape);

const clusterClassSpecV1Beta1Shape = object({
  availabilityGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  controlPlane: optional(controlPlaneClassV1Beta1),
  infrastructure: optional(object({ ref: objectReference })),
  infrastructureNamingStrategy: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) })),
  kubernetesVersions: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, minItems: 1, listType: 'atomic' })),
  patches: optional(array(clusterClassPatchV1Beta1, { maxItems: 1000 })),
  upgrade: optional(object(
    {
      external: optional(object(
        { generateUpgradePlanExtension: optional(string({ maxLength: 512, minLength: 1 })) },
        { minProperties: 1 },
      )),
    },
    { minProperties: 1 },
  )),
  variables: optional(array(clusterClassVariableV1Beta1, { maxItems: 1000 })),
  workers: optional(object({
    machineDeployments: optional(array(machineDeploymentClassV1Beta1, { maxItems: 100, listMapKeys: ['class'], listType: 'map' })),
    machinePools: optional(array(machinePoolClassV1Beta1, { maxItems: 100, listMapKeys: ['class'], listType: 'map' })),
  })),
});

/** A value of the shape ClusterClassSpec in v1beta1. */
export interface ClusterClassSpecV1Beta1 extends Infer<typeof clusterClassSpecV1Beta1Shape> {}

/** The shape ClusterClassSpec in v1beta1. */
export const clusterClassSpecV1Beta1: Schema<ClusterClassSpecV1Beta1> = named('ClusterClassSpec', clusterClassSpecV1Beta1Shape);

const clusterClassSpecShape = object({
  availabilityGates: optional(array(machineReadinessGate, { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' })),
  controlPlane: controlPlaneClass,
  infrastructure: object({
    naming: optional(object({ template: optional(string({ maxLength: 1024, minLength: 1 })) }, { minProperties: 1 })),
    templateRef: templateReference,
  }),
  kubernetesVersions: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, minItems: 1, listType: 'atomic' })),
  patches: optional(array(clusterClassPatch, { maxItems: 1000, minItems: 1, listType: 'atomic' })),
  upgrade: optional(object(
    {
      external: optional(object(
        { generateUpgradePlanExtension: optional(string({ maxLength: 512, minLength: 1 })) },
        { minProperties: 1 },
      )),
    },
    { minProperties: 1 },
  )),
  variables: optional(array(clusterClassVariable, { maxItems: 1000, minItems: 1, listType: 'atomic' })),
  workers: optional(object(
    {
      machineDeployments: optional(array(machineDeploymentClass, { maxItems: 100, minItems: 1, listMapKeys: ['class'], listType: 'map' })),
      machinePools: optional(array(machinePoolClass, { maxItems: 100, minItems: 1, listMapKeys: ['class'], listType: 'map' })),
    },
    { minProperties: 1 },
  )),
});

/** A value of the shape ClusterClassSpec. */
export interface ClusterClassSpec extends Infer<typeof clusterClassSpecShape> {}

/** The shape ClusterClassSpec. */
export const clusterClassSpec: Schema<ClusterClassSpec> = named('ClusterClassSpec', clusterClassSpecShape);

/** The kind ClusterClass. */
export const clusterClass = kind({
  group: 'cluster.x-k8s.io',
  kind: 'ClusterClass',
  plural: 'clusterclasses',
  shortNames: ['cc'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/provider': 'cluster-api' },
  conversion: { service: { namespace: 'capi-system', name: 'capi-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      subresources: { status: true },
      schema: object({ spec: optional(clusterClassSpecV1Beta1), status: optional(clusterClassStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Variables Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="VariablesReady")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: clusterClassSpec, status: optional(clusterClassStatus) }),
    },
  ],
});

/** ClusterClass in `cluster.x-k8s.io/v1beta1`. */
export type ClusterClassV1Beta1 = KindOf<typeof clusterClass, 'v1beta1'>;

/** ClusterClass in `cluster.x-k8s.io/v1beta2`. */
export type ClusterClass = KindOf<typeof clusterClass, 'v1beta2'>;
