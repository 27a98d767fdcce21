/** The platform's part of machines: the fields below `providerSpec.value` and `providerStatus`. */
export { awsProviderSpecFields, awsProviderStatusFields } from './aws.js';
export { azureProviderSpecFields, azureProviderStatusFields } from './azure.js';
export { baremetalProviderSpecFields, baremetalProviderStatusFields } from './baremetal.js';
export { gcpProviderSpecFields, gcpProviderStatusFields } from './gcp.js';
export { nutanixProviderSpecFields, nutanixProviderStatusFields } from './nutanix.js';
export { openstackProviderSpecFields } from './openstack.js';
export { powervsProviderSpecFields, powervsProviderStatusFields } from './powervs.js';
export { vsphereProviderSpecFields, vsphereProviderStatusFields } from './vsphere.js';
