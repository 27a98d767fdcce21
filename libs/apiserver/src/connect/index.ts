export { podCommand, podLogs, podPortForward } from './pods.js';
export { isProxyTarget, proxy } from './proxy.js';
export type { BackendRequest } from './backend-request.js';
export type { KubeletAddress, NodeConnector, PodAddress, PodConnector, Ways } from './ways.js';
