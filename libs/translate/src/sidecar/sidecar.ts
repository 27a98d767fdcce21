import type { JsonObject } from '@capstan/meta';

/** How the container is called wherever it runs. */
export const SIDECAR_NAME = 'kube-apiserver-proxy';

/** What may differ between pods. */
export interface SidecarOptions {
  readonly image: string;
  /** Where programs of the pod reach the proxy. Default: 8080. */
  readonly port?: number | undefined;
  /** Where probes and scrapers reach it. Default: 8081. */
  readonly healthPort?: number | undefined;
  /** Groups outside of Cluster API's, as the proxy's `--group-pair` takes them. */
  readonly groupPairs?: readonly string[] | undefined;
  /** Groups that are left as they are, as the proxy's `--shared-group` takes them. */
  readonly sharedGroups?: readonly string[] | undefined;
}

/** What a pod gets so that its programs speak through a proxy. */
export interface Sidecar {
  /** Of the pod: the kubeconfig is one of them, so that a pod needs no ConfigMap. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly container: JsonObject & { readonly name: string; readonly ports: readonly SidecarPort[] };
  /** Of the pod. */
  readonly volume: JsonObject & { readonly name: string };
  /** Of each container that is to speak through the proxy. */
  readonly env: { readonly name: string; readonly value: string };
  readonly volumeMount: { readonly name: string; readonly mountPath: string; readonly readOnly: boolean };
}

/** A port that no other container of the pod can have. */
export interface SidecarPort {
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: string;
}

const ANNOTATION = 'hypershift.openshift.io/kube-apiserver-proxy-kubeconfig';
const VOLUME = 'kube-apiserver-proxy-kubeconfig';
const FOLDER = '/etc/kube-apiserver-proxy';
const FILE = 'kubeconfig';
/** Path of the kubeconfig that leads to the proxy, for components that take it by a flag. */
export const SIDECAR_KUBECONFIG = `${FOLDER}/${FILE}`;
const DEFAULT_PORT = 8080;
const DEFAULT_HEALTH_PORT = 8081;
/** As long as the proxy itself waits for the server before it reports that it is not ready. */
const PROBE_SECONDS = 5;
/** The proxy outlives the programs by this much: leases are given back, and last words written, through it. */
const OUTLIVE_SECONDS = 3;

/** The container of a proxy, and what the other containers need to find it. */
export function proxySidecar(options: SidecarOptions): Sidecar {
  const { port = DEFAULT_PORT } = options;
  const items = [{ path: FILE, fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${ANNOTATION}']` } }];
  return {
    annotations: { [ANNOTATION]: kubeconfigOf(port) },
    container: container(options),
    volume: { name: VOLUME, downwardAPI: { items } },
    env: { name: 'KUBECONFIG', value: SIDECAR_KUBECONFIG },
    volumeMount: { name: VOLUME, mountPath: FOLDER, readOnly: true },
  };
}

function container(options: SidecarOptions): Sidecar['container'] {
  const { groupPairs = [], healthPort = DEFAULT_HEALTH_PORT, image, port = DEFAULT_PORT, sharedGroups = [] } = options;
  return {
    name: SIDECAR_NAME,
    image,
    command: ['capstan'],
    args: [
      'proxy',
      `--listen=127.0.0.1:${port}`,
      // Kubelets and scrapers come from outside of the pod.
      `--health-listen=0.0.0.0:${healthPort}`,
      ...groupPairs.map((pair) => `--group-pair=${pair}`),
      ...sharedGroups.map((group) => `--shared-group=${group}`),
    ],
    // Names of ports are unique in a pod, and its programs may well have called one of theirs metrics.
    ports: [{ name: 'proxy-health', containerPort: healthPort, protocol: 'TCP' }],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 10, periodSeconds: 10 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
    lifecycle: { preStop: { sleep: { seconds: OUTLIVE_SECONDS } } },
    resources: { requests: { cpu: '10m', memory: '80Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

function probe(path: string): JsonObject {
  return { httpGet: { path, port: 'proxy-health' }, timeoutSeconds: PROBE_SECONDS };
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
