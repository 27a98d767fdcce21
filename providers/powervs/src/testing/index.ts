import { opaqueSecret } from '@capstan/provider';
import type { HostingExamples } from '@capstan/provider/testing';

const CREDS = ['cloud', 'nodes', 'ingress', 'storage', 'registry'];

const LEAST = {
  accountID: '1e1f75646aef447814a6d907cc83fb3c',
  cisInstanceCRN: 'crn:v1:bluemix:public:internet-svcs:global:a/1:2::',
  region: 'dal',
  resourceGroup: 'fleet',
  serviceInstanceID: 'instance-1',
  subnet: { id: 'subnet-1' },
  vpc: { name: 'vpc', region: 'us-south' },
  zone: 'dal10',
  kubeCloudControllerCreds: { name: 'cloud' },
  nodePoolManagementCreds: { name: 'nodes' },
  ingressOperatorCloudCreds: { name: 'ingress' },
  storageOperatorCloudCreds: { name: 'storage' },
  imageRegistryOperatorCloudCreds: { name: 'registry' },
};

/** What the platform is tried with. */
export const examples: HostingExamples = {
  architecture: 'ppc64le',
  clusters: [
    LEAST,
    {
      ...LEAST,
      subnet: { name: 'subnet' },
      vpc: { name: 'vpc', region: 'us-south', subnet: 'lb', zone: 'us-south-1' },
    },
  ],
  pools: [
    { storageType: 'tier1', imageDeletePolicy: 'retain' },
    { systemType: 's922', processorType: 'shared', processors: '0.5', memoryGiB: 32, image: { id: 'image-1' } },
    { image: { name: 'image' }, processors: 2, processorType: 'dedicated' },
  ],
  secrets: CREDS.map((name) =>
    opaqueSecret('clusters', name, { 'ibm-credentials.env': 'A=b', ibmcloud_api_key: 'key' }),
  ),
  bootImages: {
    architectures: {
      ppc64le: {
        images: { powervs: { regions: { 'us-south': { release: '9.6.1', object: 'rhcos.ova.gz', bucket: 'rhcos' } } } },
      },
    },
  },
  createFlags: {
    'account-id': '1',
    'cis-instance-crn': 'crn:v1:x',
    'resource-group': 'fleet',
    'cloud-instance-id': 'instance-1',
    'subnet-id': 'subnet-1',
    vpc: 'vpc',
    'api-key-file': 'key\n',
  },
};
export { conversionContext, conversionExamples } from './conversion-examples.js';
export { conversionMachines } from './conversion-machines.js';
