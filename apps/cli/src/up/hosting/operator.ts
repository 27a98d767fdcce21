import { LEGACY_OPERATOR_NAME, OPERATOR_NAME, operatorManifests, priorityClasses } from '@capstan/hypershift/manifests';
import { MIGRATION_LIMITS_ENV } from '@capstan/hypershift';
import type { KubeObject } from '@capstan/meta';
import { COMPONENT_REPOSITORY } from '@capstan/simulation';
import { withSidecar } from '@capstan/translate/sidecar';
import { clientVersion } from '../../client-version.js';
import type { InstallSettings, Plan } from '../../install/components.js';
import { hypershiftPlan } from '../../install/hypershift.js';
import { CAPSTAN_IMAGE } from '../../pods/capstan-images.js';
import { MAPPING } from '../groups.js';
import type { Hosting } from './hosting.js';

/** The image that stands for the operator of hosted clusters. */
export const OPERATOR_IMAGE = 'quay.io/capstan/hypershift-operator';
/** Where it runs. */
export const OPERATOR_NAMESPACE = 'hypershift';

type Parts = Pick<Hosting, 'platforms' | 'registry'>;

/** Here nobody waits half a minute for a cluster that is well on private types. */
const MIGRATION_LIMITS = 'healthy=5s,poll=500ms';

/** Images that come with no payload, and how long migrations wait. */
function environment(registry: string): Readonly<Record<string, string>> {
  const imageOf = (component: string): string => `${registry}/${COMPONENT_REPOSITORY}/${component}:latest`;
  return {
    IMAGE_AGENT_CAPI_PROVIDER: imageOf('agent-cluster-api-controllers'),
    IMAGE_KUBEVIRT_CAPI_PROVIDER: imageOf('kubevirt-cluster-api-controllers'),
    [MIGRATION_LIMITS_ENV]: MIGRATION_LIMITS,
  };
}

/** The operator from before private types, with its ServiceAccount and RBAC. */
export function standardOperator({ platforms, registry }: Parts): readonly KubeObject[] {
  const program = operatorManifests({
    mode: 'standard',
    namespace: OPERATOR_NAMESPACE,
    image: OPERATOR_IMAGE,
    proxyImage: CAPSTAN_IMAGE,
    platforms,
    swap: (group) => MAPPING.swap(group),
    env: environment(registry),
  });
  return [...priorityClasses(), ...program];
}

/** The settings of `capstan install --private-capi-types` here. */
export function privateSettings({ registry }: Pick<Hosting, 'registry'>): InstallSettings {
  return {
    namespace: OPERATOR_NAMESPACE,
    image: CAPSTAN_IMAGE,
    operator: { image: OPERATOR_IMAGE, env: environment(registry) },
    version: clientVersion(),
    isSingleNode: false,
    monitor: false,
    hasOwnCa: false,
    isPrivate: true,
    native: true,
    caBundles: {},
    groups: [],
  };
}

/** What `capstan install --private-capi-types` installs, with a proxy of the operator that is seen. */
export async function privatePlan(settings: InstallSettings): Promise<Plan> {
  const plan = await hypershiftPlan(settings);
  const stages = plan.stages.map((stage) => ({ ...stage, objects: stage.objects.map(withVisibleProxy) }));
  return { ...plan, stages };
}

/** The plan of a cluster that is on private types from the start, where the legacy operator has nothing to do. */
export async function privateFromTheStart(parts: Pick<Hosting, 'registry'>): Promise<
  Pick<Plan, 'definitions'> & {
    readonly objects: readonly KubeObject[];
  }
> {
  const { definitions, stages } = await privatePlan(privateSettings(parts));
  const objects = stages.flatMap((stage) => stage.objects);
  return { definitions, objects: objects.filter((object) => !isOfLegacy(object)) };
}

function isOfLegacy({ kind, metadata: { name = '' } }: KubeObject): boolean {
  return (
    name.endsWith(LEGACY_OPERATOR_NAME) || (kind === 'ValidatingWebhookConfiguration' && name.startsWith('legacy-'))
  );
}

/**
 * The operator with its proxy as an ordinary container, not as a native sidecar: the procedures for those on call look for
 * it among the containers of the pod. Its log stays the one that is shown when no container is named.
 */
function withVisibleProxy(object: KubeObject): KubeObject {
  if (object.kind !== 'Deployment' || object.metadata.name !== OPERATOR_NAME) return object;
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
