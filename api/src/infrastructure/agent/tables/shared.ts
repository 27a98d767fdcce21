// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import { labelSelector, named, object, optional, string, time } from '../../../model/index.js';

const objectNameShape = object({ name: optional(string()), namespace: optional(string()) });

/** A value of the shape ObjectName. */
export interface ObjectName extends Infer<typeof objectNameShape> {}

/** The shape ObjectName. */
export const objectName: Schema<ObjectName> = named('ObjectName', objectNameShape);

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

const agentMachineSpecShape = object({ agentLabelSelector: optional(labelSelector), providerID: optional(string()) });

/** A value of the shape AgentMachineSpec. */
export interface AgentMachineSpec extends Infer<typeof agentMachineSpecShape> {}

/** The shape AgentMachineSpec. */
export const agentMachineSpec: Schema<AgentMachineSpec> = named('AgentMachineSpec', agentMachineSpecShape);
