import { isRolloutDue, outdatedBecause } from '../machine-deployment/rollout-fields.js';
import type { MachineDeployment, MachineSet } from '../types.js';

/** Why the machines of a set are not as its deployment wants them; empty when they are. */
export function outdatedReasons(set: MachineSet, deployment: MachineDeployment, nowMs: number): string[] {
  const reasons = outdatedBecause(set.spec.template, deployment.spec.template);
  return isRolloutDue(deployment, set, nowMs) ? [...reasons, 'MachineDeployment spec.rolloutAfter expired'] : reasons;
}
