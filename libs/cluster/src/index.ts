/** What makes an API server a cluster: the controllers Kubernetes itself runs. */
export type { ControllerOptions } from './controller.js';
export { GarbageCollector } from './garbage-collector/garbage-collector.js';
export type { GarbageCollectorOptions } from './garbage-collector/garbage-collector.js';
export { NamespaceController } from './namespace/namespace-controller.js';
export type { NamespaceControllerOptions } from './namespace/namespace-controller.js';
export { runScenario } from './testing/context.js';
export type { Scenario, ScenarioContext, ScenarioOptions } from './testing/context.js';
export { garbageCollectionScenarios } from './testing/garbage-collection.js';
export { namespaceScenarios } from './testing/namespaces.js';
