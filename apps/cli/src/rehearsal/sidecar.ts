import { PRIVATE_CAPI_TYPES_ENV } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import type { SidecarChange } from '@capstan/simulation';
import { COMPONENTS, RECORD_ANNOTATION, withoutSidecar, withSidecar } from '@capstan/translate/sidecar';
import type { ComponentName } from '@capstan/translate/sidecar';

const IMAGE = 'capstan:rehearsal';
const OPERATOR = 'control-plane-operator';

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** The proxy as operators add it: what a Deployment does not permit shows in the rehearsal already. */
export const SIDECAR: SidecarChange = {
  has: (deployment) => (deployment as Workload).spec.template.metadata?.annotations?.[RECORD_ANNOTATION] !== undefined,
  add: (deployment) => {
    const { name = '' } = deployment.metadata;
    const component = Object.hasOwn(COMPONENTS, name) ? (name as ComponentName) : undefined;
    return withSidecar(name === OPERATOR ? signalled(deployment as Workload, true) : deployment, {
      image: IMAGE,
      native: true,
      component,
    });
  },
  remove: (deployment) => {
    const bare = withoutSidecar(deployment);
    return deployment.metadata.name === OPERATOR ? signalled(bare as Workload, false) : bare;
  },
};

/** The control plane operator learns from its environment that its objects are in the private groups. */
function signalled(deployment: Workload, isPrivate: boolean): Workload {
  const { template } = deployment.spec;
  const containers = template.spec.containers.map((container) => {
    if (container.name !== OPERATOR) return container;
    const others = (container.env ?? []).filter(({ name }) => name !== PRIVATE_CAPI_TYPES_ENV);
    const env = isPrivate ? [...others, { name: PRIVATE_CAPI_TYPES_ENV, value: 'true' }] : others;
    const { env: _, ...rest } = container;
    return env.length === 0 ? rest : { ...rest, env };
  });
  const spec = { ...deployment.spec, template: { ...template, spec: { ...template.spec, containers } } };
  return { ...deployment, spec };
}
