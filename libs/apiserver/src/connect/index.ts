export { podCommand, podLogs, podPortForward } from './pods.js';
export { isProxyTarget, proxy } from './proxy.js';
export type { BackendRequest } from '../verbs/backend-request.js';
export type { KubeletAddress, NodeConnector, PodAddress, PodConnector, Ways } from '../verbs/connectors.js';
