/** Migrations of a fleet in virtual time: real operators and stand-ins of Cluster API, with faults and oracles. */
export { fleetSnapshot } from './fleet.js';
export { tryMigration } from './run.js';
export type { Trial, TrialResult } from './run.js';
export { ENDINGS, IN_FLIGHT } from './variants.js';
export type { Ending, InFlight } from './variants.js';
