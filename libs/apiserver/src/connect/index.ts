export { podCommand, podLogs, podPortForward } from './pods.js';
export { isProxyTarget, proxy } from './proxy.js';
export type { KubeletAddress, NodeConnector, PodAddress, PodDialer, Ways } from './ways.js';
