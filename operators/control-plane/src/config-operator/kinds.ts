import type { ResourceKind } from '@capstan/kube';

function cluster(group: string, kind: string, plural: string): ResourceKind {
  return { group, version: 'v1', plural, namespaced: false, kind };
}

/** Kinds of the hosted cluster. */
export const CLUSTER_ROLE_BINDINGS: ResourceKind = cluster(
  'rbac.authorization.k8s.io',
  'ClusterRoleBinding',
  'clusterrolebindings',
);
export const CLUSTER_VERSIONS: ResourceKind = cluster('config.openshift.io', 'ClusterVersion', 'clusterversions');
export const DEFINITIONS: ResourceKind = cluster(
  'apiextensions.k8s.io',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
export const NODES: ResourceKind = cluster('', 'Node', 'nodes');
export const VOLUMES: ResourceKind = cluster('', 'PersistentVolume', 'persistentvolumes');
export const CLAIMS: ResourceKind = {
  ...cluster('', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  namespaced: true,
};
export const PODS: ResourceKind = { ...cluster('', 'Pod', 'pods'), namespaced: true };
