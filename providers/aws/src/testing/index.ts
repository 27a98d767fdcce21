import type { HostingExamples } from '@capstan/provider/testing';

const ROLE = 'arn:aws:iam::123456789012:role/example';

const LEAST = {
  region: 'us-east-1',
  rolesRef: {
    controlPlaneOperatorARN: `${ROLE}-control-plane-operator`,
    imageRegistryARN: `${ROLE}-image-registry`,
    ingressARN: `${ROLE}-ingress`,
    kubeCloudControllerARN: `${ROLE}-cloud-controller`,
    networkARN: `${ROLE}-network`,
    nodePoolManagementARN: `${ROLE}-node-pool`,
    storageARN: `${ROLE}-storage`,
  },
};

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [
    LEAST,
    {
      ...LEAST,
      additionalAllowedPrincipals: [ROLE],
      cloudProviderConfig: { vpc: 'vpc-1', zone: 'us-east-1a', subnet: { id: 'subnet-1' } },
      endpointAccess: 'PublicAndPrivate',
      multiArch: true,
      resourceTags: [{ key: 'team', value: 'fleet', overridePolicy: 'Allow' }],
      serviceEndpoints: [{ name: 'ec2', url: 'https://ec2.example.com' }],
      sharedVPC: {
        localZoneID: 'Z0123456789',
        rolesRef: { controlPlaneARN: `${ROLE}-shared`, ingressARN: `${ROLE}-shared-ingress` },
      },
      terminationHandlerQueueURL: 'https://sqs.us-east-1.amazonaws.com/123456789012/queue',
    },
    { ...LEAST, cloudProviderConfig: { vpc: 'vpc-1', subnet: { filters: [{ name: 'tag:a', values: ['b'] }] } } },
  ],
  pools: [
    { instanceType: 'm5.large', subnet: { id: 'subnet-1' } },
    {
      ami: 'ami-1',
      instanceProfile: 'profile',
      instanceType: 'm5.large',
      placement: { tenancy: 'dedicated', capacityReservation: { id: 'cr-0123456789abcdef0', marketType: 'OnDemand' } },
      resourceTags: [{ key: 'pool', value: 'workers' }],
      rootVolume: { size: 64, type: 'io1', iops: 1000, encrypted: true, encryptionKey: 'key' },
      securityGroups: [{ id: 'sg-1' }, { filters: [{ name: 'tag:a', values: ['b'] }] }],
      subnet: { filters: [{ name: 'tag:a', values: ['b'] }] },
    },
    {
      imageType: 'Linux',
      instanceType: 'm5.large',
      subnet: { id: 'subnet-1' },
      placement: { marketType: 'Spot', spot: { maxPrice: '0.1' } },
    },
    {
      instanceType: 'm5.large',
      subnet: { id: 'subnet-1' },
      placement: { capacityReservation: { preference: 'CapacityReservationsOnly' } },
    },
  ],
  secrets: [],
  bootImages: {
    architectures: {
      x86_64: {
        images: { aws: { regions: { 'us-east-1': { release: '9.6', image: 'ami-linux' } } } },
        'rhel-coreos-extensions': { 'aws-winli': { regions: { 'us-east-1': { image: 'ami-windows' } } } },
      },
    },
  },
  createFlags: { 'account-id': '123456789012', 'subnet-id': 'subnet-1', 'vpc-id': 'vpc-1' },
};
export { conversionContext, conversionExamples } from './conversion-examples.js';
export { conversionMachines } from './conversion-machines.js';
