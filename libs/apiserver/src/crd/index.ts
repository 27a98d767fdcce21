/** Custom resources: what definitions make of the server. */
export { CustomResources } from './custom-resources.js';
export type { CustomResourcesOptions } from './custom-resources.js';
export type { ConversionRequest, ConvertObjects } from './custom-view.js';
