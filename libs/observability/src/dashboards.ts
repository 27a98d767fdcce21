import type { Dashboard } from './model.js';

/** The dashboard of everything that keeps private copies of the Cluster API types. */
export const PRIVATE_TYPES_DASHBOARD: Dashboard = {
  uid: 'private-cluster-api-types',
  title: 'Private Cluster API types',
  description: 'Migration to private types, the API proxies and the conversion webhook.',
  rows: ['Migration Overview', 'API Proxy Performance', 'Conversion Webhook Performance', 'Resource Utilization'],
};

/** The dashboard of hosted clusters and of the operators that manage them. */
export const HOSTED_CLUSTERS_DASHBOARD: Dashboard = {
  uid: 'hosted-clusters',
  title: 'Hosted clusters',
  description: 'Hosted clusters and their node pools, and the operators that manage them.',
  rows: ['Hosted Clusters', 'Control Plane Versions', 'Node Pools', 'Operator', 'Operators of Control Planes'],
};
