/** Release images: versions and components from the payload in an OCI registry. */
export { ReleaseError } from './errors.js';
export type { ReleaseErrorReason } from './errors.js';
export type { ReleasePayload, ReleaseProvider } from './payload.js';
