import type { ComponentName } from './components.js';
import { componentOptions } from './components.js';
import { SidecarError } from './errors.js';
import { refuseUnreachableFlags, setFlag } from './flags.js';
import type { Container, EnvVar, PodSpec, PodTemplate } from './pod.js';
import { allContainers, annotationsOf } from './pod.js';
import { choosePorts } from './ports.js';
import type { PortOptions } from './ports.js';
import { blankOf, blanksOf, RECORD_ANNOTATION } from './record.js';
import type { ContainerRecord, SidecarRecord } from './record.js';
import { removeSidecar } from './remove.js';
import { KUBECONFIG_ANNOTATION, proxySidecar, SIDECAR_VOLUMES, TOKEN_MOUNT, tokenVolume } from './sidecar.js';
import type { Sidecar, SidecarOptions } from './sidecar.js';

/** How a proxy is added to a pod template. */
export interface AddOptions extends Omit<SidecarOptions, 'port' | 'healthPort' | 'drainSeconds'>, PortOptions {
  /** The component that the template is of: its containers, flags and ports. */
  readonly component?: ComponentName | undefined;
  /** The containers that are to use the proxy. Default: those of the component, or all but init containers. */
  readonly containers?: readonly string[] | undefined;
}

interface Users {
  readonly names: readonly string[];
  readonly kubeconfigFlags: readonly string[];
}

/** Time that a pod has to end, unless it names another. */
const GRACE_SECONDS = 30;
/** Left of it for the proxy itself once its clients are gone. */
const END_SECONDS = 5;

/**
 * A pod template with the API proxy in it, and its containers led to it. Adding it again gives the same, adding it with
 * other options replaces it, and {@link removeSidecar} takes it out again. The template itself is not changed.
 */
export function addSidecar<T extends PodTemplate>(template: T, options: AddOptions): T {
  const bare = removeSidecar(template);
  refuseClashes(bare);
  const { spec } = bare;
  const component = options.component === undefined ? undefined : componentOptions(options.component, spec);
  const users = usersOf(spec, options, component);
  const ports = choosePorts(spec, {
    ...options,
    reservedPorts: [...(component?.reservedPorts ?? []), ...(options.reservedPorts ?? [])],
  });
  const sidecar = proxySidecar({
    ...options,
    ...ports,
    isOnHostNetwork: spec.hostNetwork === true,
    drainSeconds: Math.max(1, (spec.terminationGracePeriodSeconds ?? GRACE_SECONDS) - END_SECONDS),
  });
  const changed = new Map<string, ContainerRecord>();
  const withAccess = (container: Container): Container => {
    if (!users.names.includes(container.name)) return container;
    const { access, record } = accessOf(container, sidecar, users.kubeconfigFlags);
    changed.set(container.name, record);
    return access;
  };
  const containers = spec.containers.map(withAccess);
  const inits = spec.initContainers?.map(withAccess);
  const record: SidecarRecord = {
    version: 1,
    blanks: {
      ...blanksOf(bare, 'metadata'),
      ...blanksOf(bare.metadata ?? {}, 'annotations'),
      ...blanksOf(spec, 'initContainers', 'volumes'),
    },
    containers: Object.fromEntries(changed),
  };
  const annotations = {
    ...annotationsOf(bare),
    ...sidecar.annotations,
    [RECORD_ANNOTATION]: JSON.stringify(record),
  };
  return {
    ...bare,
    metadata: { ...bare.metadata, annotations },
    spec: withProxy(
      { ...spec, containers, ...(inits === undefined ? {} : { initContainers: inits }) },
      sidecar,
      options,
    ),
  };
}

/** The proxy comes first: kubelets start containers in their order, and end native sidecars in the opposite one. */
function withProxy(spec: PodSpec, { container, volume }: Sidecar, { native }: AddOptions): PodSpec {
  // Without a token of the pod's own the proxy brings one along, for itself alone.
  const isBare = spec.automountServiceAccountToken === false;
  const proxy: Container = isBare ? { ...container, volumeMounts: [TOKEN_MOUNT] } : container;
  const volumes = [...(spec.volumes ?? []), volume, ...(isBare ? [tokenVolume()] : [])];
  return native
    ? { ...spec, initContainers: [proxy, ...(spec.initContainers ?? [])], volumes }
    : { ...spec, containers: [proxy, ...spec.containers], volumes };
}

function usersOf(
  spec: PodSpec,
  { containers, native }: AddOptions,
  component: ReturnType<typeof componentOptions> | undefined,
): Users {
  const { kubeconfigFlags = [], containers: preferred } = component ?? {};
  const names = containers ?? preferred ?? spec.containers.map(({ name }) => name);
  // An init container runs before all others, so only a native sidecar is there for it.
  const possible = native ? allContainers(spec) : spec.containers;
  const missing = names.find((name) => possible.every((each) => each.name !== name));
  if (missing !== undefined) throw new SidecarError('bad-options', `there is no container ${missing}`);
  if (kubeconfigFlags.length > 0 && names.length > 1)
    throw new SidecarError(
      'bad-options',
      `${kubeconfigFlags.join(', ')} is for one container, and there are ${names.join(', ')}: name the one that uses Cluster API`,
    );
  return { names, kubeconfigFlags };
}

/** Refuses a template that has something of another origin under a name that the proxy needs. */
function refuseClashes(template: PodTemplate): void {
  const { spec } = template;
  if (annotationsOf(template)[KUBECONFIG_ANNOTATION] !== undefined)
    throw new SidecarError(
      'bad-options',
      `annotation ${KUBECONFIG_ANNOTATION} is not that of a proxy added here: remove it`,
    );
  const volume = (spec.volumes ?? []).find(({ name }) => SIDECAR_VOLUMES.has(name));
  if (volume !== undefined)
    throw new SidecarError('bad-options', `volume ${volume.name} is not that of a proxy added here: rename it`);
}

function accessOf(
  container: Container,
  { env, volumeMount }: Sidecar,
  flags: readonly string[],
): { readonly access: Container; readonly record: ContainerRecord } {
  const { mountPath } = volumeMount;
  if ((container.volumeMounts ?? []).some((each) => each.mountPath === mountPath))
    throw new SidecarError('bad-options', `container ${container.name} has another volume at ${mountPath}: move it`);
  const known = container.env ?? [];
  const isKubeconfig = ({ name }: EnvVar): boolean => name === env.name;
  const variables = known.map((each): EnvVar => (isKubeconfig(each) ? env : each));
  let { args } = container;
  const earlier: Record<string, readonly (readonly string[])[]> = {};
  for (const flag of flags) {
    refuseUnreachableFlags(container, flag);
    const change = setFlag(args ?? [], flag, env.value);
    args = change.args;
    earlier[flag] = change.earlier;
  }
  return {
    access: {
      ...container,
      ...(blankOf(args) === undefined ? { args } : {}),
      env: known.some(isKubeconfig) ? variables : [...variables, env],
      volumeMounts: [...(container.volumeMounts ?? []), volumeMount],
    },
    record: {
      blanks: blanksOf(container, 'args', 'env', 'volumeMounts'),
      env: known.filter(isKubeconfig),
      flags: earlier,
    },
  };
}
