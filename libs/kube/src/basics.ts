/** What a server needs before it is anybody's client: it is ready before clients, informers and controllers are loaded. */
export { createCa, keptCa, loadCa } from './certs/certificates.js';
export { syncDirectory, writeWholeFile } from './config/whole-file.js';
export { kubeconfigText, writeKubeconfig } from './config/write.js';
export { systemClock } from './runtime/clock.js';
export { errorText } from './runtime/logger.js';
export { systemRandom } from './runtime/random.js';
