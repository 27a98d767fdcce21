/** The kinds of Machine API as its controllers read and write them. */
export { findCondition } from './conditions.js';
export {
  CONTROL_PLANE_MACHINE_SETS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  MACHINES,
  NODES,
  PODS,
  readyCondition,
} from './resources.js';
export type { Machine, MachineSet, NodeObject } from './resources.js';
