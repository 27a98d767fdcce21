import type { HostingExamples } from '@capstan/provider/testing';

const PROJECT = 'fleet-project';
const email = (name: string): string => `fleet-${name}@${PROJECT}.iam.gserviceaccount.com`;

const LEAST = {
  project: PROJECT,
  region: 'us-central1',
  networkConfig: { network: { name: 'net' }, privateServiceConnectSubnet: { name: 'psc' } },
  workloadIdentity: {
    projectNumber: '123456789012',
    poolID: 'fleet-pool',
    providerID: 'fleet-provider',
    serviceAccountsEmails: {
      cloudController: email('cloud'),
      controlPlane: email('control'),
      imageRegistry: email('registry'),
      network: email('network'),
      nodePool: email('nodes'),
      storage: email('storage'),
    },
  },
};

const POOL = { machineType: 'n2-standard-4', subnet: 'nodes', zone: 'us-central1-a' };

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [
    LEAST,
    { ...LEAST, endpointAccess: 'PublicAndPrivate', resourceLabels: [{ key: 'team', value: 'fleet' }] },
  ],
  pools: [
    POOL,
    {
      ...POOL,
      image: 'projects/p/global/images/i',
      bootDisk: {
        diskSizeGB: 100,
        diskType: 'pd-ssd',
        encryptionKey: { kmsKeyName: `projects/${PROJECT}/locations/us/keyRings/ring/cryptoKeys/key` },
      },
      networkTags: ['workers'],
      onHostMaintenance: 'TERMINATE',
      provisioningModel: 'Spot',
      resourceLabels: [{ key: 'pool', value: 'workers' }],
      serviceAccount: { email: email('worker'), scopes: ['https://www.googleapis.com/auth/cloud-platform'] },
    },
    { ...POOL, provisioningModel: 'Preemptible', serviceAccount: {} },
  ],
  secrets: [],
  bootImages: { architectures: { x86_64: { images: { gcp: { project: 'rhcos-cloud', name: 'rhcos-422' } } } } },
  createFlags: {
    project: PROJECT,
    network: 'net',
    'private-service-connect-subnet': 'psc',
    'workload-identity-project-number': '123456789012',
    'workload-identity-pool-id': 'fleet-pool',
    'workload-identity-provider-id': 'fleet-provider',
    'service-account-prefix': 'fleet',
    subnet: 'nodes',
  },
};

export { conversionContext, conversionExamples } from './conversion-examples.js';
export { conversionMachines } from './machines.js';
