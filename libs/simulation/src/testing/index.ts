/** For tests of controllers: the life of a cluster, to be run by any manager, and its environment. */
export { GUEST_CONTROLLERS } from '../guests/guest-cluster.js';
export { testDefinitions } from '../cluster-api/testing/definitions.js';
export { joinNodes } from '../cluster-api/testing/guest-nodes.js';
export { CLUSTER, NAMESPACE } from '../cluster-api/testing/objects.js';
export { snapshot } from '../cluster-api/testing/snapshot.js';
export { Scenario } from '../cluster-api/testing/scenario.js';
export type { Moment, ScenarioOptions, ScenarioEnvironment } from '../cluster-api/testing/scenario.js';
export { testProvider } from '../cluster-api/testing/test-provider.js';
