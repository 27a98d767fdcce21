import { operatorManifests, priorityClasses } from '@capstan/hypershift/manifests';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import { COMPONENT_REPOSITORY } from '@capstan/simulation';
import { CAPSTAN_IMAGE } from '../../pods/capstan-images.js';
import { MAPPING } from '../groups.js';

/** The image that stands for the operator of hosted clusters. */
export const OPERATOR_IMAGE = 'quay.io/capstan/hypershift-operator';
/** Where it runs. */
const OPERATOR_NAMESPACE = 'hypershift';

/** The operator, with its ServiceAccount and RBAC. */
export function operatorObjects(platforms: HostingPlatforms, registry: string): readonly KubeObject[] {
  const imageOf = (component: string): string => `${registry}/${COMPONENT_REPOSITORY}/${component}:latest`;
  const program = operatorManifests({
    mode: 'standard',
    namespace: OPERATOR_NAMESPACE,
    image: OPERATOR_IMAGE,
    proxyImage: CAPSTAN_IMAGE,
    platforms,
    swap: (group) => MAPPING.swap(group),
    // These two come with no payload.
    env: {
      IMAGE_AGENT_CAPI_PROVIDER: imageOf('agent-cluster-api-controllers'),
      IMAGE_KUBEVIRT_CAPI_PROVIDER: imageOf('kubevirt-cluster-api-controllers'),
    },
  });
  return [...priorityClasses(), ...program];
}
