/** Machines on bare metal in Machine API and in Cluster API. */
export { conversion } from './conversion/index.js';
