import {
  OPERATOR_NAME,
  operatorManifests,
  platformGroups,
  priorityClasses,
  privateTypesGuard,
} from '@capstan/hypershift/manifests';
import type { OperatorMode } from '@capstan/hypershift/manifests';
import type { KubeObject } from '@capstan/meta';
import { COMPONENT_REPOSITORY } from '@capstan/simulation';
import { withSidecar } from '@capstan/translate/sidecar';
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
  return [...priorityClasses(), ...program.map((object) => (mode === 'private' ? withVisibleProxy(object) : object))];
}

/**
 * The operator with its proxy as an ordinary container, not as a native sidecar: the procedures for those on call look for
 * it among the containers of the pod. Its log stays the one that is shown when no container is named.
 */
function withVisibleProxy(object: KubeObject): KubeObject {
  if (object.kind !== 'Deployment') return object;
  const options = { image: CAPSTAN_IMAGE, native: false, component: 'operator', containers: [OPERATOR_NAME] } as const;
  const proxied = withSidecar(object, options) as Workload;
  const { template } = proxied.spec;
  const annotations = { ...template.metadata?.annotations, 'kubectl.kubernetes.io/default-container': OPERATOR_NAME };
  const metadata = { ...template.metadata, annotations };
  return { ...proxied, spec: { ...proxied.spec, template: { ...template, metadata } } };
}

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  };
}

/** The policy that refuses standard objects of clusters that were migrated. */
export function guardObjects({ platforms }: Pick<Parts, 'platforms'>): readonly KubeObject[] {
  return privateTypesGuard(platformGroups(platforms));
}
