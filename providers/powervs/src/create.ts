import type { JsonObject, KubeObject } from '@capstan/meta';
import { opaqueSecret, withoutUndefined } from '@capstan/provider';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';
import { CREDENTIALS } from './settings.js';

const SUFFIXES: Readonly<Record<(typeof CREDENTIALS)[number], string>> = {
  kubeCloudControllerCreds: 'cloud-ctrl-creds',
  nodePoolManagementCreds: 'node-mgmt-creds',
  ingressOperatorCloudCreds: 'ingress-creds',
  storageOperatorCloudCreds: 'storage-creds',
  imageRegistryOperatorCloudCreds: 'image-registry-creds',
};

/** Flags without which there is nothing to begin with. */
const NEEDED = ['account-id', 'cis-instance-crn', 'resource-group', 'cloud-instance-id', 'subnet-id', 'vpc'];

function secretsOf({ flags, name, namespace }: CreateRequest): KubeObject[] {
  const key = (flags['api-key-file'] ?? '').trim();
  const env = `IBMCLOUD_AUTH_TYPE=iam\nIBMCLOUD_APIKEY=${key}\nIBMCLOUD_AUTH_URL=https://iam.cloud.ibm.com\n`;
  return CREDENTIALS.map((field) =>
    opaqueSecret(namespace, `${name}-${SUFFIXES[field]}`, { ibmcloud_api_key: key, 'ibm-credentials.env': env }),
  );
}

function cluster(request: CreateRequest): ReturnType<CreateOptions['cluster']> {
  const { flags, name } = request;
  const missing: Problem[] = [...NEEDED, 'api-key-file']
    .filter((flag) => flags[flag] === undefined)
    .map((flag) => ({ path: `--${flag}`, message: `a cluster on this platform needs --${flag}` }));
  if (missing.length > 0) return missing;
  const named = CREDENTIALS.map((field) => [field, { name: `${name}-${SUFFIXES[field]}` }] as const);
  return {
    settings: {
      accountID: flags['account-id'],
      cisInstanceCRN: flags['cis-instance-crn'],
      resourceGroup: flags['resource-group'],
      region: flags['region'],
      zone: flags['zone'],
      serviceInstanceID: flags['cloud-instance-id'],
      subnet: { id: flags['subnet-id'] },
      vpc: withoutUndefined({ name: flags['vpc'], region: flags['vpc-region'], subnet: flags['vpc-subnet'] }),
      ...Object.fromEntries(named),
    },
    objects: secretsOf(request),
    publishing: { apiServer: 'LoadBalancer', others: 'Route' },
    machineNetwork: '192.168.0.0/16',
  };
}

function nodePool({ flags }: CreateRequest): JsonObject {
  return withoutUndefined({
    systemType: flags['sys-type'],
    processorType: flags['proc-type'],
    processors: flags['processors'],
    memoryGiB: Number(flags['memory']),
    image: flags['image'] === undefined ? undefined : { name: flags['image'] },
  });
}

/** `create cluster powervs` and `create nodepool powervs`. */
export const create: CreateOptions = {
  clusterFlags: [
    { name: 'account-id', value: '<account>', help: 'account of the infrastructure', isRequired: true },
    { name: 'cis-instance-crn', value: '<crn>', help: 'internet services with the base domain', isRequired: true },
    { name: 'resource-group', value: '<name>', help: 'resource group of the infrastructure', isRequired: true },
    { name: 'cloud-instance-id', value: '<id>', help: 'workspace of the machines', isRequired: true },
    { name: 'subnet-id', value: '<id>', help: 'network of the machines', isRequired: true },
    { name: 'vpc', value: '<name>', help: 'VPC of load balancers', isRequired: true },
    { name: 'api-key-file', value: '<file>', help: 'file with the key of the cloud', isRequired: true, isFile: true },
    { name: 'vpc-subnet', value: '<name>', help: 'subnet of load balancers' },
    { name: 'vpc-region', value: '<region>', help: 'region of the VPC', default: 'us-south' },
    { name: 'region', value: '<region>', help: 'region of the machines', default: 'us-south' },
    { name: 'zone', value: '<zone>', help: 'zone of the machines', default: 'us-south' },
  ],
  nodePoolFlags: [
    { name: 'sys-type', value: '<type>', help: 'kind of server', default: 's922' },
    { name: 'proc-type', value: '<type>', help: 'dedicated, shared or capped processors', default: 'shared' },
    { name: 'processors', value: '<number>', help: 'processors of a machine', default: '0.5' },
    { name: 'memory', value: '<GiB>', help: 'memory of a machine', default: '32' },
    { name: 'image', value: '<name>', help: 'image of the workspace; default that of the release' },
  ],
  cluster,
  nodePool,
};
