import { LEGACY_OPERATOR_NAME, OPERATOR_NAME, operatorName } from '@capstan/hypershift/manifests';
import type { Client, ResourceRef } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { InstallSettings, Plan } from './components.js';

interface Variable {
  readonly name: string;
}

interface Container {
  readonly name: string;
  readonly env?: readonly Variable[];
}

interface Deployment extends KubeObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

const DEPLOYMENTS: ResourceRef = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
/**
 * Variables of one operator alone: that which points it at the proxy of its pod, and those by which an earlier one was given
 * the clusters of a scope, where the legacy operator has its own.
 */
const OF_ONE: ReadonlySet<string> = new Set([
  'KUBECONFIG',
  'ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING',
  'HOSTEDCLUSTERS_SCOPE_ANNOTATION',
]);

/**
 * The operator that is there may have variables of its administrator, such as images of providers that no release has. It
 * keeps them; the legacy operator, which goes on with its clusters, needs them too.
 */
export async function keepVariables(
  client: Client,
  plan: Plan,
  { namespace, scope }: Pick<InstallSettings, 'namespace' | 'scope'>,
): Promise<Plan> {
  const find = (name: string): Promise<Deployment | undefined> =>
    client.get<Deployment>(DEPLOYMENTS, name, { namespace }).catch(ignoreNotFound);
  const there = (await find(LEGACY_OPERATOR_NAME)) ?? (await find(OPERATOR_NAME));
  const own = there?.spec.template.spec.containers.find(({ name }) => name === there.metadata.name);
  const variables = (own?.env ?? []).filter(({ name }) => !OF_ONE.has(name));
  if (variables.length === 0) return plan;
  const others = new Set([LEGACY_OPERATOR_NAME, ...(scope === undefined ? [] : [operatorName('standard', scope)])]);
  const kept = (object: KubeObject): KubeObject =>
    object.kind === 'Deployment' && others.has(object.metadata.name ?? '')
      ? withVariables(object as Deployment, variables)
      : object;
  return { ...plan, stages: plan.stages.map((stage) => ({ ...stage, objects: stage.objects.map(kept) })) };
}

function withVariables(deployment: Deployment, variables: readonly Variable[]): Deployment {
  const { template } = deployment.spec;
  const containers = template.spec.containers.map((container) => {
    const { env = [] } = container;
    const own = new Set(env.map(({ name }) => name));
    return { ...container, env: [...env, ...variables.filter(({ name }) => !own.has(name))] };
  });
  return {
    ...deployment,
    spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
}
