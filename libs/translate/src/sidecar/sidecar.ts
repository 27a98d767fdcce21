import type { JsonObject } from '@capstan/meta';
import type { ContainerPort, Named } from './pod.js';

/** How the container is called wherever it runs. */
export const SIDECAR_NAME = 'kube-apiserver-proxy';

/** What may differ between pods. */
export interface SidecarOptions {
  readonly image: string;
  /**
   * An init container that always restarts, for servers from 1.29 on ({@link hasNativeSidecars}): the kubelet starts the
   * others once it serves, and ends it when they have ended. Else a container that orders nothing and drains by itself.
   */
  readonly native: boolean;
  /** Where containers of the pod reach the proxy. Default: 8080. */
  readonly port?: number | undefined;
  /** Where probes and scrapers reach it. Default: 8081. */
  readonly healthPort?: number | undefined;
  /** Groups outside of Cluster API's, as the proxy's `--group-pair` takes them. */
  readonly groupPairs?: readonly string[] | undefined;
  /** Groups that are left as they are, as the proxy's `--shared-group` takes them. */
  readonly sharedGroups?: readonly string[] | undefined;
  /** What `/readyz/translation` reads, as the proxy's `--readyz-resource` takes it. */
  readonly readyzResource?: string | undefined;
  /** How long a container that is no native sidecar serves on after it is asked to end. Default: 25. */
  readonly drainSeconds?: number | undefined;
  /** Its ports are those of the node: both are declared, so that the scheduler keeps pods apart. */
  readonly isOnHostNetwork?: boolean | undefined;
}

/** What a pod gets so that its containers connect through a proxy. */
export interface Sidecar {
  /** Of the pod: the kubeconfig is one of them, so that a pod needs no ConfigMap. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly container: JsonObject & { readonly name: string; readonly ports: readonly SidecarPort[] };
  /** Of the pod. */
  readonly volume: JsonObject & { readonly name: string };
  /** Of each container that is to use the proxy. */
  readonly env: { readonly name: string; readonly value: string };
  readonly volumeMount: { readonly name: string; readonly mountPath: string; readonly readOnly: boolean };
}

/** A port that no other container of the pod can have. */
export interface SidecarPort extends ContainerPort {
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: string;
}

/** Annotation of a pod: the kubeconfig that leads to its proxy. */
export const KUBECONFIG_ANNOTATION = 'hypershift.openshift.io/kube-apiserver-proxy-kubeconfig';
/** The port of probes and metrics. */
export const HEALTH_PORT_NAME = 'proxy-health';
const VOLUME = 'kube-apiserver-proxy-kubeconfig';
const TOKEN_VOLUME = 'kube-apiserver-proxy-token';
/** Volumes that only a proxy has. */
export const SIDECAR_VOLUMES: ReadonlySet<string> = new Set([VOLUME, TOKEN_VOLUME]);
const FOLDER = '/etc/kube-apiserver-proxy';
const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const FILE = 'kubeconfig';
/** Path of the kubeconfig that leads to the proxy, for components that take it by a flag. */
export const SIDECAR_KUBECONFIG = `${FOLDER}/${FILE}`;
const DEFAULT_PORT = 8080;
const DEFAULT_HEALTH_PORT = 8081;
/** As long as the proxy itself waits for the server before it reports that it is not ready. */
const PROBE_SECONDS = 5;
/** It starts in one second; on a node without time it takes longer. */
const STARTUP_TRIES = 60;
const DRAIN_SECONDS = 25;
/** The first minor version of Kubernetes whose API server and kubelets know native sidecars without a feature gate. */
const NATIVE_MINOR = 29;
/** Heap of JavaScript objects; bodies of requests and responses are outside of it. */
const HEAP_MIB = 96;
/** What passes through dies young, and what V8 takes for it while it starts it never gives back. */
const YOUNG_MIB = 1;
/** Most of a response that is held whole; it exists three times while it is translated. */
const HELD_MIB = 48;

/**
 * Whether a server, as its `/version` describes it, and the nodes that may run the pod start and end sidecars in order.
 * Kubelets may be three minor versions older than their server; one that knows no native sidecars waits for their end.
 */
export function hasNativeSidecars(
  { major, minor }: { readonly major: string; readonly minor: string },
  kubeletVersions: readonly string[] = [],
): boolean {
  return [`${major}.${minor}`, ...kubeletVersions].every((version) => {
    const [, found = '', of = ''] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
    return Number(found) > 1 || (found === '1' && Number(of) >= NATIVE_MINOR);
  });
}

/** The container of a proxy, and what the other containers need to find it. */
export function proxySidecar(options: SidecarOptions): Sidecar {
  const { port = DEFAULT_PORT } = options;
  const items = [
    { path: FILE, fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${KUBECONFIG_ANNOTATION}']` } },
  ];
  return {
    annotations: { [KUBECONFIG_ANNOTATION]: kubeconfigOf(port) },
    container: container(options),
    volume: { name: VOLUME, downwardAPI: { items } },
    env: { name: 'KUBECONFIG', value: SIDECAR_KUBECONFIG },
    volumeMount: { name: VOLUME, mountPath: FOLDER, readOnly: true },
  };
}

function container(options: SidecarOptions): Sidecar['container'] {
  const { healthPort = DEFAULT_HEALTH_PORT, image, native, port = DEFAULT_PORT } = options;
  return {
    name: SIDECAR_NAME,
    image,
    command: ['capstan'],
    args: argsOf(options, port, healthPort),
    env: [
      { name: 'NODE_OPTIONS', value: `--max-old-space-size=${HEAP_MIB} --max-semi-space-size=${YOUNG_MIB}` },
      // Each thread that allocates would keep memory of its own.
      { name: 'MALLOC_ARENA_MAX', value: '1' },
    ],
    ports: [
      ...(options.isOnHostNetwork === true ? [{ name: 'proxy', containerPort: port, protocol: 'TCP' }] : []),
      // Names of ports are unique in a pod, and its other containers may well have called one of theirs metrics.
      { name: HEALTH_PORT_NAME, containerPort: healthPort, protocol: 'TCP' },
    ],
    startupProbe: { ...probe('/healthz'), periodSeconds: 1, failureThreshold: STARTUP_TRIES },
    livenessProbe: { ...probe('/healthz'), periodSeconds: 10 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(native ? { restartPolicy: 'Always' } : {}),
  };
}

function argsOf(options: SidecarOptions, port: number, healthPort: number): readonly string[] {
  const { drainSeconds = DRAIN_SECONDS, groupPairs = [], native, readyzResource, sharedGroups = [] } = options;
  return [
    'proxy',
    `--listen=127.0.0.1:${port}`,
    // Kubelets and scrapers come from outside of the pod.
    `--health-listen=0.0.0.0:${healthPort}`,
    `--held-response-limit=${HELD_MIB}`,
    ...groupPairs.map((pair) => `--group-pair=${pair}`),
    ...sharedGroups.map((group) => `--shared-group=${group}`),
    ...(readyzResource === undefined ? [] : [`--readyz-resource=${readyzResource}`]),
    // All containers are asked to end at once: it serves on until its clients are gone, who give back their leases.
    ...(native ? [] : [`--linger-timeout=${drainSeconds}s`]),
  ];
}

function probe(path: string): JsonObject {
  return { httpGet: { path, port: HEALTH_PORT_NAME }, timeoutSeconds: PROBE_SECONDS };
}

/** Without a user: the proxy asks under its own name. As JSON, which every reader of kubeconfigs takes. */
function kubeconfigOf(port: number): string {
  const name = SIDECAR_NAME;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

/** Where the proxy of a pod that mounts no token has its own. */
export const TOKEN_MOUNT = { name: TOKEN_VOLUME, mountPath: TOKEN_FOLDER, readOnly: true };

/** What the kubelet gives every pod that does not refuse it. */
export function tokenVolume(): Named {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  return {
    name: TOKEN_VOLUME,
    projected: {
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [namespace] } },
      ],
    },
  };
}
