/** The API server over HTTP. */
export { ConnectionLost } from '../faults/faults.js';
export { podConnector } from './backend.js';
export { kubeletConnector } from './kubelet-connector.js';
export type { KubeletConnectorOptions } from './kubelet-connector.js';
export { DEFAULT_HTTP_LIMITS } from './options.js';
export type { CertificateSubject, HttpLimits, HttpOptions, HttpServer, RequestHandler, TlsOptions } from './options.js';
export { serveHttp } from './serve.js';
export { StalledReader } from './deadline.js';
export { SlowWatcher, StalledWatcher } from './watch-writer.js';
