/** Nutanix: machines in Machine API and in Cluster API. */
export { conversion } from './conversion/index.js';
