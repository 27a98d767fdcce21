/** A world that owns time, order and failure. */
export { SimulationError } from './errors.js';
export type { SimulationErrorCode } from './errors.js';
export { effectText, faultText } from './faults/fault.js';
export type { EffectName, EffectPoint, FaultAction, FaultKind, FaultSource, PlannedFault } from './faults/fault.js';
export { ALL_FAULTS, DrawnFaults, listedFaults, noFaults } from './faults/sources.js';
export type { FaultProfile } from './faults/sources.js';
export { collectedOracles, generalOracles } from './oracles/general.js';
export { foldIsState, noLostUpdate, revisionOrder } from './oracles/history.js';
export { eventuallyQuiet, idempotent, noHotLoop, stepsSucceed } from './oracles/liveness.js';
export { finalizersHonoured, livingOwners, singleController } from './oracles/ownership.js';
export { watchesArePrefixes } from './oracles/watches.js';
export { failureText } from './run/report.js';
export { isWork, runOnce, stateOf } from './run/run.js';
export type { RunOptions, RunResult } from './run/run.js';
export { WorldState } from './run/scenario.js';
export type { Oracle, RunRecord, Scenario, Step, StepContext, Violation } from './run/scenario.js';
export { shrink } from './run/shrink.js';
export type { Shrunk } from './run/shrink.js';
export { optionsOf, parseTrace, traceOf } from './run/trace.js';
export type { Trace } from './run/trace.js';
export { requireSame, sweep } from './run/sweep.js';
export type { SweepOptions, SweepResult } from './run/sweep.js';
export { scenarios } from './scenarios/index.js';
export {
  collectorProcess,
  controllerProcess,
  deploymentProcess,
  namespaceProcess,
  nodeProcess,
  schedulerProcess,
} from './scenarios/processes.js';
export { deployment, DEPLOYMENTS } from './scenarios/resources.js';
export { eventText } from './world/event-log.js';
export type {
  CommitEvent,
  FaultEvent,
  FrameEvent,
  LifeEvent,
  ReplyEvent,
  SendEvent,
  SimulationEvent,
} from './world/event-log.js';
export { Timeline, WORLD_BEGINS } from './world/timeline.js';
export type { TaskOwner } from './world/timeline.js';
export { World } from './world/world.js';
export type { WorldOptions } from './world/world.js';
export type { ProcessContext, ProcessDefinition } from './world/process.js';
export type { HookHandler } from './world/hook-answers.js';
export { SometimesLedger } from './world/sometimes-ledger.js';
export type { HookCount } from './world/sometimes-ledger.js';
