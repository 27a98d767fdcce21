/** Release images: versions and components from the payload in an OCI registry. */
export { ReleaseError } from './errors.js';
export type { ReleaseErrorReason } from './errors.js';
export { RegistryImages } from './images.js';
export type { ImageLabels, ImageProvider } from './images.js';
export type { ReleasePayload, ReleaseProvider } from './payload/payload.js';
export { BOOT_IMAGES, BUILD_VERSIONS, IMAGE_REFERENCES } from './payload/read.js';
export { RegistryReleases } from './provider.js';
export type { RegistryReleasesOptions } from './provider.js';
export { parseReference } from './registry/reference.js';
export type { ImageReference } from './registry/reference.js';
export { socketTransport } from './registry/transport.js';
export type {
  RegistryRequest,
  RegistryResponse,
  RegistryTransport,
  SocketTransportOptions,
} from './registry/transport.js';
export { activeVersions, allowedNodePoolVersions, DEFAULT_SKEW_WIDTH, skewProblem } from './version/skew.js';
export type { AllowedVersions, VersionEntry } from './version/skew.js';
export { compareVersions, minorOf, minorText, parseVersion } from './version/version.js';
export type { ReleaseVersion } from './version/version.js';
