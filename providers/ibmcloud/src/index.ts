/** IBM Cloud VPC: machines that Machine API alone knows. */
import type { RefusedPlatform } from '@capstan/convert/machine-api';

/** Why machines on IBM Cloud VPC are not converted. */
export const conversion: RefusedPlatform = {
  type: 'IBMCloud',
  providerSpec: {
    kind: 'IBMCloudMachineProviderSpec',
    apiVersions: ['ibmcloudproviderconfig.openshift.io/v1beta1'],
  },
  refused:
    'machines on IBM Cloud VPC cannot be converted: OpenShift does not manage machines there through Cluster API: leave them in Machine API',
};
