// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Kind } from '../model/index.js';
import { controlPlaneMachineSet } from './tables/control-plane-machine-set.js';
import { machine } from './tables/machine.js';
import { machineHealthCheck } from './tables/machine-health-check.js';
import { machineSet } from './tables/machine-set.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [machine, machineSet, machineHealthCheck, controlPlaneMachineSet];

export { controlPlaneMachineSet, machine, machineHealthCheck, machineSet };
export type {
  ControlPlaneMachineSet,
  ControlPlaneMachineSetSpec,
  ControlPlaneMachineSetStatus,
  ControlPlaneMachineSetTemplate,
  FailureDomains,
} from './tables/control-plane-machine-set.js';
export type {
  MachineHealthCheck,
  MachineHealthCheckSpec,
  MachineHealthCheckStatus,
  UnhealthyCondition,
} from './tables/machine-health-check.js';
export type { LastOperation, Machine, MachineAddress, MachineStatus } from './tables/machine.js';
export type { MachineSet, MachineSetSpec, MachineSetStatus, MachineTemplate } from './tables/machine-set.js';
export type {
  LabelRequirement,
  LifecycleHook,
  LifecycleHooks,
  MachineCondition,
  MachineSpec,
  ObjectReference,
  Taint,
  TemplateMetadata,
} from './tables/shared.js';
