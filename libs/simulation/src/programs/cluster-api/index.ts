/** The core of Cluster API as a program. */
export { clusterApiManager } from './manager.js';
export type { ClusterApiOptions } from './manager.js';
export type { ConnectGuest } from './guests/guest-clusters.js';
export { clusterApiOperator } from './operator.js';
