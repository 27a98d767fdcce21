// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import { labelSelector, named, object, optional, string, time } from '../../../model/index.js';

const objectNameShape = object({ name: optional(string()), namespace: optional(string()) });

/** The type of `objectName`. */
export interface ObjectName extends Infer<typeof objectNameShape> {}

/** ObjectName. */
export const objectName: Schema<ObjectName> = named('ObjectName', objectNameShape);

const legacyConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** The type of `legacyCondition`. */
export interface LegacyCondition extends Infer<typeof legacyConditionShape> {}

/** LegacyCondition. */
export const legacyCondition: Schema<LegacyCondition> = named('LegacyCondition', legacyConditionShape);

const agentMachineSpecShape = object({ agentLabelSelector: optional(labelSelector), providerID: optional(string()) });

/** The type of `agentMachineSpec`. */
export interface AgentMachineSpec extends Infer<typeof agentMachineSpecShape> {}

/** AgentMachineSpec. */
export const agentMachineSpec: Schema<AgentMachineSpec> = named('AgentMachineSpec', agentMachineSpecShape);
