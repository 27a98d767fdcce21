/** The kinds of infrastructure providers, and what providers read of those of Cluster API. */
export { CLUSTER_LABEL, CORE_GROUP, isInfrastructureReady, kindOf, MANAGED_BY } from './objects.js';
export type { Cluster, InfrastructureMachine, Machine } from './objects.js';
