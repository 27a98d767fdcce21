import type { JsonObject } from '@capstan/meta';
import { withoutUndefined } from '@capstan/provider';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';

const NEEDED = [
  'project',
  'network',
  'private-service-connect-subnet',
  'workload-identity-project-number',
  'workload-identity-pool-id',
  'workload-identity-provider-id',
];

/** Fields of the accounts, and how the account of each is named after the infrastructure. */
const ACCOUNTS = {
  nodePool: 'nodepool-mgmt',
  controlPlane: 'ctrlplane-op',
  cloudController: 'cloud-controller',
  storage: 'gcp-pd-csi',
  imageRegistry: 'image-registry',
  network: 'cloud-network',
} as const;

function emailsOf({ flags, infraID }: CreateRequest): JsonObject {
  const prefix = flags['service-account-prefix'] ?? infraID;
  return Object.fromEntries(
    Object.entries(ACCOUNTS).map(([field, suffix]) => {
      // Names of accounts are short: what is too long would be refused.
      const account = `${prefix}-${suffix}`.slice(0, 30).replace(/-+$/, '');
      return [field, `${account}@${flags['project'] ?? ''}.iam.gserviceaccount.com`];
    }),
  );
}

function cluster(request: CreateRequest): ReturnType<CreateOptions['cluster']> {
  const { flags } = request;
  const missing: Problem[] = NEEDED.filter((flag) => flags[flag] === undefined).map((flag) => ({
    path: `--${flag}`,
    message: `a cluster on this platform needs --${flag}`,
  }));
  if (missing.length > 0) return missing;
  return {
    settings: withoutUndefined({
      project: flags['project'],
      region: flags['region'],
      endpointAccess: flags['endpoint-access'],
      networkConfig: {
        network: { name: flags['network'] },
        privateServiceConnectSubnet: { name: flags['private-service-connect-subnet'] },
      },
      workloadIdentity: {
        projectNumber: flags['workload-identity-project-number'],
        poolID: flags['workload-identity-pool-id'],
        providerID: flags['workload-identity-provider-id'],
        serviceAccountsEmails: emailsOf(request),
      },
    }),
    objects: [],
    publishing: { apiServer: 'Route', others: 'Route' },
    spec: withoutUndefined({ issuerURL: flags['oidc-issuer-url'] }),
  };
}

function nodePool({ flags }: CreateRequest): JsonObject | readonly Problem[] {
  const subnet = flags['subnet'] ?? flags['private-service-connect-subnet'];
  if (subnet === undefined) return [{ path: '--subnet', message: 'say in which subnet the machines are to be' }];
  return withoutUndefined({
    machineType: flags['machine-type'],
    zone: flags['zone'] ?? `${flags['region'] ?? 'us-central1'}-a`,
    subnet,
    image: flags['boot-image'],
  });
}

/** `create cluster gcp` and `create nodepool gcp`. */
export const create: CreateOptions = {
  clusterFlags: [
    { name: 'project', value: '<project>', help: 'project of the infrastructure', isRequired: true },
    { name: 'region', value: '<region>', help: 'region of the infrastructure', default: 'us-central1' },
    { name: 'network', value: '<name>', help: 'VPC network of the machines', isRequired: true },
    {
      name: 'private-service-connect-subnet',
      value: '<name>',
      help: 'subnet through which the control plane is reached',
      isRequired: true,
    },
    { name: 'workload-identity-project-number', value: '<number>', help: 'number of the project', isRequired: true },
    { name: 'workload-identity-pool-id', value: '<id>', help: 'pool of identities', isRequired: true },
    { name: 'workload-identity-provider-id', value: '<id>', help: 'provider of that pool', isRequired: true },
    { name: 'service-account-prefix', value: '<prefix>', help: 'what accounts begin with; default the infra id' },
    { name: 'endpoint-access', value: '<access>', help: 'Private or PublicAndPrivate', default: 'Private' },
    { name: 'oidc-issuer-url', value: '<url>', help: 'issuer of service account tokens' },
  ],
  nodePoolFlags: [
    { name: 'machine-type', value: '<type>', help: 'type of the machines', default: 'n2-standard-4' },
    { name: 'zone', value: '<zone>', help: 'zone of the machines; default the first of the region' },
    {
      name: 'subnet',
      value: '<name>',
      help: 'subnet of the machines',
      isRequired: true,
      unless: 'private-service-connect-subnet',
    },
    { name: 'boot-image', value: '<image>', help: 'image of the machines; default that of the release' },
  ],
  cluster,
  nodePool,
};
