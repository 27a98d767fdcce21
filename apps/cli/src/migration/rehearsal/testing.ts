/** What measures rehearsals, and a fleet to rehearse. */
export { rehearseAll } from '../../rehearsal/plan.js';
export { startRunner } from '../../rehearsal/runner.js';
export { copyOfCluster } from './cluster-copy.js';
export type { ClusterCopy } from './cluster-copy.js';
export { STEP_NAMES } from './procedure.js';
export { readLive } from './read-live.js';
export { migrationScenario, scenariosOf } from './scenario.js';
export { createTestCluster, installCrds, MAPPING, testCrds } from './testing-fleet.js';
