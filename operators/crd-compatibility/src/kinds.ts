import type { ResourceKind } from '@capstan/kube';

/** What those who share a CRD need of it. */
export const REQUIREMENTS: ResourceKind = {
  group: 'apiextensions.openshift.io',
  version: 'v1alpha1',
  plural: 'compatibilityrequirements',
  kind: 'CompatibilityRequirement',
  namespaced: false,
};

export const DEFINITIONS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

export const VALIDATING_WEBHOOKS: ResourceKind = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  namespaced: false,
};

export const ENDPOINT_SLICES: ResourceKind = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
};
