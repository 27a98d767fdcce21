export { podCommand, podLogs, podPortForward } from './pods.js';
export { proxy } from './proxy.js';
export type { KubeletAddress, NodeConnector, PodAddress, PodDialer } from './ways.js';
