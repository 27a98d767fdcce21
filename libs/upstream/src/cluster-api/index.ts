/** The kinds of Cluster API as its core reads and writes them. */
export { conditionOf, isTrue } from './conditions/conditions.js';
export { isComing, isFilling, isForeignNote } from './events.js';
export { coreResource, DAEMON_SETS, DEFINITIONS, NAMESPACES, NODES, PODS, SECRETS } from './kinds.js';
export type { CoreKind } from './kinds.js';
export { labels } from './names.js';
export { coreOwner } from './owners.js';
export type { Cluster, Machine, MachineDeployment, MachineHealthCheck, MachineSet, Node } from './types.js';
