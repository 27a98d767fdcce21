/** What a server needs before it is anybody's client: it is ready before clients, informers and controllers are loaded. */
export { createAuthority, loadAuthority } from './certs/certificates.js';
export { writeKubeconfig } from './config/write.js';
export { systemClock } from './runtime/clock.js';
export { errorText } from './runtime/logger.js';
export { systemRandom } from './runtime/random.js';
