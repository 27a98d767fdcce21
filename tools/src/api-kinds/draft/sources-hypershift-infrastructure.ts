import type { JsonSchema } from '@capstan/api/model';

import type { Derivation } from './derive.js';
import type { Addition, DraftGroup, DraftKind } from './sources.js';
import { hypershiftFile, hypershiftModule } from './sources-hypershift.js';

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });

const conditions: JsonSchema = {
  type: 'array',
  maxItems: 100,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: {
        type: 'string',
        maxLength: 1024,
        minLength: 1,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
    },
  },
};

const clusterStatus: JsonSchema = {
  type: 'object',
  required: ['ready'],
  properties: {
    apiEndpoint: {
      type: 'object',
      required: ['host', 'port'],
      properties: {
        host: text(255),
        port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 },
      },
    },
    conditions,
    ready: { type: 'boolean' },
  },
};

const nodePoolStatus: JsonSchema = {
  type: 'object',
  required: ['ready'],
  properties: {
    conditions,
    machineTemplateRef: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: Object.fromEntries(
        ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'].map((name) => [
          name,
          { type: 'string' },
        ]),
      ),
    },
    ready: { type: 'boolean' },
  },
};

const readyColumns = [
  { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

type Part = Partial<Pick<Derivation, 'borrowed' | 'borrowedStatus' | 'without' | 'optional' | 'columns'>> &
  Pick<DraftKind, 'additions' | 'rules'>;

/** The two kinds of a platform, whose fields HostedCluster and NodePool embed under `key`. */
function platform(name: string, key: string, cluster: Part = {}, pool: Part = {}): DraftKind[] {
  return [
    derivedKind(`Hosted${name}Cluster`, key, { file: 'hostedclusters-Hypershift', status: clusterStatus }, cluster),
    derivedKind(`${name}NodePool`, key, { file: 'nodepools', status: nodePoolStatus }, pool),
  ];
}

function derivedKind(
  kind: string,
  key: string,
  from: { readonly file: string; readonly status: JsonSchema },
  { additions = [], rules = [], ...part }: Part,
): DraftKind {
  return {
    // Of the larger feature set, because only it has every platform.
    file: hypershiftFile(`${from.file}-TechPreviewNoUpgrade`),
    derived: {
      group: 'infrastructure.hypershift.openshift.io',
      version: 'v1beta1',
      kind,
      plural: `${kind.toLowerCase()}s`,
      spec: `v1beta1.spec.platform.${key}`,
      status: from.status,
      columns: readyColumns,
      ...part,
    },
    additions,
    rules,
  };
}

const ownWords = 'a network of its own, an endpoint and a key have a form of their own';

const awsCluster: readonly Addition[] = [
  {
    path: 'v1beta1.spec.endpointAccess',
    replaces: true,
    schema: {
      type: 'object',
      properties: { type: { type: 'string', enum: ['Public', 'PublicAndPrivate', 'Private'], default: 'Public' } },
    },
    reason: ownWords,
  },
  {
    path: 'v1beta1.spec.privateLink',
    schema: { type: 'object', required: ['enabled'], properties: { enabled: { type: 'boolean' } } },
    reason: ownWords,
  },
  {
    path: 'v1beta1.spec.secretEncryption',
    schema: {
      type: 'object',
      required: ['kmsKeyARN'],
      properties: {
        backupKMSKeyARN: { ...text(2048), pattern: '^arn:' },
        kmsKeyARN: { ...text(2048), pattern: '^arn:' },
        roleARN: { ...text(2048), pattern: '^arn:' },
      },
    },
    reason: ownWords,
  },
  {
    path: 'v1beta1.spec.subnets',
    schema: {
      type: 'array',
      maxItems: 50,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: { type: 'object', required: ['id'], properties: { id: text(255), zone: text(255) } },
    },
    reason: ownWords,
  },
  {
    path: 'v1beta1.spec.vpc',
    schema: { type: 'object', required: ['id'], properties: { id: text(255) } },
    reason: ownWords,
  },
  {
    path: 'v1beta1.status.network',
    schema: {
      type: 'object',
      properties: {
        defaultWorkerSecurityGroupID: text(255),
        subnetIDs: { type: 'array', maxItems: 50, 'x-kubernetes-list-type': 'set', items: text(255) },
        vpcID: text(255),
      },
    },
    reason: ownWords,
  },
  {
    path: 'v1beta1.status.privateLink',
    schema: {
      type: 'object',
      required: ['ready'],
      properties: { ready: { type: 'boolean' }, vpcEndpointID: text(255) },
    },
    reason: ownWords,
  },
];

/** What platforms say of clusters and pools in objects of their own. */
export const hypershiftInfrastructureGroup: DraftGroup = {
  folder: 'hypershift-infrastructure',
  module: hypershiftModule,
  names: {
    'HostedAWSCluster.status.apiEndpoint': 'APIEndpoint',
    'AWSNodePool.status.machineTemplateRef': 'ObjectReference',
    'AzureNodePool.status': 'NodePoolStatus',
    'HostedAzureCluster.status': 'HostedClusterStatus',
    'HostedOpenStackCluster.spec.network': 'OpenStackNetwork',
    'HostedPowerVSCluster.spec.subnet': 'PowerVSResourceReference',
    'HostedKubeVirtCluster.spec.credentials': 'KubevirtCredentials',
    'AWSNodePool.spec.subnet.filters': 'AWSFilter',
    'HostedAzureCluster.spec.secretEncryption.activeKey': 'AzureKMSKey',
    'HostedAzureCluster.spec.azureAuthenticationConfig.managedIdentities.controlPlane.disk': 'ManagedIdentity',
  },
  kinds: [
    ...platform(
      'AWS',
      'aws',
      {
        additions: awsCluster,
        without: { cloudProviderConfig: '`vpc` and `subnets` say it' },
        optional: { rolesRef: 'a cluster may get its credentials otherwise' },
        columns: [{ name: 'Region', type: 'string', jsonPath: '.spec.region' }, ...readyColumns],
      },
      {
        additions: [
          {
            path: 'v1beta1.spec.spotMarketOptions',
            schema: {
              type: 'object',
              properties: { maxPrice: { ...text(20), pattern: '^[0-9]+(\\.[0-9]+)?$' } },
            },
            reason: 'the wish for spot instances has a place of its own',
          },
          {
            path: 'v1beta1.spec.instanceProfile',
            replaces: true,
            required: true,
            schema: text(255),
            reason: 'no pool works without one',
          },
        ],
        without: { 'placement.spot': '`spotMarketOptions` has it' },
        rules: [
          {
            path: 'v1beta1.spec.placement',
            message: "spot options can only be specified when marketType is 'Spot'",
            reason: '`spotMarketOptions` has it',
          },
        ],
        columns: [{ name: 'Type', type: 'string', jsonPath: '.spec.instanceType' }, ...readyColumns],
      },
    ),
    ...platform('Azure', 'azure', {
      borrowed: { secretEncryption: 'v1beta1.spec.secretEncryption.kms.azure' },
      columns: [{ name: 'Location', type: 'string', jsonPath: '.spec.location' }, ...readyColumns],
    }),
    ...platform(
      'KubeVirt',
      'kubevirt',
      {},
      {
        borrowedStatus: {
          cacheName: 'v1beta1.status.platform.kubeVirt.cacheName',
          credentials: 'v1beta1.status.platform.kubeVirt.credentials',
        },
      },
    ),
    ...platform('PowerVS', 'powervs', {
      columns: [{ name: 'Region', type: 'string', jsonPath: '.spec.region' }, ...readyColumns],
    }),
    ...platform('OpenStack', 'openstack'),
    ...platform('Agent', 'agent'),
  ],
};
