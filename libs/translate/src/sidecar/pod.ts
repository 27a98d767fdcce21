import { SidecarError } from './errors.js';
import { KUBECONFIG_FOLDER, KUBECONFIG_NAME, kubeconfigName, PROXY_KUBECONFIG_FILE, PROXY_PORT } from './kubeconfig.js';

/** The container of the proxy, by which those who support it look for it. */
export const PROXY_CONTAINER = 'kube-apiserver-proxy';

const HEALTH_PORT = 8081;
const HEALTH = 'proxy-health';
/** The proxy outlives the program by this much: leases are given back, and last words written, through it. */
const OUTLIVE_SECONDS = 3;

/** As long as the proxy itself waits for the server before it says that it is not ready. */
const PROBE_SECONDS = 5;

interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A container as far as it is looked at here. */
export interface SidecarContainer extends Named {
  readonly env?: readonly Named[] | undefined;
  readonly volumeMounts?: readonly Named[] | undefined;
  readonly ports?: readonly { readonly name?: string | undefined; readonly containerPort: number }[] | undefined;
}

/** The spec of a pod as far as it is looked at here. */
export interface PodSpec {
  readonly containers: readonly SidecarContainer[];
  readonly volumes?: readonly Named[] | undefined;
  readonly [field: string]: unknown;
}

/** How a proxy is put beside a program. */
export interface ProxySidecar {
  /** The image of `capstan`. */
  readonly image: string;
  /** Default 8080; another where the pod uses that itself. */
  readonly port?: number | undefined;
  /** Of health and metrics. Default 8081. */
  readonly healthPort?: number | undefined;
  /** The containers that find the kubeconfig in `KUBECONFIG`. Default: all. Others are told of the file by a flag. */
  readonly byEnvironment?: readonly string[] | undefined;
  /** Groups besides those of Cluster API, as `standard=private`. */
  readonly groupPairs?: readonly string[] | undefined;
  readonly resources?: object | undefined;
}

/**
 * A pod with a proxy beside its programs, which asks the API server with the account of the pod. Every container has the
 * kubeconfig mounted (of {@link proxyKubeconfig}, in the namespace of the pod). Given a pod that has a proxy already it
 * changes nothing that is as it should be; resources that somebody has set on the proxy stay.
 */
export function withProxySidecar(spec: PodSpec, sidecar: ProxySidecar): PodSpec {
  const before = spec.containers.find(({ name }) => name === PROXY_CONTAINER);
  const programs = spec.containers.filter(({ name }) => name !== PROXY_CONTAINER);
  const { byEnvironment = programs.map(({ name }) => name), port = PROXY_PORT } = sidecar;
  checkPorts(programs, [port, sidecar.healthPort ?? HEALTH_PORT]);
  const unknown = byEnvironment.find((name) => !programs.some((program) => program.name === name));
  if (unknown !== undefined)
    throw new SidecarError('NO_SUCH_CONTAINER', `the pod has no container ${JSON.stringify(unknown)}`);
  const mount = { name: KUBECONFIG_NAME, mountPath: KUBECONFIG_FOLDER, readOnly: true };
  const environment = { name: 'KUBECONFIG', value: PROXY_KUBECONFIG_FILE };
  return {
    ...spec,
    containers: [
      // First: containers are started in their order.
      proxyContainer(sidecar, before?.['resources'] as object | undefined),
      ...programs.map((program) => ({
        ...program,
        volumeMounts: put(program.volumeMounts, mount),
        ...(byEnvironment.includes(program.name) ? { env: put(program.env, environment) } : {}),
      })),
    ],
    volumes: put(spec.volumes, { name: KUBECONFIG_NAME, configMap: { name: kubeconfigName(port) } }),
  };
}

function proxyContainer(sidecar: ProxySidecar, resourcesBefore: object | undefined): SidecarContainer {
  const { groupPairs = [], healthPort = HEALTH_PORT, image, port = PROXY_PORT } = sidecar;
  const resources = resourcesBefore ?? sidecar.resources;
  const probe = (path: string): object => ({ httpGet: { path, port: HEALTH }, timeoutSeconds: PROBE_SECONDS });
  return {
    name: PROXY_CONTAINER,
    image,
    command: ['capstan'],
    args: [
      'proxy',
      `--listen=127.0.0.1:${port}`,
      `--health-listen=0.0.0.0:${healthPort}`,
      ...groupPairs.map((pair) => `--group-pair=${pair}`),
    ],
    ports: [{ name: HEALTH, containerPort: healthPort }],
    readinessProbe: probe('/readyz'),
    livenessProbe: probe('/healthz'),
    lifecycle: { preStop: { sleep: { seconds: OUTLIVE_SECONDS } } },
    ...(resources === undefined ? {} : { resources }),
  };
}

function checkPorts(programs: readonly SidecarContainer[], taken: readonly number[]): void {
  for (const { name, ports = [] } of programs)
    for (const { containerPort } of ports)
      if (taken.includes(containerPort))
        throw new SidecarError(
          'PORT_TAKEN',
          `container ${name} uses port ${containerPort} itself: give the proxy another`,
        );
}

/** A list with an item in it, in place of the one of that name. */
function put<T extends Named>(items: readonly T[] | undefined, item: T): readonly T[] {
  const rest = items ?? [];
  return rest.some(({ name }) => name === item.name)
    ? rest.map((each) => (each.name === item.name ? item : each))
    : [...rest, item];
}
