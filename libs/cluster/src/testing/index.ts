/** What tests of a cluster share: scenarios that hold on any server, and nodes that play a part. No program needs it. */
export { admissionPolicyScenarios } from './admission-policies.js';
export { runScenario } from './context.js';
export type { Scenario, ScenarioContext, ScenarioOptions } from './context.js';
export { cronJobScenarios } from './cron-jobs.js';
export { daemonSetScenarios } from './daemon-sets.js';
export { deploymentScenarios } from './deployments.js';
export { disruptionScenarios } from './disruption.js';
export { garbageCollectionScenarios } from './garbage-collection.js';
export { jobScenarios } from './jobs.js';
export { namespaceScenarios } from './namespaces.js';
export { nodeScenarios } from './nodes.js';
export { podScenarios } from './pods.js';
export { ScriptedNode } from './scripted-node.js';
export { serviceCaScenarios } from './service-ca.js';
export { serviceScenarios } from './services.js';
export { SimulatedKubelet } from './simulated-kubelet.js';
export { statefulSetScenarios } from './stateful-sets.js';
export { volumeScenarios } from './volumes.js';
