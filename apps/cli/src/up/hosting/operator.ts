import { operatorManifests, platformGroups, priorityClasses, privateTypesGuard } from '@capstan/hypershift/manifests';
import type { OperatorMode } from '@capstan/hypershift/manifests';
import type { KubeObject } from '@capstan/meta';
import { COMPONENT_REPOSITORY } from '@capstan/simulation';
import { CAPSTAN_IMAGE } from '../../pods/capstan-images.js';
import { MAPPING } from '../groups.js';
import type { Hosting } from './hosting.js';

/** The image that stands for the operator of hosted clusters. */
export const OPERATOR_IMAGE = 'quay.io/capstan/hypershift-operator';
/** Where it runs. */
export const OPERATOR_NAMESPACE = 'hypershift';

type Parts = Pick<Hosting, 'platforms' | 'registry'>;

/** The operator of a mode, with its ServiceAccount and RBAC. */
export function operatorObjects({ platforms, registry }: Parts, mode: OperatorMode): readonly KubeObject[] {
  const imageOf = (component: string): string => `${registry}/${COMPONENT_REPOSITORY}/${component}:latest`;
  const program = operatorManifests({
    mode,
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

/** The policy that refuses standard objects of clusters that were migrated. */
export function guardObjects({ platforms }: Pick<Parts, 'platforms'>): readonly KubeObject[] {
  return privateTypesGuard(platformGroups(platforms));
}
