/** Migrations of a fleet in virtual time: real operators and stand-ins of Cluster API, with faults and oracles. */
export { fleetSnapshot, SimulatedMigration } from './fleet.js';
export { GuestProbe } from './guest-probe.js';
export { migrationProcess, MIGRATION_PROCESS } from './processes.js';
export { tryMigration } from './run.js';
export type { Trial, TrialResult } from './run.js';
export { Trials } from './trials.js';
export { ENDINGS, IN_FLIGHT, NOTHING } from './variants.js';
export type { Ending, InFlight } from './variants.js';
