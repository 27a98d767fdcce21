// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  intOrString,
  map,
  named,
  object,
  optional,
  string,
  time,
} from '../../model/index.js';

const unhealthyNodeConditionV1Beta1Shape = object({ status: string({ minLength: 1 }), timeout: string(), type: string({ minLength: 1 }) });

/** A value of the shape UnhealthyNodeCondition in v1beta1. */
export interface UnhealthyNodeConditionV1Beta1 extends Infer<typeof unhealthyNodeConditionV1Beta1Shape> {}

/** The shape UnhealthyNodeCondition in v1beta1. */
export const unhealthyNodeConditionV1Beta1: Schema<UnhealthyNodeConditionV1Beta1> = named('UnhealthyNodeCondition', unhealthyNodeConditionV1Beta1Shape);

const machineInitializationStatusShape = object(
  { bootstrapDataSecretCreated: optional(boolean()), infrastructureProvisioned: optional(boolean()) },
  { minProperties: 1 },
);

/** A value of the shape MachineInitializationStatus. */
export interface MachineInitializationStatus extends Infer<typeof machineInitializationStatusShape> {}

/** The shape MachineInitializationStatus. */
export const machineInitializationStatus: Schema<MachineInitializationStatus> = named('MachineInitializationStatus', machineInitializationStatusShape);

const unhealthyNodeConditionShape = object({ status: string({ minLength: 1 }), timeoutSeconds: int32({ minimum: 0 }), type: string({ minLength: 1 }) });

/** A value of the shape UnhealthyNodeCondition. */
export interface UnhealthyNodeCondition extends Infer<typeof unhealthyNodeConditionShape> {}

/** The shape UnhealthyNodeCondition. */
export const unhealthyNodeCondition: Schema<UnhealthyNodeCondition> = named('UnhealthyNodeCondition', unhealthyNodeConditionShape);

const templateMetadataV1Beta1Shape = object({ annotations: optional(map(string())), labels: optional(map(string())) });

/** A value of the shape TemplateMetadata in v1beta1. */
export interface TemplateMetadataV1Beta1 extends Infer<typeof templateMetadataV1Beta1Shape> {}

/** The shape TemplateMetadata in v1beta1. */
export const templateMetadataV1Beta1: Schema<TemplateMetadataV1Beta1> = named('TemplateMetadata', templateMetadataV1Beta1Shape);

const templateMetadataShape = object(
  { annotations: optional(map(string())), labels: optional(map(string())) },
  { minProperties: 1 },
);

/** A value of the shape TemplateMetadata. */
export interface TemplateMetadata extends Infer<typeof templateMetadataShape> {}

/** The shape TemplateMetadata. */
export const templateMetadata: Schema<TemplateMetadata> = named('TemplateMetadata', templateMetadataShape);

const remediationTriggerShape = object(
  {
    unhealthyInRange: optional(string({ maxLength: 32, minLength: 1, pattern: '^\\[[0-9]+-[0-9]+\\]$' })),
    unhealthyLessThanOrEqualTo: optional(intOrString()),
  },
  { minProperties: 1 },
);

/** A value of the shape RemediationTrigger. */
export interface RemediationTrigger extends Infer<typeof remediationTriggerShape> {}

/** The shape RemediationTrigger. */
export const remediationTrigger: Schema<RemediationTrigger> = named('RemediationTrigger', remediationTriggerShape);

const machineReadinessGateShape = object({
  conditionType: string({
    maxLength: 316,
    minLength: 1,
    pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
  polarity: optional(string({ enum: ['Positive', 'Negative'] })),
});

/** A value of the shape MachineReadinessGate. */
export interface MachineReadinessGate extends Infer<typeof machineReadinessGateShape> {}

/** The shape MachineReadinessGate. */
export const machineReadinessGate: Schema<MachineReadinessGate> = named('MachineReadinessGate', machineReadinessGateShape);

const machineDeletionShape = object(
  {
    nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeDrainTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeVolumeDetachTimeoutSeconds: optional(int32({ minimum: 0 })),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineDeletion. */
export interface MachineDeletion extends Infer<typeof machineDeletionShape> {}

/** The shape MachineDeletion. */
export const machineDeletion: Schema<MachineDeletion> = named('MachineDeletion', machineDeletionShape);

const contractVersionedObjectReferenceShape = object({
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

/** A value of the shape ContractVersionedObjectReference. */
export interface ContractVersionedObjectReference extends Infer<typeof contractVersionedObjectReferenceShape> {}

/** The shape ContractVersionedObjectReference. */
export const contractVersionedObjectReference: Schema<ContractVersionedObjectReference> = named('ContractVersionedObjectReference', contractVersionedObjectReferenceShape);

const legacyConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape LegacyCondition. */
export interface LegacyCondition extends Infer<typeof legacyConditionShape> {}

/** The shape LegacyCondition. */
export const legacyCondition: Schema<LegacyCondition> = named('LegacyCondition', legacyConditionShape);

const machineDeploymentDeletionShape = object(
  {
    nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeDrainTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeVolumeDetachTimeoutSeconds: optional(int32({ minimum: 0 })),
    order: optional(string({ enum: ['Random', 'Newest', 'Oldest'] })),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineDeploymentDeletion. */
export interface MachineDeploymentDeletion extends Infer<typeof machineDeploymentDeletionShape> {}

/** The shape MachineDeploymentDeletion. */
export const machineDeploymentDeletion: Schema<MachineDeploymentDeletion> = named('MachineDeploymentDeletion', machineDeploymentDeletionShape);

const objectReferenceShape = object(
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

/** A value of the shape ObjectReference. */
export interface ObjectReference extends Infer<typeof objectReferenceShape> {}

/** The shape ObjectReference. */
export const objectReference: Schema<ObjectReference> = named('ObjectReference', objectReferenceShape);

const machineDeploymentRolloutStrategyShape = object(
  {
    rollingUpdate: optional(object(
      { maxSurge: optional(intOrString()), maxUnavailable: optional(intOrString()) },
      { minProperties: 1 },
    )),
    type: string({ enum: ['RollingUpdate', 'OnDelete'] }),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineDeploymentRolloutStrategy. */
export interface MachineDeploymentRolloutStrategy extends Infer<typeof machineDeploymentRolloutStrategyShape> {}

/** The shape MachineDeploymentRolloutStrategy. */
export const machineDeploymentRolloutStrategy: Schema<MachineDeploymentRolloutStrategy> = named('MachineDeploymentRolloutStrategy', machineDeploymentRolloutStrategyShape);

const templateReferenceShape = object({
  apiVersion: string({
    maxLength: 317,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/[a-z]([-a-z0-9]*[a-z0-9])?$',
  }),
  kind: string({ maxLength: 63, minLength: 1, pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' }),
  name: string({
    maxLength: 253,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  }),
});

/** A value of the shape TemplateReference. */
export interface TemplateReference extends Infer<typeof templateReferenceShape> {}

/** The shape TemplateReference. */
export const templateReference: Schema<TemplateReference> = named('TemplateReference', templateReferenceShape);

const machineTaintShape = object({
  effect: string({ enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] }),
  key: string({
    maxLength: 317,
    minLength: 1,
    pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$',
  }),
  propagation: string({ enum: ['Always', 'OnInitialization'] }),
  value: optional(string({ maxLength: 63, minLength: 1, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' })),
});

/** A value of the shape MachineTaint. */
export interface MachineTaint extends Infer<typeof machineTaintShape> {}

/** The shape MachineTaint. */
export const machineTaint: Schema<MachineTaint> = named('MachineTaint', machineTaintShape);

const unhealthyMachineConditionV1Beta1Shape = object({
  status: string({ enum: ['True', 'False', 'Unknown'] }),
  timeout: string(),
  type: string({
    maxLength: 316,
    minLength: 1,
    pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    rules: [
      {
        message: 'type must not be one of: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
        rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
      },
    ],
  }),
});

/** A value of the shape UnhealthyMachineCondition in v1beta1. */
export interface UnhealthyMachineConditionV1Beta1 extends Infer<typeof unhealthyMachineConditionV1Beta1Shape> {}

/** The shape UnhealthyMachineCondition in v1beta1. */
export const unhealthyMachineConditionV1Beta1: Schema<UnhealthyMachineConditionV1Beta1> = named('UnhealthyMachineCondition', unhealthyMachineConditionV1Beta1Shape);

const bootstrapShape = object({
  configRef: optional(contractVersionedObjectReference),
  dataSecretName: optional(string({ maxLength: 253, minLength: 0 })),
});

/** A value of the shape Bootstrap. */
export interface Bootstrap extends Infer<typeof bootstrapShape> {}

/** The shape Bootstrap. */
export const bootstrap: Schema<Bootstrap> = named('Bootstrap', bootstrapShape);

const bootstrapV1Beta1Shape = object({ configRef: optional(objectReference), dataSecretName: optional(string({ maxLength: 253, minLength: 0 })) });

/** A value of the shape Bootstrap in v1beta1. */
export interface BootstrapV1Beta1 extends Infer<typeof bootstrapV1Beta1Shape> {}

/** The shape Bootstrap in v1beta1. */
export const bootstrapV1Beta1: Schema<BootstrapV1Beta1> = named('Bootstrap', bootstrapV1Beta1Shape);

const unhealthyMachineConditionShape = object({
  status: string({ enum: ['True', 'False', 'Unknown'] }),
  timeoutSeconds: int32({ minimum: 0 }),
  type: string({
    maxLength: 316,
    minLength: 1,
    pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    rules: [
      {
        message: 'type must not be one of: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
        rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
      },
    ],
  }),
});

/** A value of the shape UnhealthyMachineCondition. */
export interface UnhealthyMachineCondition extends Infer<typeof unhealthyMachineConditionShape> {}

/** The shape UnhealthyMachineCondition. */
export const unhealthyMachineCondition: Schema<UnhealthyMachineCondition> = named('UnhealthyMachineCondition', unhealthyMachineConditionShape);

const machineDeploymentRolloutShape = object(
  { after: optional(time()), strategy: optional(machineDeploymentRolloutStrategy) },
  { minProperties: 1 },
);

/** A value of the shape MachineDeploymentRollout. */
export interface MachineDeploymentRollout extends Infer<typeof machineDeploymentRolloutShape> {}

/** The shape MachineDeploymentRollout. */
export const machineDeploymentRollout: Schema<MachineDeploymentRollout> = named('MachineDeploymentRollout', machineDeploymentRolloutShape);

const legacyStatusShape = object({
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
  failureReason: optional(string()),
});

/** A value of the shape LegacyStatus. */
export interface LegacyStatus extends Infer<typeof legacyStatusShape> {}

/** The shape LegacyStatus. */
export const legacyStatus: Schema<LegacyStatus> = named('LegacyStatus', legacyStatusShape);

const machineDeploymentStrategyV1Beta1Shape = object({
  remediation: optional(object({ maxInFlight: optional(intOrString()) })),
  rollingUpdate: optional(object({
    deletePolicy: optional(string({ enum: ['Random', 'Newest', 'Oldest'] })),
    maxSurge: optional(intOrString()),
    maxUnavailable: optional(intOrString()),
  })),
  type: optional(string({ enum: ['RollingUpdate', 'OnDelete'] })),
});

/** A value of the shape MachineDeploymentStrategy in v1beta1. */
export interface MachineDeploymentStrategyV1Beta1 extends Infer<typeof machineDeploymentStrategyV1Beta1Shape> {}

/** The shape MachineDeploymentStrategy in v1beta1. */
export const machineDeploymentStrategyV1Beta1: Schema<MachineDeploymentStrategyV1Beta1> = named('MachineDeploymentStrategy', machineDeploymentStrategyV1Beta1Shape);

const remediationShape = object(
  { templateRef: optional(templateReference), triggerIf: optional(remediationTrigger) },
  { minProperties: 1 },
);

/** A value of the shape Remediation. */
export interface Remediation extends Infer<typeof remediationShape> {}

/** The shape Remediation. */
export const remediation: Schema<Remediation> = named('Remediation', remediationShape);

const machineDeploymentRemediationShape = object(
  {
    maxInFlight: optional(intOrString()),
    templateRef: optional(templateReference),
    triggerIf: optional(remediationTrigger),
  },
  { minProperties: 1 },
);

/** A value of the shape MachineDeploymentRemediation. */
export interface MachineDeploymentRemediation extends Infer<typeof machineDeploymentRemediationShape> {}

/** The shape MachineDeploymentRemediation. */
export const machineDeploymentRemediation: Schema<MachineDeploymentRemediation> = named('MachineDeploymentRemediation', machineDeploymentRemediationShape);

const nextReplicaStatusV1Beta1Shape = object({
  availableReplicas: optional(int32()),
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  readyReplicas: optional(int32()),
  upToDateReplicas: optional(int32()),
});

/** A value of the shape NextReplicaStatus in v1beta1. */
export interface NextReplicaStatusV1Beta1 extends Infer<typeof nextReplicaStatusV1Beta1Shape> {}

/** The shape NextReplicaStatus in v1beta1. */
export const nextReplicaStatusV1Beta1: Schema<NextReplicaStatusV1Beta1> = named('NextReplicaStatus', nextReplicaStatusV1Beta1Shape);

const healthChecksShape = object(
  {
    nodeStartupTimeoutSeconds: optional(int32({ minimum: 0 })),
    unhealthyMachineConditions: optional(array(unhealthyMachineCondition, { maxItems: 100, minItems: 1, listType: 'atomic' })),
    unhealthyNodeConditions: optional(array(unhealthyNodeCondition, { maxItems: 100, minItems: 1, listType: 'atomic' })),
  },
  { minProperties: 1 },
);

/** A value of the shape HealthChecks. */
export interface HealthChecks extends Infer<typeof healthChecksShape> {}

/** The shape HealthChecks. */
export const healthChecks: Schema<HealthChecks> = named('HealthChecks', healthChecksShape);

const machineSpecV1Beta1Shape = object({
  bootstrap: bootstrapV1Beta1,
  clusterName: string({ maxLength: 63, minLength: 1 }),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  infrastructureRef: objectReference,
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  providerID: optional(string({ maxLength: 512, minLength: 1 })),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  version: optional(string({ maxLength: 256, minLength: 1 })),
});

/** A value of the shape MachineSpec in v1beta1. */
export interface MachineSpecV1Beta1 extends Infer<typeof machineSpecV1Beta1Shape> {}

/** The shape MachineSpec in v1beta1. */
export const machineSpecV1Beta1: Schema<MachineSpecV1Beta1> = named('MachineSpec', machineSpecV1Beta1Shape);

const machineSpecShape = object({
  bootstrap: bootstrap,
  clusterName: string({ maxLength: 63, minLength: 1 }),
  deletion: optional(machineDeletion),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  infrastructureRef: contractVersionedObjectReference,
  minReadySeconds: optional(int32({ minimum: 0 })),
  providerID: optional(string({ maxLength: 512, minLength: 1 })),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' })),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  version: optional(string({ maxLength: 256, minLength: 1 })),
});

/** A value of the shape MachineSpec. */
export interface MachineSpec extends Infer<typeof machineSpecShape> {}

/** The shape MachineSpec. */
export const machineSpec: Schema<MachineSpec> = named('MachineSpec', machineSpecShape);

const machineTemplateV1Beta1Shape = object({ metadata: optional(templateMetadataV1Beta1), spec: optional(machineSpecV1Beta1) });

/** A value of the shape MachineTemplate in v1beta1. */
export interface MachineTemplateV1Beta1 extends Infer<typeof machineTemplateV1Beta1Shape> {}

/** The shape MachineTemplate in v1beta1. */
export const machineTemplateV1Beta1: Schema<MachineTemplateV1Beta1> = named('MachineTemplate', machineTemplateV1Beta1Shape);

const machineTemplateShape = object({ metadata: optional(templateMetadata), spec: machineSpec });

/** A value of the shape MachineTemplate. */
export interface MachineTemplate extends Infer<typeof machineTemplateShape> {}

/** The shape MachineTemplate. */
export const machineTemplate: Schema<MachineTemplate> = named('MachineTemplate', machineTemplateShape);
