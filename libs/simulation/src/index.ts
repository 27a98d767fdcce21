/** Simulates a cluster in virtual time: order, faults and oracles. */
export { cloudOracles, machinesUnchanged } from './oracles/cloud.js';
export type { CloudOracleOptions, StillPeriod } from './oracles/cloud.js';
export { SimulationError } from './errors.js';
export type { SimulationErrorCode } from './errors.js';
export { effectText, faultText } from './faults/fault.js';
export type { EffectName, EffectPoint, FaultAction, FaultKind, FaultSource, PlannedFault } from './faults/fault.js';
export { ALL_FAULTS, DrawnFaults, listedFaults, noFaults } from './faults/sources.js';
export type { FaultProfile } from './faults/sources.js';
export { Fleet } from './guests/fleet.js';
export type { FleetOptions } from './guests/fleet.js';
export { CERTIFICATE_CONTROLLER, GuestCluster, nodeBindings } from './guests/guest-cluster.js';
export type { GuestIdentity, GuestOptions, KeptGuest } from './guests/guest-cluster.js';
export { guestPath, Guests } from './guests/guests.js';
export type { GuestsOptions } from './guests/guests.js';
export type { JoinedNode, NodeDisk, NodePods } from './guests/node-agent.js';
export { credentialedTransport, KnownServers, userOfCertificate } from './guests/known-servers.js';
export type { KnownServer } from './guests/known-servers.js';
export { serveGuests } from './guests/serve.js';
export type { ServedGuests, ServeGuestsOptions } from './guests/serve.js';
export { approveRejoin } from './guests/rejoin.js';
export { certificateControllers } from './guests/signer.js';
export type { SignerOptions } from './guests/signer.js';
export { StandaloneCluster } from './guests/standalone-cluster.js';
export type { StandaloneOptions } from './guests/standalone-cluster.js';
export { bootstrapKubeconfig, bootstrapUserData } from './guests/user-data.js';
export type { FetchIgnition } from './guests/user-data.js';
export { HostedGuests } from './hosted/hosted-guests.js';
export type { HostedGuest, HostedGuestsOptions } from './hosted/hosted-guests.js';
export { IgnitionServers } from './hosted/ignition.js';
export { loadBalancerManager, loadBalancers, namedBalancer } from './hosted/load-balancers.js';
export type { BalancedService, Balancer, Ingress } from './hosted/load-balancers.js';
export { hostedProgram } from './hosted/pods.js';
export { anyOperator, idleOperator, hostedComponents, operatorOf } from './hosted/components.js';
export type { AnyOperator, HostedDependencies, HostedComponents } from './hosted/components.js';
export { freePort, SocketBalancer } from './hosted/socket-balancer.js';
export { hostedFixture, OPERATOR_NAMESPACE, FIXTURE_REGISTRY } from './hosted/fixture.js';
export type { HostedOperators, HostedFixture, HostedFixtureOptions, OperatorInstance } from './hosted/fixture.js';
export { LiveHost, simulatedHost } from './hosted/process-host.js';
export type { LiveHostOptions, ProcessHost } from './hosted/process-host.js';
export { workloadsProcess } from './hosted/workloads.js';
export type { WorkloadsOptions } from './hosted/workloads.js';
export { collectedOracles, generalOracles } from './oracles/general.js';
export { foldIsState, noLostUpdate, revisionOrder } from './oracles/history.js';
export { eventuallyQuiet, idempotent, noHotLoop, stepsSucceed } from './oracles/liveness.js';
export { finalizersHonoured, livingOwners, singleController } from './oracles/ownership.js';
export { watchesArePrefixes } from './oracles/watches.js';
export { compareStates } from './rehearsal/compare.js';
export type { ComparisonOptions } from './rehearsal/compare.js';
export { CRDS, crdSpec, lastWrittenMs, NAMESPACES, snapshotOf, storedAs } from './rehearsal/copy.js';
export type { CopiedObject, CopiedResource } from './rehearsal/copy.js';
export { isCalm, listPasses, passText } from './rehearsal/passes.js';
export type { PassSelection } from './rehearsal/passes.js';
export { rehearse } from './rehearsal/rehearsal.js';
export type {
  ActionEnd,
  RehearsalAction,
  RehearsalContext,
  RehearsalCopy,
  RehearsalOutcome,
  RehearsalPass,
  RehearsalScenario,
  RehearsalScript,
} from './rehearsal/scenario.js';
export { isWatchedByStandIns, machineControllersOf } from './rehearsal/machines/controllers.js';
export type { MachineControllers } from './rehearsal/machines/controllers.js';
export { MachinesCopy, machinesStateOf } from './rehearsal/machines/machines-copy.js';
export type { MachinesState } from './rehearsal/machines/machines-copy.js';
export { machineProcesses } from './rehearsal/machines/processes.js';
export type { MachineProcessOptions } from './rehearsal/machines/processes.js';
export { settle } from './rehearsal/settle.js';
export type { SettledCopy, SettleOptions } from './rehearsal/settle.js';
export { controlPlaneStandIns, OPERATOR_STAND_INS, OTHER_STAND_INS } from './rehearsal/stand-ins.js';
export type { SidecarChange, StandInOptions } from './rehearsal/stand-ins.js';
export { translatedTransport } from './runtime/translated-transport.js';
export { operatorProcess } from './runtime/process.js';
export type { OperatorProcessOptions } from './runtime/process.js';
export { operatorProgram } from './runtime/program.js';
export type { OperatorProgramOptions } from './runtime/program.js';
export { COMPONENT_REPOSITORY, FixtureRegistry, RELEASE_REPOSITORY } from './registry/fixture-registry.js';
export type { FixtureRegistryOptions, FixtureRelease } from './registry/fixture-registry.js';
export { carriedTransport, serveRegistry } from './registry/ways.js';
export type { ServedRegistry } from './registry/ways.js';
export { failureText } from './run/report.js';
export { isWork, runOnce, stateOf } from './run/run.js';
export type { RunOptions, RunResult } from './run/run.js';
export { handoverOracles } from './oracles/handover.js';
export type { HandoverOracleOptions } from './oracles/handover.js';
export { handoverRehearsalOracles } from './oracles/handover-rehearsal.js';
export type { HandoverRehearsalOptions } from './oracles/handover-rehearsal.js';
export { cloudCalls, migrationOracles, migrationRehearsalOracles } from './oracles/migration/index.js';
export type { MigrationOracleOptions } from './oracles/migration/index.js';
export type {
  Oracle,
  RehearsalOracle,
  RunRecord,
  Scenario,
  SimulationState,
  Step,
  StepContext,
  Violation,
} from './scenario.js';
export { shrink } from './run/shrink.js';
export type { Shrunk } from './run/shrink.js';
export { optionsOf, parseTrace, traceOf } from './run/trace.js';
export type { Trace } from './run/trace.js';
export { requireSame, sweep } from './run/sweep.js';
export type { SweepOptions, SweepResult } from './run/sweep.js';
export { simulateFleet } from './scenarios/fleet.js';
export type { SimulatedFleet } from './scenarios/fleet.js';
export { scenarios } from './scenarios/index.js';
export { machineCrds } from './scenarios/machine-crds.js';
export { machineNodes, runMachineNodes } from './scenarios/machine-nodes.js';
export type { NodesContext } from './scenarios/machine-nodes.js';
export { MACHINE_API_NAMESPACE, machineSetObject, USER_DATA } from './scenarios/machine-objects.js';
export {
  collectorProcess,
  controllerProcess,
  deploymentProcess,
  namespaceProcess,
  nodeProcess,
  schedulerProcess,
} from './scenarios/processes.js';
export { deployment, DEPLOYMENTS } from './scenarios/resources.js';
export { eventText } from './engine/event-log.js';
export type {
  CommitEvent,
  FaultEvent,
  FrameEvent,
  LifeEvent,
  ReplyEvent,
  SendEvent,
  SimulationEvent,
} from './engine/event-log.js';
export type { TransportTarget } from './engine/network.js';
export type { OutsideCall } from './engine/outside.js';
export { Timeline, SIMULATION_START } from './engine/timeline.js';
export type { TaskOwner } from './engine/task-heap.js';
export { Simulation } from './engine/simulation.js';
export type { SimulationOptions } from './engine/simulation-options.js';
export type { ProcessContext, ProcessDefinition } from './engine/process.js';
export type { HookHandler } from './faults/hook-answers.js';
export { SometimesLedger } from './engine/sometimes-ledger.js';
export type { HookCount } from './engine/sometimes-ledger.js';
