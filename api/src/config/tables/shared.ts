// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, Schema } from '../../model/index.js';
import { named, object, optional, string, time } from '../../model/index.js';

const operatorConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string()),
  reason: optional(string()),
  status: string(),
  type: string(),
});

/** A value of the shape OperatorCondition. */
export interface OperatorCondition extends Infer<typeof operatorConditionShape> {}

/** The shape OperatorCondition. */
export const operatorCondition: Schema<OperatorCondition> = named('OperatorCondition', operatorConditionShape);
