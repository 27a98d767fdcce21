import { expect, it } from 'vitest';
import { conversion } from './index.js';

it('recognises the provider spec that it refuses, and names what to do', () => {
  expect(conversion).toEqual({
    type: 'IBMCloud',
    providerSpec: {
      kind: 'IBMCloudMachineProviderSpec',
      apiVersions: ['ibmcloudproviderconfig.openshift.io/v1beta1'],
    },
    refused:
      'machines on IBM Cloud VPC cannot be converted: OpenShift does not manage machines there through Cluster API: leave them in Machine API',
  });
});
