import type { ResourceKind } from '@capstan/kube';

/** The manager of an object: the component whose manifest it comes from. */
export const MANAGED_BY_LABEL = 'capi-operator.openshift.io/managed-by';
/** Of what a managed CRD was last written: changes of the manifest are seen by it, also removals. */
export const CONTENT_ANNOTATION = 'capi-operator.openshift.io/content';
/** The field manager of everything this operator writes. */
export const FIELD_MANAGER = 'capi-operator';

/** Labels of a transport ConfigMap. */
export const PROVIDER_LABEL = 'capi-operator.openshift.io/provider';
export const RELEASE_LABEL = 'capi-operator.openshift.io/release';
export const ROLE_LABEL = 'capi-operator.openshift.io/role';

/** `<prefix>/<definition>` on any manifest: further versions of that CRD its program needs, by commas. */
export const DEPENDENCY_PREFIX = 'deps.v1.cluster-capi.operator.openshift.io/';

/** Where the platform's own Cluster API objects live. */
export const CLUSTER_API_NAMESPACE = 'openshift-cluster-api';
/** The one ClusterAPI there is. */
export const SINGLETON = 'cluster';
/** The ClusterOperator that reports. */
export const CLUSTER_OPERATOR = 'cluster-api';

/** Which release a transport ConfigMap is of: the one that runs, or the one an upgrade would bring. */
export type Role = 'active' | 'future';

export const CLUSTER_APIS: ResourceKind = {
  group: 'operator.openshift.io',
  version: 'v1alpha1',
  plural: 'clusterapis',
  namespaced: false,
  kind: 'ClusterAPI',
};
export const REQUIREMENTS: ResourceKind = {
  group: 'apiextensions.openshift.io',
  version: 'v1alpha1',
  plural: 'compatibilityrequirements',
  namespaced: false,
  kind: 'CompatibilityRequirement',
};
export const CLUSTER_OPERATORS: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'clusteroperators',
  namespaced: false,
  kind: 'ClusterOperator',
};
export const INFRASTRUCTURES: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'infrastructures',
  namespaced: false,
  kind: 'Infrastructure',
};
export const FEATURE_GATES: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'featuregates',
  namespaced: false,
  kind: 'FeatureGate',
};
export const DEFINITIONS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};
export const CONFIG_MAPS: ResourceKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
  kind: 'ConfigMap',
};
