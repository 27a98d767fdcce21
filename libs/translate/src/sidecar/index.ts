/** Pods whose programs reach private groups under their standard names. */
export { SidecarError } from './errors.js';
export type { SidecarErrorCode } from './errors.js';
export { proxyKubeconfig, PROXY_KUBECONFIG_FILE, PROXY_PORT } from './kubeconfig.js';
export type { ProxyKubeconfigOptions } from './kubeconfig.js';
export { PROXY_CONTAINER, withProxySidecar } from './pod.js';
export type { PodSpec, ProxySidecar, SidecarContainer } from './pod.js';
