// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, Schema } from '../../model/index.js';
import { anyObject, array, boolean, gated, map, named, object, optional, string, time } from '../../model/index.js';

const labelRequirementShape = object({ key: string(), operator: string(), values: optional(array(string(), { listType: 'atomic' })) });

/** A value of the shape LabelRequirement. */
export interface LabelRequirement extends Infer<typeof labelRequirementShape> {}

/** The shape LabelRequirement. */
export const labelRequirement: Schema<LabelRequirement> = named('LabelRequirement', labelRequirementShape);

const taintShape = object({ effect: string(), key: string(), timeAdded: optional(time()), value: optional(string()) });

/** A value of the shape Taint. */
export interface Taint extends Infer<typeof taintShape> {}

/** The shape Taint. */
export const taint: Schema<Taint> = named('Taint', taintShape);

const lifecycleHookShape = object({
  name: string({
    maxLength: 256,
    minLength: 3,
    pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
  owner: string({ maxLength: 512, minLength: 3 }),
});

/** A value of the shape LifecycleHook. */
export interface LifecycleHook extends Infer<typeof lifecycleHookShape> {}

/** The shape LifecycleHook. */
export const lifecycleHook: Schema<LifecycleHook> = named('LifecycleHook', lifecycleHookShape);

const machineConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string()),
  reason: optional(string()),
  severity: optional(string()),
  status: string(),
  type: string(),
});

/** A value of the shape MachineCondition. */
export interface MachineCondition extends Infer<typeof machineConditionShape> {}

/** The shape MachineCondition. */
export const machineCondition: Schema<MachineCondition> = named('MachineCondition', machineConditionShape);

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

const templateMetadataShape = object({
  annotations: optional(map(string())),
  generateName: optional(string()),
  labels: optional(map(string())),
  name: optional(string()),
  namespace: optional(string()),
  ownerReferences: optional(array(
    object(
      {
        apiVersion: string(),
        blockOwnerDeletion: optional(boolean()),
        controller: optional(boolean()),
        kind: string(),
        name: string(),
        uid: string(),
      },
      { mapType: 'atomic' },
    ),
    { listMapKeys: ['uid'], listType: 'map' },
  )),
});

/** A value of the shape TemplateMetadata. */
export interface TemplateMetadata extends Infer<typeof templateMetadataShape> {}

/** The shape TemplateMetadata. */
export const templateMetadata: Schema<TemplateMetadata> = named('TemplateMetadata', templateMetadataShape);

const lifecycleHooksShape = object({
  preDrain: optional(array(lifecycleHook, { listMapKeys: ['name'], listType: 'map' })),
  preTerminate: optional(array(lifecycleHook, { listMapKeys: ['name'], listType: 'map' })),
});

/** A value of the shape LifecycleHooks. */
export interface LifecycleHooks extends Infer<typeof lifecycleHooksShape> {}

/** The shape LifecycleHooks. */
export const lifecycleHooks: Schema<LifecycleHooks> = named('LifecycleHooks', lifecycleHooksShape);

const machineSpecShape = object({
  authoritativeAPI: gated('MachineAPIMigration', optional(string({ enum: ['MachineAPI', 'ClusterAPI'] }))),
  lifecycleHooks: optional(lifecycleHooks),
  metadata: optional(templateMetadata),
  providerID: optional(string()),
  providerSpec: optional(object({ value: optional(anyObject()) })),
  taints: optional(array(taint, { listType: 'atomic' })),
});

/** A value of the shape MachineSpec. */
export interface MachineSpec extends Infer<typeof machineSpecShape> {}

/** The shape MachineSpec. */
export const machineSpec: Schema<MachineSpec> = named('MachineSpec', machineSpecShape);
