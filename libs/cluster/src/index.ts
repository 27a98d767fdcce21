/** What makes an API server a cluster: the controllers Kubernetes itself runs. */
export type { Controller, ControllerOptions } from './controller.js';
export { DeploymentController } from './deployment/deployment-controller.js';
export { GarbageCollector } from './garbage-collector/garbage-collector.js';
export type { GarbageCollectorOptions } from './garbage-collector/garbage-collector.js';
export { NamespaceController } from './namespace/namespace-controller.js';
export type { NamespaceControllerOptions } from './namespace/namespace-controller.js';
export { ReplicaSetController } from './replicaset/replicaset-controller.js';
export { runScenario } from './testing/context.js';
export type { Scenario, ScenarioContext, ScenarioOptions } from './testing/context.js';
export { deploymentScenarios } from './testing/deployments.js';
export { garbageCollectionScenarios } from './testing/garbage-collection.js';
export { namespaceScenarios } from './testing/namespaces.js';
export { SimulatedKubelet } from './testing/simulated-kubelet.js';
export { SharedInformers } from './workload/shared-informers.js';
export type { WorkloadOptions } from './workload/queue-controller.js';
