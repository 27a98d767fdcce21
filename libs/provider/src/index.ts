/** What the core may ask of a platform. */
export { listed } from './hosting/create.js';
export type { CreateFlag, CreateOptions, CreateRequest, CreatedCluster, CreatePublishing } from './hosting/create.js';
export { GUEST_KUBECONFIG, platformFieldManager } from './hosting/platform.js';
export type {
  ComponentContainer,
  HostingPlatform,
  ImageSource,
  InfrastructureCluster,
  MachineCapacity,
  MachineTemplate,
  NamedBy,
  NodePoolRules,
  PlatformComponent,
  PolicyRule,
  ProviderContainer,
  ProviderProgram,
} from './hosting/platform.js';
export { HostingPlatforms } from './hosting/registry.js';
export { bootImagesOf, fieldAt, textAt } from './hosting/boot-images.js';
export { copiedSecret, opaqueSecret, secretText } from './hosting/secrets.js';
export { withoutUndefined } from './hosting/without-undefined.js';
export { isAtLeast } from './hosting/versions.js';
export { hasSettings, missingSettings, settingsOf } from './hosting/settings.js';
export type { OfPlatform } from './hosting/settings.js';
export type { ControlPlaneInputs, HostedClusterInputs, NodePoolInputs, ReleaseView } from './hosting/inputs.js';
export type { Problem } from '@capstan/hosting';
export { componentTokenMinter, programTokenMinter, TOKEN_FOLDER } from './hosting/token-minter.js';
export type { MintedFor } from './hosting/token-minter.js';
export { ConversionPlatforms } from './conversion-registry.js';
export type { ConversionPlatform } from './conversion-registry.js';
