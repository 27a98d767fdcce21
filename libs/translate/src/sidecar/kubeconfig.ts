import type { KubeObject } from '@capstan/meta';

/** The name of the ConfigMap and of the volume it is mounted by. */
export const KUBECONFIG_NAME = 'kube-apiserver-proxy-kubeconfig';
export const KUBECONFIG_FOLDER = '/etc/kube-apiserver-proxy';
const KEY = 'kubeconfig';

/** Where a program finds the kubeconfig, for those that want to be told by a flag. */
export const PROXY_KUBECONFIG_FILE = `${KUBECONFIG_FOLDER}/${KEY}`;

/** For whom a kubeconfig is, and where the proxy is to be found. */
export interface ProxyKubeconfigOptions {
  readonly namespace: string;
  /** Default 8080. */
  readonly port?: number | undefined;
}

/** The port a proxy listens on unless a pod needs it for something else. */
export const PROXY_PORT = 8080;

/** The ConfigMap of a port: pods of one namespace share those that are the same. */
export function kubeconfigName(port: number): string {
  return port === PROXY_PORT ? KUBECONFIG_NAME : `${KUBECONFIG_NAME}-${port}`;
}

/**
 * The ConfigMap with the kubeconfig by which programs reach the proxy beside them. It holds no secret and does not
 * depend on the pod, so it is there before any proxy is: a program that is faster than its proxy finds a port that
 * refuses it, and asks again, and not a file that is missing.
 */
export function proxyKubeconfig({ namespace, port = PROXY_PORT }: ProxyKubeconfigOptions): KubeObject {
  const name = 'kube-apiserver-proxy';
  // JSON is YAML too, and every reader of kubeconfigs takes it.
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: kubeconfigName(port), namespace },
    data: { [KEY]: `${JSON.stringify(content, undefined, 2)}\n` },
  };
}
