/** Mirrors standard CustomResourceDefinitions as private CRDs. */
export { standardAdmission } from './admission.js';
export type { StandardAdmission } from './admission.js';
export { INJECT_CA_ANNOTATION, readSourceWebhook, shimStanza, SOURCE_WEBHOOK_ANNOTATION } from './conversion.js';
export type { ShimService, ConversionTarget, WebhookClientConfig, WebhookService } from './conversion.js';
export { isStandardName, mirrorDefinition } from './definition.js';
export type { Mirrored, MirrorOptions } from './definition.js';
export { MirrorError } from './errors.js';
export type { MirrorErrorCode } from './errors.js';
export { printJson, printYaml } from './print.js';
export { readObjects } from './source.js';
export type { SourceObject } from './source.js';
