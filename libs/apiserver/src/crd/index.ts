/** Custom resources: what CRDs make of the server. */
export { CustomResources } from './custom-resources.js';
export type { CustomResourcesOptions } from './custom-resources.js';
export type { ConversionOutcome } from './webhook-converter.js';
