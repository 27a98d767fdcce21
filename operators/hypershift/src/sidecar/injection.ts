import { PRIVATE_CAPI_TYPES_ENV, PROXY_IMAGE_ENV, PROXY_NATIVE_ENV } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { COMPONENTS, RECORD_ANNOTATION, withoutSidecar, withSidecar } from '@capstan/translate/sidecar';
import type { ComponentName } from '@capstan/translate/sidecar';
import type { SidecarInjection } from './sidecar.js';

/** Which proxy the components of a control plane get. */
export interface ProxySettings {
  readonly image: string;
  /** Whether the nodes run native sidecars. */
  readonly native: boolean;
}

interface EnvVar {
  readonly name: string;
  readonly value?: string;
}

interface Templated extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | null };
      readonly spec: { readonly containers: readonly { readonly name: string; readonly env?: readonly EnvVar[] }[] };
    };
  };
}

const CONTROL_PLANE_OPERATOR: ComponentName = 'control-plane-operator';
const SIGNALS: ReadonlySet<string> = new Set([PRIVATE_CAPI_TYPES_ENV, PROXY_IMAGE_ENV, PROXY_NATIVE_ENV]);

/** Adds the proxy to Deployments by the name of their component; the control plane operator is also asked to do the same. */
export function sidecarInjection({ image, native }: ProxySettings): SidecarInjection {
  const signals: readonly EnvVar[] = [
    { name: PRIVATE_CAPI_TYPES_ENV, value: 'true' },
    { name: PROXY_IMAGE_ENV, value: image },
    { name: PROXY_NATIVE_ENV, value: String(native) },
  ];
  return {
    has: hasSidecar,
    // The signals come last: what removes the proxy must find the environment as it left it.
    add: (deployment) =>
      withSignals(
        withSidecar(withSignals(deployment, []), { image, native, component: componentOf(deployment) }),
        signals,
      ),
    remove: (deployment) => withoutSidecar(withSignals(deployment, [])),
  };
}

function hasSidecar(deployment: KubeObject): boolean {
  return (deployment as Templated).spec.template.metadata?.annotations?.[RECORD_ANNOTATION] !== undefined;
}

function componentOf({ metadata: { name = '' } }: KubeObject): ComponentName | undefined {
  return Object.hasOwn(COMPONENTS, name) ? (name as ComponentName) : undefined;
}

/** The Deployment of the control plane operator with these signals instead of others; any other one as it is. */
function withSignals(deployment: KubeObject, signals: readonly EnvVar[]): KubeObject {
  if (deployment.metadata.name !== CONTROL_PLANE_OPERATOR) return deployment;
  const { spec } = deployment as Templated;
  const containers = spec.template.spec.containers.map((container) => {
    if (container.name !== CONTROL_PLANE_OPERATOR) return container;
    const { env } = container;
    const hasSignals = env?.some(({ name }) => SIGNALS.has(name)) === true;
    if (!hasSignals && signals.length === 0) return container;
    return { ...container, env: [...(env ?? []).filter(({ name }) => !SIGNALS.has(name)), ...signals] };
  });
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return { ...deployment, spec: { ...spec, template } };
}
