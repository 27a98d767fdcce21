/** The way to an API server, and nothing else of this package: for programs that must stay small. */
export type { Connection, ServerTrust } from './config/connection.js';
export type { ClientCertificate, Credentials, CredentialSource } from './config/credentials.js';
export { ConfigError } from './config/fields.js';
export { loadConnection } from './config/load.js';
export type { LoadOptions } from './config/load.js';
export { kubeconfigText, writeKubeconfig } from './config/write.js';
export type { WriteKubeconfigOptions } from './config/write.js';
export { HealthChecks } from './health/health.js';
export { EndpointServer } from './http/endpoint-server.js';
export type { AttachServer, EndpointReply, EndpointRequest } from './http/endpoint-server.js';
export { systemClock } from './runtime/clock.js';
export { errorText } from './runtime/logger.js';
export type { Logger } from './runtime/logger.js';
export { openSocks5 } from './transport/socks5.js';
