// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  condition,
  duration,
  gated,
  int32,
  int64,
  integer,
  labelSelector,
  map,
  named,
  nullable,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../model/index.js';

const apiEndpointShape = object({ host: string({ maxLength: 255 }), port: int32() });

/** A value of the shape APIEndpoint. */
export interface APIEndpoint extends Infer<typeof apiEndpointShape> {}

/** The shape APIEndpoint. */
export const apiEndpoint: Schema<APIEndpoint> = named('APIEndpoint', apiEndpointShape);

const powerVsResourceReferenceShape = object({ id: optional(string({ maxLength: 255 })), name: optional(string({ maxLength: 255 })) });

/** A value of the shape PowerVSResourceReference. */
export interface PowerVSResourceReference extends Infer<typeof powerVsResourceReferenceShape> {}

/** The shape PowerVSResourceReference. */
export const powerVsResourceReference: Schema<PowerVSResourceReference> = named('PowerVSResourceReference', powerVsResourceReferenceShape);

const tokenRuleShape = object({ expression: string({ maxLength: 1024, minLength: 1 }), message: string({ maxLength: 256, minLength: 1 }) });

/** A value of the shape TokenRule. */
export interface TokenRule extends Infer<typeof tokenRuleShape> {}

/** The shape TokenRule. */
export const tokenRule: Schema<TokenRule> = named('TokenRule', tokenRuleShape);

const awsFilterShape = object({ name: string({ maxLength: 255 }), values: array(string({ maxLength: 255 }), { maxItems: 50 }) });

/** A value of the shape AWSFilter. */
export interface AWSFilter extends Infer<typeof awsFilterShape> {}

/** The shape AWSFilter. */
export const awsFilter: Schema<AWSFilter> = named('AWSFilter', awsFilterShape);

const encryptionKeyFingerprintShape = object({
  fingerprint: string({ maxLength: 64, minLength: 1 }),
  provider: string({ enum: ['Azure', 'AWS', 'IBMCloud', 'AESCBC'] }),
});

/** A value of the shape EncryptionKeyFingerprint. */
export interface EncryptionKeyFingerprint extends Infer<typeof encryptionKeyFingerprintShape> {}

/** The shape EncryptionKeyFingerprint. */
export const encryptionKeyFingerprint: Schema<EncryptionKeyFingerprint> = named('EncryptionKeyFingerprint', encryptionKeyFingerprintShape);

const platformReferenceShape = object({
  apiVersion: string({ maxLength: 317, minLength: 1 }),
  kind: string({ maxLength: 63, minLength: 1 }),
  name: string({ maxLength: 253, minLength: 1 }),
});

/** A value of the shape PlatformReference. */
export interface PlatformReference extends Infer<typeof platformReferenceShape> {}

/** The shape PlatformReference. */
export const platformReference: Schema<PlatformReference> = named('PlatformReference', platformReferenceShape);

const imageContentSourceShape = object({
  mirrors: optional(array(string({ maxLength: 255 }), { maxItems: 255, listType: 'set' })),
  source: string({ maxLength: 255 }),
});

/** A value of the shape ImageContentSource. */
export interface ImageContentSource extends Infer<typeof imageContentSourceShape> {}

/** The shape ImageContentSource. */
export const imageContentSource: Schema<ImageContentSource> = named('ImageContentSource', imageContentSourceShape);

const azureKmsKeyShape = object({
  keyName: string({ maxLength: 255, minLength: 1 }),
  keyVaultName: string({ maxLength: 255, minLength: 1 }),
  keyVersion: string({ maxLength: 255, minLength: 1 }),
});

/** A value of the shape AzureKMSKey. */
export interface AzureKMSKey extends Infer<typeof azureKmsKeyShape> {}

/** The shape AzureKMSKey. */
export const azureKmsKey: Schema<AzureKMSKey> = named('AzureKMSKey', azureKmsKeyShape);

const releaseShape = object({
  channels: optional(array(string(), { listType: 'set' })),
  image: string(),
  url: optional(string()),
  version: string(),
});

/** A value of the shape Release. */
export interface Release extends Infer<typeof releaseShape> {}

/** The shape Release. */
export const release: Schema<Release> = named('Release', releaseShape);

const autoNodeStatusShape = object(
  {
    nodeClaimCount: optional(int32({ minimum: 0 })),
    nodeCount: optional(int32({ minimum: 0 })),
    vcpus: optional(int32({ maximum: 1000000, minimum: 0 })),
  },
  { minProperties: 1 },
);

/** A value of the shape AutoNodeStatus. */
export interface AutoNodeStatus extends Infer<typeof autoNodeStatusShape> {}

/** The shape AutoNodeStatus. */
export const autoNodeStatus: Schema<AutoNodeStatus> = named('AutoNodeStatus', autoNodeStatusShape);

const tolerationShape = object({
  effect: optional(string()),
  key: optional(string()),
  operator: optional(string()),
  tolerationSeconds: optional(int64()),
  value: optional(string()),
});

/** A value of the shape Toleration. */
export interface Toleration extends Infer<typeof tolerationShape> {}

/** The shape Toleration. */
export const toleration: Schema<Toleration> = named('Toleration', tolerationShape);

const awsResourceReferenceShape = object({ filters: optional(array(awsFilter, { maxItems: 50 })), id: optional(string({ maxLength: 255 })) });

/** A value of the shape AWSResourceReference. */
export interface AWSResourceReference extends Infer<typeof awsResourceReferenceShape> {}

/** The shape AWSResourceReference. */
export const awsResourceReference: Schema<AWSResourceReference> = named('AWSResourceReference', awsResourceReferenceShape);

const monitoringSpecShape = object(
  {
    metricsForwarding: optional(object({
      metricsSet: optional(string({ enum: ['Telemetry', 'SRE', 'All'] })),
      mode: string({ enum: ['Forward', 'None'] }),
    })),
    metricsSet: optional(string({ enum: ['Telemetry', 'SRE', 'All'] })),
  },
  { minProperties: 1 },
);

/** A value of the shape MonitoringSpec. */
export interface MonitoringSpec extends Infer<typeof monitoringSpecShape> {}

/** The shape MonitoringSpec. */
export const monitoringSpec: Schema<MonitoringSpec> = named('MonitoringSpec', monitoringSpecShape);

const updateHistoryShape = object({
  acceptedRisks: optional(string()),
  completionTime: nullable(time()),
  image: string(),
  startedTime: time(),
  state: string(),
  verified: boolean(),
  version: optional(string()),
});

/** A value of the shape UpdateHistory. */
export interface UpdateHistory extends Infer<typeof updateHistoryShape> {}

/** The shape UpdateHistory. */
export const updateHistory: Schema<UpdateHistory> = named('UpdateHistory', updateHistoryShape);

const clusterNetworkEntryShape = object({
  cidr: string({
    maxLength: 43,
    rules: [
      {
        message: 'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
        rule: "self.matches('^((\\\\d{1,3}\\\\.){3}\\\\d{1,3}/\\\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')",
      },
    ],
  }),
  hostPrefix: optional(int32()),
});

/** A value of the shape ClusterNetworkEntry. */
export interface ClusterNetworkEntry extends Infer<typeof clusterNetworkEntryShape> {}

/** The shape ClusterNetworkEntry. */
export const clusterNetworkEntry: Schema<ClusterNetworkEntry> = named('ClusterNetworkEntry', clusterNetworkEntryShape);

const controlPlaneUpdateHistoryShape = object({
  acceptedRisks: optional(string()),
  completionTime: optional(nullable(time())),
  image: string(),
  startedTime: time(),
  state: string({ enum: ['Completed', 'Partial'] }),
  verified: optional(boolean()),
  version: string(),
});

/** A value of the shape ControlPlaneUpdateHistory. */
export interface ControlPlaneUpdateHistory extends Infer<typeof controlPlaneUpdateHistoryShape> {}

/** The shape ControlPlaneUpdateHistory. */
export const controlPlaneUpdateHistory: Schema<ControlPlaneUpdateHistory> = named('ControlPlaneUpdateHistory', controlPlaneUpdateHistoryShape);

const kubevirtCredentialsShape = object({
  infraKubeConfigSecret: optional(object(
    { key: string({ maxLength: 255 }), name: string({ maxLength: 255 }) },
    { rules: [{ message: 'infraKubeConfigSecret is immutable', rule: 'self == oldSelf' }] },
  )),
  infraNamespace: string({ maxLength: 255, rules: [{ message: 'infraNamespace is immutable', rule: 'self == oldSelf' }] }),
});

/** A value of the shape KubevirtCredentials. */
export interface KubevirtCredentials extends Infer<typeof kubevirtCredentialsShape> {}

/** The shape KubevirtCredentials. */
export const kubevirtCredentials: Schema<KubevirtCredentials> = named('KubevirtCredentials', kubevirtCredentialsShape);

const ibmCloudKmsKeyShape = object({
  correlationID: string({ maxLength: 255, minLength: 1 }),
  crkID: string({ maxLength: 255, minLength: 1 }),
  instanceID: string({ maxLength: 255, minLength: 1 }),
  keyVersion: integer({ maximum: 2147483647, minimum: 0 }),
  url: string({
    maxLength: 2048,
    minLength: 1,
    rules: [{ message: "url must start with 'https://'", rule: "self.startsWith('https://')" }],
  }),
});

/** A value of the shape IBMCloudKMSKey. */
export interface IBMCloudKMSKey extends Infer<typeof ibmCloudKmsKeyShape> {}

/** The shape IBMCloudKMSKey. */
export const ibmCloudKmsKey: Schema<IBMCloudKMSKey> = named('IBMCloudKMSKey', ibmCloudKmsKeyShape);

const etcdShardResourceShape = object({
  apiGroup: string({
    maxLength: 253,
    minLength: 0,
    rules: [
      {
        message: 'apiGroup must be a valid DNS subdomain (lowercase alphanumeric, hyphens, dots)',
        rule: "self == '' || self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')",
      },
    ],
  }),
  resource: string({
    maxLength: 63,
    minLength: 1,
    rules: [
      {
        message: 'resource must be a valid DNS label (lowercase alphanumeric, hyphens)',
        rule: "self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$')",
      },
    ],
  }),
});

/** A value of the shape EtcdShardResource. */
export interface EtcdShardResource extends Infer<typeof etcdShardResourceShape> {}

/** The shape EtcdShardResource. */
export const etcdShardResource: Schema<EtcdShardResource> = named('EtcdShardResource', etcdShardResourceShape);

const diagnosticsPlacementShape = object({ nodeSelector: optional(map(string())), tolerations: optional(array(toleration, { listType: 'atomic' })) });

/** A value of the shape DiagnosticsPlacement. */
export interface DiagnosticsPlacement extends Infer<typeof diagnosticsPlacementShape> {}

/** The shape DiagnosticsPlacement. */
export const diagnosticsPlacement: Schema<DiagnosticsPlacement> = named('DiagnosticsPlacement', diagnosticsPlacementShape);

const managedIdentityShape = object({
  clientID: optional(string({
    maxLength: 36,
    minLength: 36,
    pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
    rules: [
      {
        message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
        rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
      },
    ],
  })),
  credentialsSecretName: string({ maxLength: 127, minLength: 1, pattern: '^[a-zA-Z0-9-]+$' }),
  objectEncoding: string({ enum: ['utf-8', 'hex', 'base64'] }),
});

/** A value of the shape ManagedIdentity. */
export interface ManagedIdentity extends Infer<typeof managedIdentityShape> {}

/** The shape ManagedIdentity. */
export const managedIdentity: Schema<ManagedIdentity> = named('ManagedIdentity', managedIdentityShape);

const etcdSchedulingShape = object(
  {
    nodeSelector: optional(map(string(), { maxProperties: 16, minProperties: 1 })),
    tolerations: optional(array(toleration, { maxItems: 16, minItems: 1, listType: 'atomic' })),
  },
  { minProperties: 1 },
);

/** A value of the shape EtcdScheduling. */
export interface EtcdScheduling extends Infer<typeof etcdSchedulingShape> {}

/** The shape EtcdScheduling. */
export const etcdScheduling: Schema<EtcdScheduling> = named('EtcdScheduling', etcdSchedulingShape);

const gcpResourceLabelShape = object({
  key: string({
    maxLength: 63,
    minLength: 1,
    rules: [
      {
        message: 'key must start with a lowercase letter, contain only lowercase letters, digits, underscores, or hyphens, and end with a letter or digit',
        rule: "self.matches('^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
      },
      {
        message: "Label keys starting with the reserved 'goog' prefix are not allowed",
        rule: "!self.startsWith('goog')",
      },
    ],
  }),
  value: string({
    maxLength: 63,
    minLength: 0,
    rules: [
      {
        message: 'value must be empty or start with a lowercase letter, contain only lowercase letters, digits, underscores, or hyphens, and end with a letter or digit',
        rule: "self.matches('^$|^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
      },
    ],
  }),
});

/** A value of the shape GCPResourceLabel. */
export interface GCPResourceLabel extends Infer<typeof gcpResourceLabelShape> {}

/** The shape GCPResourceLabel. */
export const gcpResourceLabel: Schema<GCPResourceLabel> = named('GCPResourceLabel', gcpResourceLabelShape);

const apiServerNetworkingShape = object({
  advertiseAddress: optional(string({ maxLength: 255, rules: [{ message: 'advertiseAddress is immutable', rule: 'self == oldSelf' }] })),
  allowedCIDRBlocks: optional(array(
    string({
      maxLength: 43,
      rules: [
        {
          message: 'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
          rule: "self.matches('^((\\\\d{1,3}\\\\.){3}\\\\d{1,3}/\\\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')",
        },
      ],
    }),
    { maxItems: 500, listType: 'set' },
  )),
  port: optional(int32({ rules: [{ message: 'port is immutable', rule: 'self == oldSelf' }] })),
});

/** A value of the shape APIServerNetworking. */
export interface APIServerNetworking extends Infer<typeof apiServerNetworkingShape> {}

/** The shape APIServerNetworking. */
export const apiServerNetworking: Schema<APIServerNetworking> = named('APIServerNetworking', apiServerNetworkingShape);

const controlPlaneVersionStatusShape = object({
  desired: release,
  history: optional(array(controlPlaneUpdateHistory, { maxItems: 50, listType: 'atomic' })),
  observedGeneration: int64(),
});

/** A value of the shape ControlPlaneVersionStatus. */
export interface ControlPlaneVersionStatus extends Infer<typeof controlPlaneVersionStatusShape> {}

/** The shape ControlPlaneVersionStatus. */
export const controlPlaneVersionStatus: Schema<ControlPlaneVersionStatus> = named('ControlPlaneVersionStatus', controlPlaneVersionStatusShape);

const subnetsShape = object(
  {
    ids: optional(array(
      string({ maxLength: 24, minLength: 24, pattern: '^subnet-[0-9A-Za-z]+$' }),
      {
        maxItems: 10,
        listType: 'atomic',
        rules: [{ message: 'subnet ids cannot contain duplicates', rule: 'self.all(x, self.exists_one(y, x == y))' }],
      },
    )),
    names: optional(array(
      string({
        maxLength: 256,
        minLength: 1,
        rules: [
          { message: 'subnet name cannot contain a comma', rule: "!self.contains(',')" },
          { message: "subnet name cannot start with 'subnet-'", rule: "!self.startsWith('subnet-')" },
        ],
      }),
      {
        maxItems: 10,
        listType: 'atomic',
        rules: [{ message: 'subnet names cannot contain duplicates', rule: 'self.all(x, self.exists_one(y, x == y))' }],
      },
    )),
  },
  {
    rules: [
      {
        message: 'the total number of subnets cannot exceed 10',
        rule: 'has(self.ids) && has(self.names) ? size(self.ids + self.names) <= 10 : true',
      },
      {
        message: 'must specify at least 1 subnet name or id',
        rule: 'has(self.ids) && self.ids.size() > 0 || has(self.names) && self.names.size() > 0',
      },
    ],
  },
);

/** A value of the shape Subnets. */
export interface Subnets extends Infer<typeof subnetsShape> {}

/** The shape Subnets. */
export const subnets: Schema<Subnets> = named('Subnets', subnetsShape);

const dnsSpecShape = object({
  baseDomain: string({
    maxLength: 253,
    rules: [
      {
        message: 'baseDomain must be a valid domain name (e.g., example, example.com, sub.example.com)',
        rule: 'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$\')',
      },
      { message: 'baseDomain is immutable', rule: 'oldSelf == "" || self == oldSelf' },
    ],
  }),
  baseDomainPrefix: optional(string({
    maxLength: 253,
    rules: [
      {
        message: 'baseDomainPrefix must be a valid domain name (e.g., example, example.com, sub.example.com)',
        rule: 'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$\')',
      },
      { message: 'baseDomainPrefix is immutable', rule: 'self == oldSelf' },
    ],
  })),
  privateZoneID: optional(string({
    maxLength: 265,
    minLength: 1,
    rules: [{ message: 'privateZoneID is immutable', rule: 'oldSelf == "" || self == oldSelf' }],
  })),
  publicZoneID: optional(string({
    maxLength: 258,
    minLength: 1,
    rules: [{ message: 'publicZoneID is immutable', rule: 'oldSelf == "" || self == oldSelf' }],
  })),
});

/** A value of the shape DNSSpec. */
export interface DNSSpec extends Infer<typeof dnsSpecShape> {}

/** The shape DNSSpec. */
export const dnsSpec: Schema<DNSSpec> = named('DNSSpec', dnsSpecShape);

const openStackNetworkShape = object(
  {
    filter: optional(object(
      {
        description: optional(string({ maxLength: 255 })),
        name: optional(string({ maxLength: 255 })),
        notTags: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
        notTagsAny: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
        projectID: optional(string({ maxLength: 255 })),
        tags: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
        tagsAny: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
      },
      { minProperties: 1 },
    )),
    id: optional(string({ format: 'uuid', maxLength: 36 })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape OpenStackNetwork. */
export interface OpenStackNetwork extends Infer<typeof openStackNetworkShape> {}

/** The shape OpenStackNetwork. */
export const openStackNetwork: Schema<OpenStackNetwork> = named('OpenStackNetwork', openStackNetworkShape);

const capabilitiesShape = object(
  {
    disabled: optional(array(
      string({
        enum: ['ImageRegistry', 'openshift-samples', 'Insights', 'baremetal', 'Console', 'NodeTuning', 'Ingress'],
      }),
      {
        maxItems: 25,
        listType: 'atomic',
        rules: [
          {
            message: 'Disabled is immutable. Changes might result in unpredictable and disruptive behavior.',
            rule: 'self == oldSelf',
          },
          {
            message: 'Ingress capability can only be disabled if Console capability is also disabled',
            rule: "!self.exists(cap, cap == 'Ingress') || self.exists(cap, cap == 'Console')",
          },
        ],
      },
    )),
    enabled: optional(array(
      string({
        enum: ['ImageRegistry', 'openshift-samples', 'Insights', 'baremetal', 'Console', 'NodeTuning', 'Ingress'],
      }),
      {
        maxItems: 25,
        listType: 'atomic',
        rules: [
          {
            message: 'Enabled is immutable. Changes might result in unpredictable and disruptive behavior.',
            rule: 'self == oldSelf',
          },
        ],
      },
    )),
  },
  {
    default: {},
    rules: [
      {
        message: 'Capabilities is immutable. Changes might result in unpredictable and disruptive behavior.',
        rule: 'self == oldSelf',
      },
      {
        message: 'Capabilities can not be both enabled and disabled at once.',
        rule: 'has(self.enabled) && has(self.disabled) ? self.enabled.all(e, !(e in self.disabled)) : true',
      },
    ],
  },
);

/** A value of the shape Capabilities. */
export interface Capabilities extends Infer<typeof capabilitiesShape> {}

/** The shape Capabilities. */
export const capabilities: Schema<Capabilities> = named('Capabilities', capabilitiesShape);

const powerVsPlatformShape = object({
  accountID: string({ maxLength: 255 }),
  cisInstanceCRN: string({ maxLength: 255, pattern: '^crn:' }),
  imageRegistryOperatorCloudCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  ingressOperatorCloudCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  kubeCloudControllerCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  nodePoolManagementCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  region: string({ maxLength: 255 }),
  resourceGroup: string({ maxLength: 255 }),
  serviceInstanceID: string({ maxLength: 255 }),
  storageOperatorCloudCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  subnet: powerVsResourceReference,
  vpc: object({
    name: string({ maxLength: 255 }),
    region: string({ maxLength: 255 }),
    subnet: optional(string({ maxLength: 255 })),
    zone: optional(string({ maxLength: 255 })),
  }),
  zone: string({ maxLength: 255 }),
});

/** A value of the shape PowerVSPlatform. */
export interface PowerVSPlatform extends Infer<typeof powerVsPlatformShape> {}

/** The shape PowerVSPlatform. */
export const powerVsPlatform: Schema<PowerVSPlatform> = named('PowerVSPlatform', powerVsPlatformShape);

const conditionalUpdateShape = object({
  conditions: optional(array(condition, { listMapKeys: ['type'], listType: 'map' })),
  release: release,
  risks: array(
    object({
      matchingRules: array(
        object({ promql: optional(object({ promql: string() })), type: string({ enum: ['Always', 'PromQL'] }) }),
        { minItems: 1, listType: 'atomic' },
      ),
      message: string({ minLength: 1 }),
      name: string({ minLength: 1 }),
      url: string({ format: 'uri', minLength: 1 }),
    }),
    { maxItems: 200, minItems: 1, listMapKeys: ['name'], listType: 'map' },
  ),
});

/** A value of the shape ConditionalUpdate. */
export interface ConditionalUpdate extends Infer<typeof conditionalUpdateShape> {}

/** The shape ConditionalUpdate. */
export const conditionalUpdate: Schema<ConditionalUpdate> = named('ConditionalUpdate', conditionalUpdateShape);

const configurationStatusShape = object({
  authentication: optional(object({
    integratedOAuthMetadata: optional(object({ name: string() })),
    oidcClients: optional(array(
      object({
        componentName: string({ maxLength: 256, minLength: 1 }),
        componentNamespace: string({ maxLength: 63, minLength: 1 }),
        conditions: optional(array(condition, { listMapKeys: ['type'], listType: 'map' })),
        consumingUsers: optional(array(
          string({
            maxLength: 512,
            minLength: 1,
            pattern: '^system:serviceaccount:[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
          }),
          { maxItems: 5, listType: 'set' },
        )),
        currentOIDCClients: optional(array(
          object({
            clientID: string({ minLength: 1 }),
            issuerURL: string({ pattern: '^https:\\/\\/[^\\s]' }),
            oidcProviderName: string({ minLength: 1 }),
          }),
          { listMapKeys: ['issuerURL', 'clientID'], listType: 'map' },
        )),
      }),
      { maxItems: 20, listMapKeys: ['componentNamespace', 'componentName'], listType: 'map' },
    )),
  })),
});

/** A value of the shape ConfigurationStatus. */
export interface ConfigurationStatus extends Infer<typeof configurationStatusShape> {}

/** The shape ConfigurationStatus. */
export const configurationStatus: Schema<ConfigurationStatus> = named('ConfigurationStatus', configurationStatusShape);

const clusterAutoscalingShape = object(
  {
    balancingIgnoredLabels: optional(array(
      string({ maxLength: 317 }),
      {
        maxItems: 64,
        rules: [
          {
            message: 'Each balancingIgnoredLabels item must be a valid label key',
            rule: "self.all(l, l.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[a-zA-Z0-9]([a-zA-Z0-9_.-]{0,61}[a-zA-Z0-9])?$'))",
          },
        ],
      },
    )),
    expanders: optional(array(string({ enum: ['LeastWaste', 'Priority', 'Random'] }), { maxItems: 3, minItems: 1 })),
    maxFreeDifferenceRatioPercent: optional(int32({ maximum: 100, minimum: 0 })),
    maxNodeProvisionTime: optional(string({ maxLength: 100, pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$' })),
    maxNodesTotal: optional(int32({ minimum: 0 })),
    maxPodGracePeriod: optional(int32({ minimum: 0 })),
    podPriorityThreshold: optional(int32()),
    scaleDown: optional(object({
      delayAfterAddSeconds: optional(int32({ maximum: 86400, minimum: 0 })),
      delayAfterDeleteSeconds: optional(int32({ maximum: 86400, minimum: 0 })),
      delayAfterFailureSeconds: optional(int32({ maximum: 86400, minimum: 0 })),
      unneededDurationSeconds: optional(int32({ maximum: 86400, minimum: 0 })),
      utilizationThresholdPercent: optional(int32({ maximum: 100, minimum: 0 })),
    })),
    scaling: optional(string({ default: 'ScaleUpAndScaleDown', enum: ['ScaleUpOnly', 'ScaleUpAndScaleDown'] })),
  },
  {
    rules: [
      {
        message: 'scaleDown can only be set when scaling is ScaleUpAndScaleDown',
        rule: "self.scaling == 'ScaleUpAndScaleDown' ? true : !has(self.scaleDown)",
      },
    ],
  },
);

/** A value of the shape ClusterAutoscaling. */
export interface ClusterAutoscaling extends Infer<typeof clusterAutoscalingShape> {}

/** The shape ClusterAutoscaling. */
export const clusterAutoscaling: Schema<ClusterAutoscaling> = named('ClusterAutoscaling', clusterAutoscalingShape);

const encryptionKeyShape = object(
  {
    aescbc: optional(object({
      dataHash: string({ maxLength: 64, minLength: 1 }),
      secret: object({
        name: string({
          maxLength: 253,
          minLength: 1,
          rules: [
            {
              message: 'name must consist only of lowercase alphanumeric characters, hyphens, and periods. Each period-separated segment must start and end with an alphanumeric character.',
              rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
            },
          ],
        }),
      }),
    })),
    aws: optional(object({
      arn: string({
        maxLength: 2048,
        minLength: 1,
        rules: [{ message: "arn must start with 'arn:'", rule: "self.startsWith('arn:')" }],
      }),
    })),
    azure: optional(azureKmsKey),
    ibmCloud: optional(ibmCloudKmsKey),
    provider: string({ enum: ['Azure', 'AWS', 'IBMCloud', 'AESCBC'] }),
  },
  {
    rules: [
      {
        message: 'azure is required when provider is Azure, and forbidden otherwise',
        rule: "self.provider == 'Azure' ? has(self.azure) : !has(self.azure)",
      },
      {
        message: 'aws is required when provider is AWS, and forbidden otherwise',
        rule: "self.provider == 'AWS' ? has(self.aws) : !has(self.aws)",
      },
      {
        message: 'ibmCloud is required when provider is IBMCloud, and forbidden otherwise',
        rule: "self.provider == 'IBMCloud' ? has(self.ibmCloud) : !has(self.ibmCloud)",
      },
      {
        message: 'aescbc is required when provider is AESCBC, and forbidden otherwise',
        rule: "self.provider == 'AESCBC' ? has(self.aescbc) : !has(self.aescbc)",
      },
    ],
  },
);

/** A value of the shape EncryptionKey. */
export interface EncryptionKey extends Infer<typeof encryptionKeyShape> {}

/** The shape EncryptionKey. */
export const encryptionKey: Schema<EncryptionKey> = named('EncryptionKey', encryptionKeyShape);

const kubevirtPlatformShape = object(
  {
    baseDomainPassthrough: optional(boolean({ rules: [{ message: 'baseDomainPassthrough is immutable', rule: 'self == oldSelf' }] })),
    credentials: optional(kubevirtCredentials),
    generateID: optional(string({
      maxLength: 11,
      rules: [{ message: 'Kubevirt GenerateID is immutable once set', rule: 'self == oldSelf' }],
    })),
    storageDriver: optional(object(
      {
        manual: optional(object(
          {
            storageClassMapping: optional(array(
              object({
                group: optional(string({ maxLength: 255 })),
                guestStorageClassName: string({ maxLength: 255 }),
                infraStorageClassName: string({ maxLength: 255 }),
              }),
              { maxItems: 50, rules: [{ message: 'storageClassMapping is immutable', rule: 'self == oldSelf' }] },
            )),
            volumeSnapshotClassMapping: optional(array(
              object({
                group: optional(string({ maxLength: 255 })),
                guestVolumeSnapshotClassName: string({ maxLength: 255 }),
                infraVolumeSnapshotClassName: string({ maxLength: 255 }),
              }),
              {
                maxItems: 50,
                rules: [{ message: 'volumeSnapshotClassMapping is immutable', rule: 'self == oldSelf' }],
              },
            )),
          },
          { rules: [{ message: 'storageDriver.Manual is immutable', rule: 'self == oldSelf' }] },
        )),
        type: optional(string({
          default: 'Default',
          enum: ['None', 'Default', 'Manual'],
          rules: [{ message: 'storageDriver.Type is immutable', rule: 'self == oldSelf' }],
        })),
      },
      { rules: [{ message: 'storageDriver is immutable', rule: 'self == oldSelf' }] },
    )),
  },
  {
    rules: [
      { message: 'Kubevirt GenerateID is required once set', rule: '!has(oldSelf.generateID) || has(self.generateID)' },
    ],
  },
);

/** A value of the shape KubevirtPlatform. */
export interface KubevirtPlatform extends Infer<typeof kubevirtPlatformShape> {}

/** The shape KubevirtPlatform. */
export const kubevirtPlatform: Schema<KubevirtPlatform> = named('KubevirtPlatform', kubevirtPlatformShape);

const unmanagedEtcdShape = object(
  {
    endpoint: string({ maxLength: 255, pattern: '^https://' }),
    shards: gated(
      'TechPreviewNoUpgrade',
      optional(array(
        object({
          endpoint: string({
            maxLength: 267,
            minLength: 1,
            rules: [
              {
                message: 'endpoint must be a valid HTTPS URL',
                rule: "isURL(self) && url(self).getScheme() == 'https'",
              },
              { message: 'endpoint is immutable', rule: 'self == oldSelf' },
            ],
          }),
          name: string({
            maxLength: 48,
            minLength: 1,
            rules: [
              {
                message: 'name must be a valid DNS1123 label: lowercase alphanumeric with hyphens, starting and ending with an alphanumeric character',
                rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
              },
              { message: 'name is immutable', rule: 'self == oldSelf' },
            ],
          }),
          resources: array(
            etcdShardResource,
            {
              maxItems: 20,
              minItems: 1,
              listMapKeys: ['apiGroup', 'resource'],
              listType: 'map',
              rules: [{ message: 'resources are immutable', rule: 'self == oldSelf' }],
            },
          ),
        }),
        {
          maxItems: 10,
          minItems: 1,
          listMapKeys: ['name'],
          listType: 'map',
          rules: [
            {
              message: 'resources must not overlap across shards',
              rule: 'self.all(s1, self.all(s2, s1.name == s2.name || !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup == q.apiGroup && r.resource == q.resource))))',
            },
            { message: 'shards cannot be added or removed after creation', rule: 'self.size() == oldSelf.size()' },
            {
              message: 'existing shards cannot be replaced',
              rule: 'oldSelf.all(old, self.exists(cur, cur.name == old.name))',
            },
          ],
        },
      )),
    ),
    tls: object({ clientSecret: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }) }),
  },
  {
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'shards cannot be added or removed after creation',
            rule: 'has(oldSelf.shards) == has(self.shards)',
          },
        ],
      },
    },
  },
);

/** A value of the shape UnmanagedEtcd. */
export interface UnmanagedEtcd extends Infer<typeof unmanagedEtcdShape> {}

/** The shape UnmanagedEtcd. */
export const unmanagedEtcd: Schema<UnmanagedEtcd> = named('UnmanagedEtcd', unmanagedEtcdShape);

const servicePublishingShape = object({
  service: string({ enum: ['APIServer', 'OAuthServer', 'OIDC', 'Konnectivity', 'Ignition', 'OVNSbDb'] }),
  servicePublishingStrategy: object(
    {
      loadBalancer: optional(object({
        hostname: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [
            {
              message: 'hostname must be a valid domain name (e.g., example.com)',
              rule: "self.matches('^(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}$')",
            },
          ],
        })),
      })),
      nodePort: optional(object({
        address: string({
          maxLength: 253,
          minLength: 1,
          rules: [
            {
              message: 'address must be a valid hostname, IPv4, or IPv6 address',
              rule: "self.matches('^(([a-zA-Z0-9][-a-zA-Z0-9]*\\\\.)+[a-zA-Z]{2,}|localhost)$') || self.matches('^((\\\\d{1,3}\\\\.){3}\\\\d{1,3})$') || self.matches('^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$')",
            },
          ],
        }),
        port: optional(int32()),
      })),
      route: optional(object({
        hostname: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [
            {
              message: 'hostname must be a valid domain name (e.g., example.com)',
              rule: "self.matches('^(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}$')",
            },
          ],
        })),
      })),
      type: string({ enum: ['LoadBalancer', 'NodePort', 'Route', 'None', 'S3'] }),
    },
    {
      rules: [
        {
          message: 'nodePort is required when type is NodePort, and forbidden otherwise',
          rule: "self.type == 'NodePort' ? has(self.nodePort) : !has(self.nodePort)",
        },
        {
          message: 'only route is allowed when type is Route, and forbidden otherwise',
          rule: "self.type == 'Route' ? !has(self.nodePort) && !has(self.loadBalancer) : !has(self.route)",
        },
        {
          message: 'only loadBalancer is required when type is LoadBalancer, and forbidden otherwise',
          rule: "self.type == 'LoadBalancer' ? !has(self.nodePort) && !has(self.route) : !has(self.loadBalancer)",
        },
        {
          message: 'None does not allowed any configuration for loadBalancer, nodePort, or route',
          rule: "self.type == 'None' ? !has(self.nodePort) && !has(self.route) && !has(self.loadBalancer) : true",
        },
        {
          message: 'S3 does not allowed any configuration for loadBalancer, nodePort, or route',
          rule: "self.type == 'S3' ? !has(self.nodePort) && !has(self.route) && !has(self.loadBalancer) : true",
        },
      ],
    },
  ),
});

/** A value of the shape ServicePublishing. */
export interface ServicePublishing extends Infer<typeof servicePublishingShape> {}

/** The shape ServicePublishing. */
export const servicePublishing: Schema<ServicePublishing> = named('ServicePublishing', servicePublishingShape);

const awsPlatformShape = object({
  additionalAllowedPrincipals: optional(array(string({ maxLength: 255 }), { maxItems: 25 })),
  cloudProviderConfig: optional(object({
    subnet: optional(awsResourceReference),
    vpc: string({ maxLength: 255 }),
    zone: optional(string({ maxLength: 255 })),
  })),
  endpointAccess: optional(string({ default: 'Public', enum: ['Public', 'PublicAndPrivate', 'Private'] })),
  multiArch: optional(boolean({ default: false })),
  region: string({ maxLength: 255 }),
  resourceTags: optional(array(
    object({
      key: string({
        maxLength: 128,
        minLength: 1,
        rules: [
          {
            message: 'key must only contain letters, digits, and the characters _ . : / = + - @',
            rule: "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
          },
        ],
      }),
      overridePolicy: optional(string({ enum: ['Allow', 'Deny'] })),
      value: string({
        maxLength: 256,
        minLength: 1,
        rules: [
          {
            message: 'value must only contain letters, digits, and the characters _ . : / = + - @',
            rule: "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
          },
        ],
      }),
    }),
    { maxItems: 25 },
  )),
  rolesRef: object({
    controlPlaneOperatorARN: string({ maxLength: 2048 }),
    imageRegistryARN: string({ maxLength: 2048 }),
    ingressARN: string({ maxLength: 2048 }),
    kubeCloudControllerARN: string({ maxLength: 2048 }),
    networkARN: string({ maxLength: 2048 }),
    nodePoolManagementARN: string({ maxLength: 2048 }),
    storageARN: string({ maxLength: 2048 }),
  }),
  serviceEndpoints: optional(array(
    object({ name: string({ maxLength: 255 }), url: string({ maxLength: 2048, pattern: '^https://' }) }),
    { maxItems: 50 },
  )),
  sharedVPC: optional(object({
    localZoneID: string({ maxLength: 32 }),
    rolesRef: object({
      controlPlaneARN: string({ maxLength: 2048, pattern: '^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\\/.*$' }),
      ingressARN: string({ maxLength: 2048, pattern: '^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\\/.*$' }),
    }),
  })),
  terminationHandlerQueueURL: optional(string({
    maxLength: 512,
    pattern: '^https://sqs\\.[a-z0-9-]+\\.amazonaws\\.com/[0-9]{12}/[a-zA-Z0-9_-]+(\\.fifo)?$',
  })),
});

/** A value of the shape AWSPlatform. */
export interface AWSPlatform extends Infer<typeof awsPlatformShape> {}

/** The shape AWSPlatform. */
export const awsPlatform: Schema<AWSPlatform> = named('AWSPlatform', awsPlatformShape);

const clusterVersionStatusShape = object({
  availableUpdates: nullable(array(release, { maxItems: 100 })),
  conditionalUpdates: optional(array(conditionalUpdate, { maxItems: 100, listType: 'atomic' })),
  desired: release,
  history: optional(array(updateHistory)),
  observedGeneration: int64(),
});

/** A value of the shape ClusterVersionStatus. */
export interface ClusterVersionStatus extends Infer<typeof clusterVersionStatusShape> {}

/** The shape ClusterVersionStatus. */
export const clusterVersionStatus: Schema<ClusterVersionStatus> = named('ClusterVersionStatus', clusterVersionStatusShape);

const secretEncryptionShape = object({
  aescbc: optional(object({
    activeKey: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
    backupKey: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  })),
  kms: optional(object({
    aws: optional(object({
      activeKey: object({
        arn: string({
          maxLength: 2048,
          minLength: 1,
          rules: [{ message: "arn must start with 'arn:'", rule: "self.startsWith('arn:')" }],
        }),
      }),
      auth: object({ awsKms: string({ maxLength: 2048 }) }),
      backupKey: optional(object({
        arn: string({
          maxLength: 2048,
          minLength: 1,
          rules: [{ message: "arn must start with 'arn:'", rule: "self.startsWith('arn:')" }],
        }),
      })),
      region: string({ maxLength: 255 }),
    })),
    azure: optional(object(
      {
        activeKey: azureKmsKey,
        backupKey: optional(azureKmsKey),
        keyVaultAccess: optional(string({ enum: ['Public', 'Private', ''] })),
        keyVaultType: optional(string({ enum: ['KeyVault', 'ManagedHSM'] })),
        kms: optional(managedIdentity),
        workloadIdentity: optional(object({
          clientID: string({
            maxLength: 36,
            minLength: 36,
            pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
            rules: [
              {
                message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
              },
            ],
          }),
        })),
      },
      {
        rules: [
          {
            message: 'backupKey.keyVaultName must match activeKey.keyVaultName; both keys must reside in the same Key Vault',
            rule: '!has(self.backupKey) || self.backupKey.keyVaultName == self.activeKey.keyVaultName',
          },
          {
            message: 'keyVaultType is immutable',
            rule: "(has(self.keyVaultType) ? self.keyVaultType : 'KeyVault') == (has(oldSelf.keyVaultType) ? oldSelf.keyVaultType : 'KeyVault')",
          },
          {
            message: 'kms and workloadIdentity are mutually exclusive',
            rule: '!(has(self.kms) && has(self.workloadIdentity))',
          },
          {
            message: 'one of kms or workloadIdentity must be set',
            rule: 'has(self.kms) || has(self.workloadIdentity)',
          },
          { message: 'the KMS authentication mode is immutable once set', rule: 'has(self.kms) == has(oldSelf.kms)' },
        ],
      },
    )),
    ibmcloud: optional(object({
      auth: object({
        managed: optional(object({})),
        type: string({ enum: ['Managed', 'Unmanaged'] }),
        unmanaged: optional(object({ credentials: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }) })),
      }),
      keyList: array(ibmCloudKmsKey, { maxItems: 100 }),
      region: string({ maxLength: 255 }),
    })),
    provider: string({ enum: ['IBMCloud', 'AWS', 'Azure'] }),
  })),
  type: string({ enum: ['kms', 'aescbc'] }),
});

/** A value of the shape SecretEncryption. */
export interface SecretEncryption extends Infer<typeof secretEncryptionShape> {}

/** The shape SecretEncryption. */
export const secretEncryption: Schema<SecretEncryption> = named('SecretEncryption', secretEncryptionShape);

const secretEncryptionStatusShape = object(
  {
    activeKey: optional(encryptionKey),
    history: optional(array(
      object({
        completionTime: optional(time()),
        from: encryptionKeyFingerprint,
        startedTime: time(),
        state: string({ enum: ['ReadOnlyDeploy', 'WritePromote', 'Migrating', 'Completed', 'Interrupted'] }),
        to: encryptionKeyFingerprint,
      }),
      { maxItems: 5, minItems: 1, listType: 'atomic' },
    )),
    targetKey: optional(encryptionKey),
  },
  { minProperties: 1 },
);

/** A value of the shape SecretEncryptionStatus. */
export interface SecretEncryptionStatus extends Infer<typeof secretEncryptionStatusShape> {}

/** The shape SecretEncryptionStatus. */
export const secretEncryptionStatus: Schema<SecretEncryptionStatus> = named('SecretEncryptionStatus', secretEncryptionStatusShape);

const openStackPlatformShape = object({
  disableExternalNetwork: optional(boolean()),
  externalNetwork: optional(openStackNetwork),
  identityRef: object({ cloudName: string({ maxLength: 255 }), name: string({ maxLength: 255 }) }),
  ingressFloatingIP: optional(string({
    maxLength: 45,
    rules: [{ message: 'floatingIP must be a valid IPv4 or IPv6 address', rule: 'isIP(self)' }],
  })),
  managedSubnets: optional(array(
    object({
      allocationPools: optional(array(object({ end: string({ maxLength: 255 }), start: string({ maxLength: 255 }) }), { maxItems: 10 })),
      dnsNameservers: optional(array(string({ maxLength: 45 }), { maxItems: 10 })),
    }),
    { maxItems: 1, listType: 'atomic' },
  )),
  network: optional(openStackNetwork),
  networkMTU: optional(integer({ maximum: 9000, minimum: 1500 })),
  router: optional(openStackNetwork),
  subnets: optional(array(
    object(
      {
        filter: optional(object(
          {
            cidr: optional(string({ maxLength: 45 })),
            description: optional(string({ maxLength: 255 })),
            gatewayIP: optional(string({ maxLength: 45 })),
            ipVersion: optional(integer({ maximum: 2147483647, minimum: 0 })),
            ipv6AddressMode: optional(string({ maxLength: 255 })),
            ipv6RAMode: optional(string({ maxLength: 255 })),
            name: optional(string({ maxLength: 255 })),
            notTags: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
            notTagsAny: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
            projectID: optional(string({ maxLength: 255 })),
            tags: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
            tagsAny: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
          },
          { minProperties: 1 },
        )),
        id: optional(string({ format: 'uuid', maxLength: 36 })),
      },
      { maxProperties: 1, minProperties: 1 },
    ),
    { maxItems: 2, listType: 'atomic' },
  )),
  tags: optional(array(string({ maxLength: 255 }), { maxItems: 50, listType: 'set' })),
});

/** A value of the shape OpenStackPlatform. */
export interface OpenStackPlatform extends Infer<typeof openStackPlatformShape> {}

/** The shape OpenStackPlatform. */
export const openStackPlatform: Schema<OpenStackPlatform> = named('OpenStackPlatform', openStackPlatformShape);

const managedEtcdShape = object(
  {
    backup: gated(
      'TechPreviewNoUpgrade',
      optional(object(
        {
          aws: optional(object({
            kmsKeyARN: string({
              maxLength: 256,
              minLength: 1,
              rules: [
                {
                  message: 'kmsKeyARN must be a valid AWS KMS key ARN (arn:<partition>:kms:<region>:<account-id>:key/<key-id>)',
                  rule: "self.matches('^arn:(aws|aws-cn|aws-us-gov):kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+$')",
                },
              ],
            }),
          })),
          azure: optional(object({
            encryptionKeyURL: string({
              maxLength: 210,
              minLength: 1,
              rules: [
                {
                  message: 'encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL',
                  rule: "self.matches('^https://[a-zA-Z0-9-]+\\\\.(vault\\\\.(azure\\\\.net|usgovcloudapi\\\\.net|azure\\\\.cn|microsoftazure\\\\.de|sovcloud-api\\\\.fr)|managedhsm\\\\.(azure\\\\.net|usgovcloudapi\\\\.net|azure\\\\.cn|microsoftazure\\\\.de|sovcloud-api\\\\.fr))/keys/[a-zA-Z0-9-]+(/[a-zA-Z0-9]+)?$')",
                },
              ],
            }),
          })),
          platform: string({ enum: ['AWS', 'Azure'] }),
        },
        {
          rules: [
            {
              message: 'aws configuration is required when platform is AWS, and forbidden otherwise',
              rule: "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
            },
            {
              message: 'azure configuration is required when platform is Azure, and forbidden otherwise',
              rule: "self.platform == 'Azure' ? has(self.azure) : !has(self.azure)",
            },
          ],
        },
      )),
    ),
    scheduling: gated('TechPreviewNoUpgrade', optional(etcdScheduling)),
    shards: gated(
      'TechPreviewNoUpgrade',
      optional(array(
        object(
          {
            name: string({
              maxLength: 48,
              minLength: 1,
              rules: [
                {
                  message: 'name must be a valid DNS1123 label: lowercase alphanumeric with hyphens, starting and ending with an alphanumeric character',
                  rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                },
                { message: 'name is immutable', rule: 'self == oldSelf' },
              ],
            }),
            replicas: int32({ enum: [1, 3], minimum: 1, rules: [{ message: 'replicas is immutable', rule: 'self == oldSelf' }] }),
            resources: array(
              etcdShardResource,
              {
                maxItems: 20,
                minItems: 1,
                listMapKeys: ['apiGroup', 'resource'],
                listType: 'map',
                rules: [{ message: 'resources are immutable', rule: 'self == oldSelf' }],
              },
            ),
            scheduling: optional(etcdScheduling),
            storage: optional(object(
              {
                persistentVolume: optional(object(
                  {
                    storageClassName: optional(string({
                      maxLength: 253,
                      minLength: 1,
                      rules: [
                        {
                          message: 'storageClassName must be a valid DNS1123 subdomain',
                          rule: "self.matches('^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$')",
                        },
                      ],
                    })),
                  },
                  { minProperties: 1 },
                )),
                type: string({ enum: ['PersistentVolume', 'EmptyDir'] }),
              },
              {
                rules: [
                  { message: 'storage is immutable', rule: 'self == oldSelf' },
                  {
                    message: 'persistentVolume is forbidden when type is not PersistentVolume',
                    rule: "self.type == 'PersistentVolume' ? true : !has(self.persistentVolume)",
                  },
                ],
              },
            )),
          },
          {
            rules: [
              {
                message: 'storage cannot be added or removed after creation',
                rule: 'has(oldSelf.storage) == has(self.storage)',
              },
            ],
          },
        ),
        {
          maxItems: 10,
          minItems: 1,
          listMapKeys: ['name'],
          listType: 'map',
          rules: [
            {
              message: 'resources must not overlap across shards',
              rule: 'self.all(s1, self.all(s2, s1.name == s2.name || !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup == q.apiGroup && r.resource == q.resource))))',
            },
            { message: 'shards cannot be added or removed after creation', rule: 'self.size() == oldSelf.size()' },
            {
              message: 'existing shards cannot be replaced',
              rule: 'oldSelf.all(old, self.exists(cur, cur.name == old.name))',
            },
          ],
        },
      )),
    ),
    storage: object(
      {
        persistentVolume: optional(object({
          size: optional(quantity({
            default: '8Gi',
            rules: [{ message: 'Etcd PV storage size is immutable', rule: 'self == oldSelf' }],
          })),
          storageClassName: optional(string({ maxLength: 255, rules: [{ message: 'storageClassName is immutable', rule: 'self == oldSelf' }] })),
        })),
        restoreSnapshotURL: optional(array(
          string({ maxLength: 1024 }),
          {
            maxItems: 1,
            listType: 'set',
            rules: [
              { message: "RestoreSnapshotURL shouldn't contain more than 1 entry", rule: 'self.size() <= 1' },
              { message: 'restoreSnapshotURL is immutable', rule: 'self == oldSelf' },
              {
                message: 'restoreSnapshotURL must be a valid URL with scheme https or s3',
                rule: "self.size() == 0 || self[0].matches('^(https|s3)://.*')",
              },
            ],
          },
        )),
        type: string({ enum: ['PersistentVolume'] }),
      },
      {
        rules: [
          {
            message: 'restoreSnapshotURL cannot be added or removed after creation',
            rule: 'has(self.restoreSnapshotURL) == has(oldSelf.restoreSnapshotURL)',
          },
        ],
      },
    ),
  },
  {
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'shards cannot be added or removed after creation',
            rule: 'has(oldSelf.shards) == has(self.shards)',
          },
        ],
      },
    },
  },
);

/** A value of the shape ManagedEtcd. */
export interface ManagedEtcd extends Infer<typeof managedEtcdShape> {}

/** The shape ManagedEtcd. */
export const managedEtcd: Schema<ManagedEtcd> = named('ManagedEtcd', managedEtcdShape);

const gcpPlatformShape = object(
  {
    endpointAccess: optional(string({ default: 'Private', enum: ['PublicAndPrivate', 'Private'] })),
    networkConfig: object({
      network: object(
        {
          name: string({
            maxLength: 63,
            minLength: 1,
            rules: [
              {
                message: 'must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and not end with a hyphen',
                rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
              },
            ],
          }),
        },
        { rules: [{ message: 'Network is immutable', rule: 'self == oldSelf' }] },
      ),
      privateServiceConnectSubnet: object(
        {
          name: string({
            maxLength: 63,
            minLength: 1,
            rules: [
              {
                message: 'must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and not end with a hyphen',
                rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
              },
            ],
          }),
        },
        { rules: [{ message: 'Private Service Connect subnet is immutable', rule: 'self == oldSelf' }] },
      ),
    }),
    project: string({
      maxLength: 30,
      minLength: 6,
      rules: [
        {
          message: 'project must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
          rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]$')",
        },
        { message: 'Project is immutable', rule: 'self == oldSelf' },
      ],
    }),
    region: string({
      maxLength: 63,
      minLength: 1,
      rules: [
        {
          message: 'region must be a valid GCP region (e.g., us-central1, europe-west2)',
          rule: "self.matches('^[a-z]+-[a-z]+[0-9]+$')",
        },
        { message: 'Region is immutable', rule: 'self == oldSelf' },
      ],
    }),
    resourceLabels: optional(array(gcpResourceLabel, { maxItems: 60, minItems: 1, listMapKeys: ['key'], listType: 'map' })),
    workloadIdentity: object(
      {
        poolID: string({
          maxLength: 32,
          minLength: 4,
          rules: [
            {
              message: 'poolID must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
              rule: "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
            },
            { message: "Pool ID cannot start with reserved prefix 'gcp-'", rule: "!self.startsWith('gcp-')" },
            { message: 'Pool ID is immutable', rule: 'self == oldSelf' },
          ],
        }),
        projectNumber: string({
          maxLength: 25,
          minLength: 1,
          rules: [
            { message: 'projectNumber must contain only digits', rule: "self.matches('^[0-9]+$')" },
            { message: 'Project number is immutable', rule: 'self == oldSelf' },
          ],
        }),
        providerID: string({
          maxLength: 32,
          minLength: 4,
          rules: [
            {
              message: 'providerID must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and end with a letter or digit',
              rule: "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
            },
            { message: "Provider ID cannot start with reserved prefix 'gcp-'", rule: "!self.startsWith('gcp-')" },
            { message: 'Provider ID is immutable', rule: 'self == oldSelf' },
          ],
        }),
        serviceAccountsEmails: object({
          cloudController: string({
            maxLength: 85,
            minLength: 37,
            rules: [
              { message: 'CloudController is immutable', rule: 'self == oldSelf' },
              {
                message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
                rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
              },
            ],
          }),
          controlPlane: string({
            maxLength: 85,
            minLength: 37,
            rules: [
              { message: 'ControlPlane is immutable', rule: 'self == oldSelf' },
              {
                message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
                rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
              },
            ],
          }),
          imageRegistry: string({
            maxLength: 85,
            minLength: 37,
            rules: [
              { message: 'ImageRegistry is immutable', rule: 'self == oldSelf' },
              {
                message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
                rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
              },
            ],
          }),
          network: string({
            maxLength: 85,
            minLength: 37,
            rules: [
              { message: 'Network is immutable', rule: 'self == oldSelf' },
              {
                message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
                rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
              },
            ],
          }),
          nodePool: string({
            maxLength: 85,
            minLength: 37,
            rules: [
              { message: 'NodePool is immutable', rule: 'self == oldSelf' },
              {
                message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
                rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
              },
            ],
          }),
          storage: string({
            maxLength: 85,
            minLength: 37,
            rules: [
              { message: 'Storage is immutable', rule: 'self == oldSelf' },
              {
                message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
                rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
              },
            ],
          }),
        }),
      },
      { rules: [{ message: 'WorkloadIdentity is immutable', rule: 'self == oldSelf' }] },
    ),
  },
  {
    rules: [
      {
        message: 'controlPlane service account must belong to the same project',
        rule: "self.workloadIdentity.serviceAccountsEmails.controlPlane.contains('@') && self.workloadIdentity.serviceAccountsEmails.controlPlane.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
      },
      {
        message: 'nodePool service account must belong to the same project',
        rule: "self.workloadIdentity.serviceAccountsEmails.nodePool.contains('@') && self.workloadIdentity.serviceAccountsEmails.nodePool.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
      },
      {
        message: 'cloudController service account must belong to the same project',
        rule: "self.workloadIdentity.serviceAccountsEmails.cloudController.contains('@') && self.workloadIdentity.serviceAccountsEmails.cloudController.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
      },
      {
        message: 'storage service account must belong to the same project',
        rule: "self.workloadIdentity.serviceAccountsEmails.storage.contains('@') && self.workloadIdentity.serviceAccountsEmails.storage.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
      },
      {
        message: 'imageRegistry service account must belong to the same project',
        rule: "self.workloadIdentity.serviceAccountsEmails.imageRegistry.contains('@') && self.workloadIdentity.serviceAccountsEmails.imageRegistry.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
      },
      {
        message: 'network service account must belong to the same project',
        rule: "self.workloadIdentity.serviceAccountsEmails.network.endsWith('@' + self.project + '.iam.gserviceaccount.com')",
      },
    ],
  },
);

/** A value of the shape GCPPlatform. */
export interface GCPPlatform extends Infer<typeof gcpPlatformShape> {}

/** The shape GCPPlatform. */
export const gcpPlatform: Schema<GCPPlatform> = named('GCPPlatform', gcpPlatformShape);

const operatorConfigurationShape = object({
  clusterNetworkOperator: optional(object(
    {
      disableMultiNetwork: optional(boolean({ default: false, rules: [{ message: 'disableMultiNetwork is immutable', rule: 'self == oldSelf' }] })),
      ovnKubernetesConfig: optional(object(
        {
          ipv4: optional(object(
            {
              internalJoinSubnet: optional(string({
                maxLength: 18,
                minLength: 9,
                rules: [
                  {
                    message: 'Subnet must be in a valid IPv4 CIDR format (e.g., 192.168.1.1/24)',
                    rule: "self.matches('^([0-9]{1,3}\\\\.){3}[0-9]{1,3}/([0-9]|[1-2][0-9]|3[0-2])$') && self.split('/')[0].split('.').all(oct, int(oct) >= 0 && int(oct) <= 255)",
                  },
                  {
                    message: 'subnet must be in the range /0 to /30 inclusive',
                    rule: "self.matches('^.*/[0-9]+$') && int(self.split('/')[1]) <= 30",
                  },
                  {
                    message: 'first IP address octet must not be 0',
                    rule: "self.matches('^[0-9]{1,3}\\\\..*') && int(self.split('/')[0].split('.')[0]) > 0",
                  },
                ],
              })),
              internalTransitSwitchSubnet: optional(string({
                maxLength: 18,
                minLength: 9,
                rules: [
                  {
                    message: 'Subnet must be in a valid IPv4 CIDR format',
                    rule: "self.matches('^([0-9]{1,3}\\\\.){3}[0-9]{1,3}/([0-9]|[1-2][0-9]|3[0-2])$') && self.split('/')[0].split('.').all(oct, int(oct) >= 0 && int(oct) <= 255)",
                  },
                  {
                    message: 'subnet must be in the range /0 to /30 inclusive',
                    rule: "self.matches('^.*/[0-9]+$') && int(self.split('/')[1]) <= 30",
                  },
                  {
                    message: 'first IP address octet must not be 0',
                    rule: "self.matches('^[0-9]{1,3}\\\\..*') && int(self.split('/')[0].split('.')[0]) > 0",
                  },
                ],
              })),
            },
            { minProperties: 1 },
          )),
          ipv6: optional(object(
            {
              internalJoinSubnet: optional(string({
                maxLength: 48,
                minLength: 3,
                rules: [
                  {
                    message: 'Subnet must be in valid IPv6 CIDR format (e.g., fd98::/64)',
                    rule: 'isCIDR(self) && cidr(self).ip().family() == 6',
                  },
                  {
                    message: 'subnet must be in the range /0 to /125 inclusive',
                    rule: 'isCIDR(self) && cidr(self).prefixLength() <= 125',
                  },
                  { message: 'internalJoinSubnet is immutable', rule: 'self == oldSelf' },
                ],
              })),
              internalTransitSwitchSubnet: optional(string({
                maxLength: 48,
                minLength: 3,
                rules: [
                  {
                    message: 'Subnet must be in valid IPv6 CIDR format (e.g., fd97::/64)',
                    rule: 'isCIDR(self) && cidr(self).ip().family() == 6',
                  },
                  {
                    message: 'subnet must be in the range /0 to /125 inclusive',
                    rule: 'isCIDR(self) && cidr(self).prefixLength() <= 125',
                  },
                  { message: 'internalTransitSwitchSubnet is immutable', rule: 'self == oldSelf' },
                ],
              })),
            },
            { minProperties: 1 },
          )),
          mtu: optional(int32({
            maximum: 9216,
            minimum: 576,
            rules: [{ message: 'mtu is immutable once set', rule: 'self == oldSelf' }],
          })),
          v4InternalSubnet: optional(string({
            maxLength: 18,
            minLength: 9,
            rules: [
              { message: 'v4InternalSubnet is immutable once set', rule: 'self == oldSelf' },
              {
                message: 'Subnet must be in a valid IPv4 CIDR format',
                rule: 'isCIDR(self) && cidr(self).ip().family() == 4',
              },
              {
                message: 'subnet must be in the range /0 to /30 inclusive',
                rule: 'isCIDR(self) && cidr(self).prefixLength() <= 30',
              },
              {
                message: 'first IP address octet must not be 0',
                rule: "isCIDR(self) && cidr(self).ip().family() == 4 && int(self.split('.')[0]) > 0",
              },
            ],
          })),
          v6InternalSubnet: optional(string({
            maxLength: 48,
            minLength: 4,
            rules: [
              { message: 'v6InternalSubnet is immutable once set', rule: 'self == oldSelf' },
              {
                message: 'Subnet must be in valid IPv6 CIDR format',
                rule: 'isCIDR(self) && cidr(self).ip().family() == 6',
              },
              {
                message: 'subnet must be in the range /0 to /125 inclusive',
                rule: 'isCIDR(self) && cidr(self).prefixLength() <= 125',
              },
            ],
          })),
        },
        {
          minProperties: 1,
          rules: [
            {
              message: 'internalJoinSubnet and internalTransitSwitchSubnet must not be the same',
              rule: '!has(self.ipv4) || !has(self.ipv4.internalJoinSubnet) || !has(self.ipv4.internalTransitSwitchSubnet) || self.ipv4.internalJoinSubnet != self.ipv4.internalTransitSwitchSubnet',
            },
            {
              message: 'ipv6 internalJoinSubnet and internalTransitSwitchSubnet must not be the same',
              rule: '!has(self.ipv6) || !has(self.ipv6.internalJoinSubnet) || !has(self.ipv6.internalTransitSwitchSubnet) || self.ipv6.internalJoinSubnet != self.ipv6.internalTransitSwitchSubnet',
            },
            { message: 'mtu is immutable once set and cannot be removed', rule: '!has(oldSelf.mtu) || has(self.mtu)' },
            {
              message: 'ipv6 is immutable once set and cannot be removed',
              rule: '!has(oldSelf.ipv6) || has(self.ipv6)',
            },
            {
              message: 'ipv6.internalJoinSubnet cannot be removed once set',
              rule: '!has(oldSelf.ipv6) || !has(oldSelf.ipv6.internalJoinSubnet) || (has(self.ipv6) && has(self.ipv6.internalJoinSubnet))',
            },
            {
              message: 'ipv6.internalTransitSwitchSubnet cannot be removed once set',
              rule: '!has(oldSelf.ipv6) || !has(oldSelf.ipv6.internalTransitSwitchSubnet) || (has(self.ipv6) && has(self.ipv6.internalTransitSwitchSubnet))',
            },
            {
              message: 'v4InternalSubnet is immutable once set and cannot be removed',
              rule: '!has(oldSelf.v4InternalSubnet) || has(self.v4InternalSubnet)',
            },
            {
              message: 'v6InternalSubnet is immutable once set and cannot be removed',
              rule: '!has(oldSelf.v6InternalSubnet) || has(self.v6InternalSubnet)',
            },
          ],
        },
      )),
    },
    {
      rules: [
        {
          message: 'ovnKubernetesConfig is immutable once set and cannot be removed',
          rule: '!has(oldSelf.ovnKubernetesConfig) || has(self.ovnKubernetesConfig)',
        },
      ],
    },
  )),
  clusterVersionOperator: gated(
    'TechPreviewNoUpgrade',
    optional(object({
      operatorLogLevel: optional(string({ default: 'Normal', enum: ['', 'Normal', 'Debug', 'Trace', 'TraceAll'] })),
    })),
  ),
  ingressOperator: optional(object({
    endpointPublishingStrategy: optional(object(
      {
        hostNetwork: optional(object({
          httpPort: optional(int32({ default: 80, maximum: 65535, minimum: 0 })),
          httpsPort: optional(int32({ default: 443, maximum: 65535, minimum: 0 })),
          protocol: optional(string({ enum: ['', 'TCP', 'PROXY'] })),
          statsPort: optional(int32({ default: 1936, maximum: 65535, minimum: 0 })),
        })),
        loadBalancer: optional(object(
          {
            allowedSourceRanges: optional(nullable(array(
              string({
                pattern: '(^(([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])/([0-9]|[12][0-9]|3[0-2])$)|(^s*((([0-9A-Fa-f]{1,4}:){7}([0-9A-Fa-f]{1,4}|:))|(([0-9A-Fa-f]{1,4}:){6}(:[0-9A-Fa-f]{1,4}|((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3})|:))|(([0-9A-Fa-f]{1,4}:){5}(((:[0-9A-Fa-f]{1,4}){1,2})|:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3})|:))|(([0-9A-Fa-f]{1,4}:){4}(((:[0-9A-Fa-f]{1,4}){1,3})|((:[0-9A-Fa-f]{1,4})?:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){3}(((:[0-9A-Fa-f]{1,4}){1,4})|((:[0-9A-Fa-f]{1,4}){0,2}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){2}(((:[0-9A-Fa-f]{1,4}){1,5})|((:[0-9A-Fa-f]{1,4}){0,3}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){1}(((:[0-9A-Fa-f]{1,4}){1,6})|((:[0-9A-Fa-f]{1,4}){0,4}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(:(((:[0-9A-Fa-f]{1,4}){1,7})|((:[0-9A-Fa-f]{1,4}){0,5}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:)))(%.+)?s*(\\/(12[0-8]|1[0-1][0-9]|[1-9][0-9]|[0-9]))$)',
              }),
              { listType: 'atomic' },
            ))),
            dnsManagementPolicy: string({ default: 'Managed', enum: ['Managed', 'Unmanaged'] }),
            providerParameters: optional(object(
              {
                aws: optional(object({
                  classicLoadBalancer: optional(object({ connectionIdleTimeout: optional(duration()), subnets: optional(subnets) })),
                  networkLoadBalancer: optional(object(
                    {
                      eipAllocations: optional(array(
                        string({
                          maxLength: 26,
                          minLength: 26,
                          rules: [
                            {
                              message: "eipAllocations should start with 'eipalloc-'",
                              rule: "self.startsWith('eipalloc-')",
                            },
                            {
                              message: "eipAllocations must be 'eipalloc-' followed by exactly 17 hexadecimal characters (0-9, a-f, A-F)",
                              rule: 'self.split("-", 2)[1].matches(\'[0-9a-fA-F]{17}$\')',
                            },
                          ],
                        }),
                        {
                          maxItems: 10,
                          listType: 'atomic',
                          rules: [
                            {
                              message: 'eipAllocations cannot contain duplicates',
                              rule: 'self.all(x, self.exists_one(y, x == y))',
                            },
                          ],
                        },
                      )),
                      protocol: optional(string({ enum: ['TCP', 'PROXY'] })),
                      subnets: optional(subnets),
                    },
                    {
                      rules: [
                        {
                          message: 'number of subnets must be equal to number of eipAllocations',
                          rule: 'has(self.subnets) && has(self.subnets.ids) && has(self.subnets.names) && has(self.eipAllocations) ? size(self.subnets.ids + self.subnets.names) == size(self.eipAllocations) : true',
                        },
                        {
                          message: 'number of subnets must be equal to number of eipAllocations',
                          rule: 'has(self.subnets) && has(self.subnets.ids) && !has(self.subnets.names) && has(self.eipAllocations) ? size(self.subnets.ids) == size(self.eipAllocations) : true',
                        },
                        {
                          message: 'number of subnets must be equal to number of eipAllocations',
                          rule: 'has(self.subnets) && has(self.subnets.names) && !has(self.subnets.ids) && has(self.eipAllocations) ? size(self.subnets.names) == size(self.eipAllocations) : true',
                        },
                      ],
                    },
                  )),
                  type: string({ enum: ['Classic', 'NLB'] }),
                })),
                gcp: optional(object({ clientAccess: optional(string({ enum: ['Global', 'Local'] })) })),
                ibm: optional(object({ protocol: optional(string({ enum: ['', 'TCP', 'PROXY'] })) })),
                openstack: optional(object({
                  floatingIP: optional(string({
                    rules: [{ message: 'floatingIP must be a valid IPv4 or IPv6 address', rule: 'isIP(self)' }],
                  })),
                })),
                type: string({ enum: ['AWS', 'Azure', 'BareMetal', 'GCP', 'Nutanix', 'OpenStack', 'VSphere', 'IBM'] }),
              },
              {
                rules: [
                  {
                    message: 'openstack is not permitted when type is not OpenStack',
                    rule: "has(self.type) && self.type == 'OpenStack' ? true : !has(self.openstack)",
                  },
                ],
              },
            )),
            scope: string({ enum: ['Internal', 'External'] }),
          },
          {
            rules: [
              {
                message: 'eipAllocations are forbidden when the scope is Internal.',
                rule: "!has(self.scope) || self.scope != 'Internal' || !has(self.providerParameters) || !has(self.providerParameters.aws) || !has(self.providerParameters.aws.networkLoadBalancer) || !has(self.providerParameters.aws.networkLoadBalancer.eipAllocations)",
              },
              {
                message: 'cannot specify a floating ip when scope is internal',
                rule: '!has(self.scope) || self.scope != \'Internal\' || !has(self.providerParameters) || !has(self.providerParameters.openstack) || !has(self.providerParameters.openstack.floatingIP) || self.providerParameters.openstack.floatingIP == ""',
              },
            ],
          },
        )),
        nodePort: optional(object({ protocol: optional(string({ enum: ['', 'TCP', 'PROXY'] })) })),
        private: optional(object({ protocol: optional(string({ enum: ['', 'TCP', 'PROXY'] })) })),
        type: string({ enum: ['LoadBalancerService', 'HostNetwork', 'Private', 'NodePortService'] }),
      },
      { preserveUnknown: true },
    )),
  })),
});

/** A value of the shape OperatorConfiguration. */
export interface OperatorConfiguration extends Infer<typeof operatorConfigurationShape> {}

/** The shape OperatorConfiguration. */
export const operatorConfiguration: Schema<OperatorConfiguration> = named('OperatorConfiguration', operatorConfigurationShape);

const azurePlatformShape = object(
  {
    azureAuthenticationConfig: object(
      {
        azureAuthenticationConfigType: string({ enum: ['ManagedIdentities', 'WorkloadIdentities'] }),
        managedIdentities: optional(object({
          controlPlane: object({
            cloudProvider: managedIdentity,
            controlPlaneOperator: managedIdentity,
            disk: managedIdentity,
            file: managedIdentity,
            imageRegistry: optional(managedIdentity),
            ingress: managedIdentity,
            managedIdentitiesKeyVault: object({ name: string({ maxLength: 255 }), tenantID: string({ maxLength: 255 }) }),
            network: managedIdentity,
            nodePoolManagement: managedIdentity,
          }),
          dataPlane: object({
            diskMSIClientID: string({ maxLength: 255 }),
            fileMSIClientID: string({ maxLength: 255 }),
            imageRegistryMSIClientID: string({ maxLength: 255 }),
          }),
        })),
        workloadIdentities: optional(object({
          cloudProvider: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
          controlPlaneOperator: optional(object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          })),
          disk: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
          file: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
          imageRegistry: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
          ingress: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
          network: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
          nodePoolManagement: object({
            clientID: string({
              maxLength: 36,
              minLength: 36,
              pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
              rules: [
                {
                  message: 'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
                  rule: "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
                },
              ],
            }),
          }),
        })),
      },
      {
        rules: [
          {
            message: 'managedIdentities is required when azureAuthenticationConfigType is ManagedIdentities, and forbidden otherwise',
            rule: "self.azureAuthenticationConfigType == 'ManagedIdentities' ? has(self.managedIdentities) : !has(self.managedIdentities)",
          },
          {
            message: 'workloadIdentities is required when azureAuthenticationConfigType is WorkloadIdentities, and forbidden otherwise',
            rule: "self.azureAuthenticationConfigType == 'WorkloadIdentities' ? has(self.workloadIdentities) : !has(self.workloadIdentities)",
          },
        ],
      },
    ),
    cloud: optional(string({
      default: 'AzurePublicCloud',
      enum: [
        'AzurePublicCloud',
        'AzureUSGovernmentCloud',
        'AzureChinaCloud',
        'AzureGermanCloud',
        'AzureBleuCloud',
        'AzureStackCloud',
      ],
    })),
    containerRegistry: optional(object({
      credentials: object(
        {
          managedIdentity: optional(object({
            resourceID: string({
              maxLength: 345,
              minLength: 131,
              rules: [
                {
                  message: 'must be a user-assigned managed identity ARM resource ID in the format /subscriptions/{subscriptionID}/resourceGroups/{resourceGroupName}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{identityName}',
                  rule: "self.lowerAscii().matches('^/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft\\\\.managedidentity/userassignedidentities/[^/]+$')",
                },
              ],
            }),
          })),
          type: string({ enum: ['ManagedIdentity'] }),
        },
        {
          rules: [
            {
              message: 'managedIdentity is required when type is ManagedIdentity, and forbidden otherwise',
              rule: "self.type == 'ManagedIdentity' ? has(self.managedIdentity) : !has(self.managedIdentity)",
            },
          ],
        },
      ),
    })),
    location: string({ maxLength: 255, rules: [{ message: 'Location is immutable', rule: 'self == oldSelf' }] }),
    private: optional(object(
      {
        privateLink: optional(object(
          {
            additionalAllowedSubscriptions: optional(array(
              string({
                maxLength: 36,
                minLength: 36,
                rules: [
                  {
                    message: 'must be a valid UUID (e.g., 550e8400-e29b-41d4-a716-446655440000)',
                    rule: "self.matches('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')",
                  },
                ],
              }),
              { maxItems: 50, minItems: 1, listType: 'set' },
            )),
            natSubnetID: optional(string({
              maxLength: 355,
              minLength: 1,
              rules: [
                { message: 'natSubnetID is immutable once set', rule: 'self == oldSelf' },
                {
                  message: 'must be a valid Azure subnet resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/{vnet}/subnets/{subnet})',
                  rule: "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$')",
                },
              ],
            })),
          },
          { minProperties: 1 },
        )),
        swift: optional(object(
          {
            podNetworkInstance: string({
              maxLength: 63,
              minLength: 1,
              rules: [
                {
                  message: 'podNetworkInstance must be a valid DNS label: lowercase alphanumeric characters or hyphens, must start and end with an alphanumeric character',
                  rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                },
              ],
            }),
          },
          {
            rules: [
              {
                message: 'podNetworkInstance is immutable',
                rule: 'self.podNetworkInstance == oldSelf.podNetworkInstance',
              },
            ],
          },
        )),
        type: string({ enum: ['PrivateLink', 'Swift'] }),
      },
      {
        rules: [
          { message: 'type is immutable', rule: '!has(oldSelf.type) || self.type == oldSelf.type' },
          {
            message: 'privateLink is required when type is PrivateLink, and forbidden otherwise',
            rule: "self.type == 'PrivateLink' ? has(self.privateLink) : !has(self.privateLink)",
          },
          {
            message: 'swift is required when type is Swift, and forbidden otherwise',
            rule: "self.type == 'Swift' ? has(self.swift) : !has(self.swift)",
          },
        ],
      },
    )),
    resourceGroup: string({
      default: 'default',
      maxLength: 90,
      pattern: '^[a-zA-Z0-9_()\\-\\.]{1,89}[a-zA-Z0-9_()\\-]$',
      rules: [{ message: 'ResourceGroupName is immutable', rule: 'self == oldSelf' }],
    }),
    securityGroupID: string({ maxLength: 255, rules: [{ message: 'SecurityGroupID is immutable', rule: 'self == oldSelf' }] }),
    subnetID: string({
      maxLength: 355,
      minLength: 1,
      rules: [
        {
          message: 'encryptionSetID must be in the format `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/virtualNetworks/{vnetName}/subnets/{subnetName}`',
          rule: "size(self.split('/')) == 11 && self.matches('^/subscriptions/.*/resourceGroups/.*/providers/Microsoft.Network/virtualNetworks/.*/subnets/.*$')",
        },
        {
          message: 'The resourceGroupName should be between 1 and 90 characters, consisting only of alphanumeric characters, hyphens, underscores, periods and parenthesis',
          rule: "self.split('/')[4].matches('[a-zA-Z0-9-_\\\\(\\\\)\\\\.]{1,90}')",
        },
        {
          message: 'the resourceGroupName in the subnetID must not end with a period (.) character',
          rule: "!self.split('/')[4].endsWith('.')",
        },
        {
          message: 'The vnetName should be between 2 and 64 characters, consisting only of alphanumeric characters, hyphens, underscores and periods',
          rule: "self.split('/')[8].matches('[a-zA-Z0-9-_\\\\.]{2,64}')",
        },
        {
          message: 'the vnetName in the subnetID must not end with either a period (.) or hyphen (-) character',
          rule: "!self.split('/')[8].endsWith('.') && !self.split('/')[8].endsWith('-')",
        },
        {
          message: 'The subnetName should be between 1 and 80 characters, consisting only of alphanumeric characters, hyphens and underscores and must start with an alphanumeric character',
          rule: "self.split('/')[10].matches('[a-zA-Z0-9][a-zA-Z0-9-_\\\\.]{0,79}')",
        },
        {
          message: 'the subnetName in the subnetID must not end with a period (.) or hyphen (-) character',
          rule: "!self.split('/')[10].endsWith('.') && !self.split('/')[10].endsWith('-')",
        },
        { message: 'SubnetID is immutable', rule: 'self == oldSelf' },
      ],
    }),
    subscriptionID: string({ maxLength: 255, rules: [{ message: 'SubscriptionID is immutable', rule: 'self == oldSelf' }] }),
    tenantID: string({ maxLength: 255 }),
    topology: optional(string({ enum: ['Public', 'PublicAndPrivate', 'Private'] })),
    vnetID: string({ maxLength: 255, rules: [{ message: 'VnetID is immutable', rule: 'self == oldSelf' }] }),
  },
  {
    rules: [
      {
        message: 'private cannot be added or removed after cluster creation',
        rule: 'has(self.private) == has(oldSelf.private)',
      },
      { message: 'topology cannot be removed once set', rule: '!has(oldSelf.topology) || has(self.topology)' },
      {
        message: 'transitions between Public and non-Public topology are not supported',
        rule: "!has(self.topology) || !has(oldSelf.topology) || (self.topology == 'Public') == (oldSelf.topology == 'Public')",
      },
      {
        message: 'private is required when topology is Private or PublicAndPrivate, and forbidden otherwise',
        rule: "has(self.topology) && (self.topology == 'Private' || self.topology == 'PublicAndPrivate') ? has(self.private) : !has(self.private)",
      },
      {
        message: 'workloadIdentities.controlPlaneOperator is required when Private Link is configured with WorkloadIdentities authentication',
        rule: "!has(self.private) || self.private.type != 'PrivateLink' || self.azureAuthenticationConfig.azureAuthenticationConfigType != 'WorkloadIdentities' || has(self.azureAuthenticationConfig.workloadIdentities.controlPlaneOperator)",
      },
    ],
  },
);

/** A value of the shape AzurePlatform. */
export interface AzurePlatform extends Infer<typeof azurePlatformShape> {}

/** The shape AzurePlatform. */
export const azurePlatform: Schema<AzurePlatform> = named('AzurePlatform', azurePlatformShape);

const clusterConfigurationShape = object({
  apiServer: optional(object(
    {
      additionalCORSAllowedOrigins: optional(array(string(), { listType: 'atomic' })),
      audit: optional(object(
        {
          customRules: optional(array(
            object({
              group: string({ minLength: 1 }),
              profile: string({ enum: ['Default', 'WriteRequestBodies', 'AllRequestBodies', 'None'] }),
            }),
            { listMapKeys: ['group'], listType: 'map' },
          )),
          profile: optional(string({ default: 'Default', enum: ['Default', 'WriteRequestBodies', 'AllRequestBodies', 'None'] })),
        },
        { default: { profile: 'Default' } },
      )),
      clientCA: optional(object({ name: string() })),
      encryption: optional(object({ type: optional(string({ enum: ['', 'identity', 'aescbc', 'aesgcm'] })) })),
      servingCerts: optional(object({
        namedCertificates: optional(array(
          object({
            names: optional(array(string(), { maxItems: 64, listType: 'atomic' })),
            servingCertificate: optional(object({ name: string() })),
          }),
          { maxItems: 32, listType: 'atomic' },
        )),
      })),
      tlsAdherence: gated(
        'TechPreviewNoUpgrade',
        optional(string({ enum: ['LegacyAdheringComponentsOnly', 'StrictAllComponents'] })),
      ),
      tlsSecurityProfile: optional(object({
        custom: optional(nullable(object({
          ciphers: optional(array(string(), { listType: 'atomic' })),
          minTLSVersion: optional(string({ enum: ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'] })),
        }))),
        intermediate: optional(nullable(object({}))),
        modern: optional(nullable(object({}))),
        old: optional(nullable(object({}))),
        type: optional(string({ enum: ['Old', 'Intermediate', 'Modern', 'Custom'] })),
      })),
    },
    {
      gated: {
        TechPreviewNoUpgrade: {
          rules: [
            {
              message: 'tlsAdherence may not be removed once set',
              rule: 'has(oldSelf.tlsAdherence) ? has(self.tlsAdherence) : true',
            },
          ],
        },
      },
    },
  )),
  authentication: optional(object({
    oauthMetadata: optional(object({ name: string() })),
    oidcProviders: optional(array(
      object({
        claimMappings: object({
          extra: optional(array(
            object({
              key: string({
                maxLength: 510,
                minLength: 1,
                rules: [
                  { message: "key must contain the '/' character", rule: "self.contains('/')" },
                  {
                    message: "the domain of the key must consist of only lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
                    rule: 'self.split(\'/\', 2)[0].matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")',
                  },
                  {
                    message: 'the domain of the key must not exceed 253 characters in length',
                    rule: "self.split('/', 2)[0].size() <= 253",
                  },
                  {
                    message: "the domain 'kubernetes.io' is reserved for Kubernetes use",
                    rule: "self.split('/', 2)[0] != 'kubernetes.io'",
                  },
                  {
                    message: "the subdomains '*.kubernetes.io' are reserved for Kubernetes use",
                    rule: "!self.split('/', 2)[0].endsWith('.kubernetes.io')",
                  },
                  {
                    message: "the domain 'k8s.io' is reserved for Kubernetes use",
                    rule: "self.split('/', 2)[0] != 'k8s.io'",
                  },
                  {
                    message: "the subdomains '*.k8s.io' are reserved for Kubernetes use",
                    rule: "!self.split('/', 2)[0].endsWith('.k8s.io')",
                  },
                  {
                    message: "the domain 'openshift.io' is reserved for OpenShift use",
                    rule: "self.split('/', 2)[0] != 'openshift.io'",
                  },
                  {
                    message: "the subdomains '*.openshift.io' are reserved for OpenShift use",
                    rule: "!self.split('/', 2)[0].endsWith('.openshift.io')",
                  },
                  {
                    message: "the path of the key must not be empty and must consist of at least one alphanumeric character, percent-encoded octets, apostrophe, '-', '.', '_', '~', '!', '$', '&', '(', ')', '*', '+', ',', ';', '=', and ':'",
                    rule: "self.split('/', 2)[1].matches('[A-Za-z0-9/\\\\-._~%!$&\\'()*+;=:]+')",
                  },
                  {
                    message: 'the path of the key must not exceed 256 characters in length',
                    rule: "self.split('/', 2)[1].size() <= 256",
                  },
                ],
              }),
              valueExpression: string({ maxLength: 1024, minLength: 1 }),
            }),
            { maxItems: 32, listMapKeys: ['key'], listType: 'map' },
          )),
          groups: optional(object(
            {
              claim: optional(string({ maxLength: 256 })),
              expression: optional(string({ maxLength: 1024, minLength: 1 })),
              prefix: optional(string()),
            },
            {
              rules: [
                {
                  message: 'prefix must not be set to a non-empty value when expression is set',
                  rule: 'has(self.expression) && size(self.expression) > 0 ? (!has(self.prefix) || size(self.prefix) == 0) : true',
                },
                {
                  message: 'expression must not be set if claim is specified and is not an empty string',
                  rule: '(size(self.?claim.orValue("")) > 0) ? !has(self.expression) : true',
                },
              ],
            },
          )),
          uid: optional(object(
            {
              claim: optional(string({ maxLength: 256, minLength: 1 })),
              expression: optional(string({ maxLength: 1024, minLength: 1 })),
            },
            {
              rules: [
                {
                  message: 'precisely one of claim or expression must be set',
                  rule: 'has(self.claim) ? !has(self.expression) : has(self.expression)',
                },
              ],
            },
          )),
          username: object(
            {
              claim: optional(string({ maxLength: 256, minLength: 1 })),
              expression: optional(string({ maxLength: 1024, minLength: 1 })),
              prefix: optional(object({ prefixString: string({ minLength: 1 }) })),
              prefixPolicy: optional(string({ enum: ['', 'NoPrefix', 'Prefix'] })),
            },
            {
              rules: [
                {
                  message: 'precisely one of claim or expression must be set',
                  rule: 'has(self.claim) ? !has(self.expression) : has(self.expression)',
                },
                {
                  message: "prefixPolicy must not be set to 'Prefix' when expression is set",
                  rule: "has(self.expression) && size(self.expression) > 0 ? !has(self.prefixPolicy) || self.prefixPolicy != 'Prefix' : true",
                },
                {
                  message: "prefix must be set if prefixPolicy is 'Prefix', but must remain unset otherwise",
                  rule: "has(self.prefixPolicy) && self.prefixPolicy == 'Prefix' ? (has(self.prefix) && size(self.prefix.prefixString) > 0) : !has(self.prefix)",
                },
              ],
            },
          ),
        }),
        claimValidationRules: optional(array(
          object(
            {
              cel: optional(tokenRule),
              requiredClaim: optional(object({ claim: string({ minLength: 1 }), requiredValue: string({ minLength: 1 }) })),
              type: string({ enum: ['RequiredClaim', 'CEL'] }),
            },
            {
              rules: [
                {
                  message: "cel must be set when type is 'CEL', and forbidden otherwise",
                  rule: "has(self.type) && self.type == 'CEL' ? has(self.cel) : !has(self.cel)",
                },
                {
                  message: "requiredClaim must be set when type is 'RequiredClaim', and forbidden otherwise",
                  rule: "has(self.type) && self.type == 'RequiredClaim' ? has(self.requiredClaim) : !has(self.requiredClaim)",
                },
              ],
            },
          ),
          { listType: 'atomic' },
        )),
        issuer: object(
          {
            audiences: array(string({ minLength: 1 }), { maxItems: 10, minItems: 1, listType: 'set' }),
            discoveryURL: optional(string({
              maxLength: 2048,
              minLength: 1,
              rules: [
                { message: 'discoveryURL must be a valid URL', rule: 'isURL(self)' },
                { message: 'discoveryURL must be a valid https URL', rule: "url(self).getScheme() == 'https'" },
                { message: 'discoveryURL must not contain query parameters', rule: 'url(self).getQuery().size() == 0' },
                { message: 'discoveryURL must not contain fragments', rule: "self.matches('^[^#]*$')" },
                { message: 'discoveryURL must not contain user info', rule: "!self.matches('^https://.+:.+@.+/.*$')" },
              ],
            })),
            issuerCertificateAuthority: optional(object({ name: string() })),
            issuerURL: string({
              maxLength: 512,
              minLength: 1,
              rules: [
                { message: 'must be a valid URL', rule: 'isURL(self)' },
                { message: "must use the 'https' scheme", rule: "isURL(self) && url(self).getScheme() == 'https'" },
                { message: 'must not have a query', rule: 'isURL(self) && url(self).getQuery() == {}' },
                { message: 'must not have a fragment', rule: "self.find('#(.+)$') == ''" },
                { message: 'must not have user info', rule: "self.find('@') == ''" },
              ],
            }),
          },
          {
            rules: [
              {
                message: 'discoveryURL must be different from issuerURL',
                rule: 'self.?discoveryURL.orValue("").size() > 0 ? (self.issuerURL.size() == 0 || self.discoveryURL.find(\'^.+[^/]\') != self.issuerURL.find(\'^.+[^/]\')) : true',
              },
            ],
          },
        ),
        name: string({ minLength: 1 }),
        oidcClients: optional(array(
          object({
            clientID: string({ minLength: 1 }),
            clientSecret: optional(object({ name: string() })),
            componentName: string({ maxLength: 256, minLength: 1 }),
            componentNamespace: string({ maxLength: 63, minLength: 1 }),
            extraScopes: optional(array(string(), { listType: 'set' })),
          }),
          { maxItems: 20, listMapKeys: ['componentNamespace', 'componentName'], listType: 'map' },
        )),
        userValidationRules: optional(array(tokenRule, { maxItems: 64, minItems: 1, listMapKeys: ['expression'], listType: 'map' })),
      }),
      { maxItems: 1, listMapKeys: ['name'], listType: 'map' },
    )),
    serviceAccountIssuer: optional(string()),
    type: optional(string({ enum: ['', 'None', 'IntegratedOAuth', 'OIDC'] })),
    webhookTokenAuthenticator: optional(object({ kubeConfig: object({ name: string() }) })),
    webhookTokenAuthenticators: optional(array(object({ kubeConfig: optional(object({ name: string() })) }), { listType: 'atomic' })),
  })),
  featureGate: optional(object({
    customNoUpgrade: optional(nullable(object({
      disabled: optional(array(string({ pattern: '^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$' }))),
      enabled: optional(array(string({ pattern: '^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$' }))),
    }))),
    featureSet: optional(string({
      enum: ['CustomNoUpgrade', 'DevPreviewNoUpgrade', 'TechPreviewNoUpgrade', 'OKD', ''],
      rules: [
        {
          message: 'CustomNoUpgrade may not be changed',
          rule: "oldSelf == 'CustomNoUpgrade' ? self == 'CustomNoUpgrade' : true",
        },
        {
          message: 'TechPreviewNoUpgrade may not be changed',
          rule: "oldSelf == 'TechPreviewNoUpgrade' ? self == 'TechPreviewNoUpgrade' : true",
        },
        {
          message: 'DevPreviewNoUpgrade may not be changed',
          rule: "oldSelf == 'DevPreviewNoUpgrade' ? self == 'DevPreviewNoUpgrade' : true",
        },
        { message: 'OKD cannot transition to Default', rule: "oldSelf == 'OKD' ? self != '' : true" },
      ],
    })),
  })),
  image: optional(object({
    additionalTrustedCA: optional(object({ name: string() })),
    allowedRegistriesForImport: optional(array(object({ domainName: optional(string()), insecure: optional(boolean()) }), { listType: 'atomic' })),
    externalRegistryHostnames: optional(array(string(), { listType: 'atomic' })),
    registrySources: optional(object(
      {
        allowedRegistries: optional(array(
          string({
            maxLength: 256,
            minLength: 1,
            rules: [
              {
                message: 'each registry must be a valid hostname[:port][/path] or wildcard *.hostname format without tags or digests',
                rule: "self.matches('^\\\\*(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+$|^((?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+)?(?::[0-9]+)?)(?:(?:/[a-z0-9]+(?:(?:(?:[._]|__|[-]*)[a-z0-9]+)+)?)+)?$')",
              },
            ],
          }),
          { maxItems: 1024, listType: 'atomic' },
        )),
        blockedRegistries: optional(array(
          string({
            maxLength: 256,
            minLength: 1,
            rules: [
              {
                message: 'each registry must be a valid hostname[:port][/path] or wildcard *.hostname format without tags or digests',
                rule: "self.matches('^\\\\*(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+$|^((?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+)?(?::[0-9]+)?)(?:(?:/[a-z0-9]+(?:(?:(?:[._]|__|[-]*)[a-z0-9]+)+)?)+)?$')",
              },
            ],
          }),
          { maxItems: 1024, listType: 'atomic' },
        )),
        containerRuntimeSearchRegistries: optional(array(string(), { format: 'hostname', minItems: 1, listType: 'set' })),
        insecureRegistries: optional(array(
          string({
            maxLength: 256,
            minLength: 1,
            rules: [
              {
                message: 'each registry must be a valid hostname[:port][/path] or wildcard *.hostname format without tags or digests',
                rule: "self.matches('^\\\\*(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+$|^((?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:(?:\\\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+)?(?::[0-9]+)?)(?:(?:/[a-z0-9]+(?:(?:(?:[._]|__|[-]*)[a-z0-9]+)+)?)+)?$')",
              },
            ],
          }),
          { maxItems: 1024, listType: 'atomic' },
        )),
      },
      {
        rules: [
          {
            message: 'Only one of blockedRegistries or allowedRegistries may be set',
            rule: 'has(self.blockedRegistries) ? !has(self.allowedRegistries) : true',
          },
        ],
      },
    )),
  })),
  ingress: optional(object({
    appsDomain: optional(string()),
    componentRoutes: optional(array(
      object({
        hostname: string({
          pattern: '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$|^(([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})[\\.]){0,}([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})$',
        }),
        name: string({ maxLength: 256, minLength: 1 }),
        namespace: string({ maxLength: 63, minLength: 1, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
        servingCertKeyPairSecret: optional(object({ name: string() })),
      }),
      { maxItems: 250, listMapKeys: ['namespace', 'name'], listType: 'map' },
    )),
    domain: optional(string({ rules: [{ message: 'domain is immutable once set', rule: 'self == oldSelf' }] })),
    loadBalancer: optional(object({
      platform: optional(object({
        aws: optional(object({ type: string({ enum: ['NLB', 'Classic'] }) })),
        type: optional(string({
          enum: [
            '',
            'AWS',
            'Azure',
            'BareMetal',
            'GCP',
            'Libvirt',
            'OpenStack',
            'None',
            'VSphere',
            'oVirt',
            'IBMCloud',
            'KubeVirt',
            'EquinixMetal',
            'PowerVS',
            'AlibabaCloud',
            'Nutanix',
            'External',
          ],
        })),
      })),
    })),
    requiredHSTSPolicies: optional(array(object({
      domainPatterns: array(string(), { minItems: 1 }),
      includeSubDomainsPolicy: optional(string({ enum: ['RequireIncludeSubDomains', 'RequireNoIncludeSubDomains', 'NoOpinion'] })),
      maxAge: optional(object({
        largestMaxAge: optional(int32({ maximum: 2147483647, minimum: 0 })),
        smallestMaxAge: optional(int32({ maximum: 2147483647, minimum: 0 })),
      })),
      namespaceSelector: optional(labelSelector),
      preloadPolicy: optional(string({ enum: ['RequirePreload', 'RequireNoPreload', 'NoOpinion'] })),
    }))),
  })),
  network: optional(object(
    {
      clusterNetwork: optional(array(
        object({ cidr: optional(string()), hostPrefix: optional(int32({ minimum: 0 })) }),
        { listType: 'atomic' },
      )),
      externalIP: optional(object({
        autoAssignCIDRs: optional(array(string(), { listType: 'atomic' })),
        policy: optional(object({
          allowedCIDRs: optional(array(string(), { listType: 'atomic' })),
          rejectedCIDRs: optional(array(string(), { listType: 'atomic' })),
        })),
      })),
      networkDiagnostics: optional(object({
        mode: optional(string({ enum: ['', 'All', 'Disabled'] })),
        sourcePlacement: optional(diagnosticsPlacement),
        targetPlacement: optional(diagnosticsPlacement),
      })),
      networkType: optional(string()),
      serviceNetwork: optional(array(string(), { listType: 'atomic' })),
      serviceNodePortRange: optional(string({
        pattern: '^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])-([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
      })),
    },
    {
      rules: [
        {
          message: 'cannot set networkDiagnostics.sourcePlacement and networkDiagnostics.targetPlacement when networkDiagnostics.mode is Disabled',
          rule: "!has(self.networkDiagnostics) || !has(self.networkDiagnostics.mode) || self.networkDiagnostics.mode!='Disabled' || !has(self.networkDiagnostics.sourcePlacement) && !has(self.networkDiagnostics.targetPlacement)",
        },
      ],
    },
  )),
  oauth: optional(object(
    {
      identityProviders: optional(array(
        object({
          basicAuth: optional(object({
            ca: optional(object({ name: string() })),
            tlsClientCert: optional(object({ name: string() })),
            tlsClientKey: optional(object({ name: string() })),
            url: optional(string()),
          })),
          github: optional(object({
            ca: optional(object({ name: string() })),
            clientID: optional(string()),
            clientSecret: optional(object({ name: string() })),
            hostname: optional(string()),
            organizations: optional(array(string())),
            teams: optional(array(string())),
          })),
          gitlab: optional(object({
            ca: optional(object({ name: string() })),
            clientID: optional(string()),
            clientSecret: optional(object({ name: string() })),
            url: optional(string()),
          })),
          google: optional(object({
            clientID: optional(string()),
            clientSecret: optional(object({ name: string() })),
            hostedDomain: optional(string()),
          })),
          htpasswd: optional(object({ fileData: optional(object({ name: string() })) })),
          keystone: optional(object({
            ca: optional(object({ name: string() })),
            domainName: optional(string()),
            tlsClientCert: optional(object({ name: string() })),
            tlsClientKey: optional(object({ name: string() })),
            url: optional(string()),
          })),
          ldap: optional(object({
            attributes: optional(object({
              email: optional(array(string())),
              id: optional(array(string())),
              name: optional(array(string())),
              preferredUsername: optional(array(string())),
            })),
            bindDN: optional(string()),
            bindPassword: optional(object({ name: string() })),
            ca: optional(object({ name: string() })),
            insecure: optional(boolean()),
            url: optional(string()),
          })),
          mappingMethod: optional(string()),
          name: optional(string()),
          openID: optional(object({
            ca: optional(object({ name: string() })),
            claims: optional(object({
              email: optional(array(string(), { listType: 'atomic' })),
              groups: optional(array(string({ minLength: 1 }), { listType: 'atomic' })),
              name: optional(array(string(), { listType: 'atomic' })),
              preferredUsername: optional(array(string(), { listType: 'atomic' })),
            })),
            clientID: optional(string()),
            clientSecret: optional(object({ name: string() })),
            extraAuthorizeParameters: optional(map(string())),
            extraScopes: optional(array(string())),
            issuer: optional(string()),
          })),
          requestHeader: optional(object({
            ca: optional(object({ name: string() })),
            challengeURL: optional(string()),
            clientCommonNames: optional(array(string())),
            emailHeaders: optional(array(string())),
            headers: optional(array(string())),
            loginURL: optional(string()),
            nameHeaders: optional(array(string())),
            preferredUsernameHeaders: optional(array(string())),
          })),
          type: optional(string()),
        }),
        { listType: 'atomic' },
      )),
      templates: optional(object({
        error: optional(object({ name: string() })),
        login: optional(object({ name: string() })),
        providerSelection: optional(object({ name: string() })),
      })),
      tokenConfig: optional(object({
        accessTokenInactivityTimeout: optional(string()),
        accessTokenInactivityTimeoutSeconds: optional(int32()),
        accessTokenMaxAgeSeconds: optional(int32()),
      })),
    },
    {
      rules: [
        {
          message: 'spec.configuration.oauth.tokenConfig.accessTokenInactivityTimeout minimum acceptable token timeout value is 300 seconds',
          rule: '!has(self.tokenConfig) || !has(self.tokenConfig.accessTokenInactivityTimeout) || duration(self.tokenConfig.accessTokenInactivityTimeout).getSeconds() >= 300',
        },
      ],
    },
  )),
  operatorhub: optional(object({
    disableAllDefaultSources: optional(boolean()),
    sources: optional(array(object({ disabled: optional(boolean()), name: optional(string({ maxLength: 253, minLength: 1 })) }))),
  })),
  proxy: optional(object({
    httpProxy: optional(string()),
    httpsProxy: optional(string()),
    noProxy: optional(string()),
    readinessEndpoints: optional(array(string())),
    trustedCA: optional(object({ name: string() })),
  })),
  scheduler: optional(object({
    defaultNodeSelector: optional(string()),
    mastersSchedulable: optional(boolean()),
    policy: optional(object({ name: string() })),
    profile: optional(string({ enum: ['', 'LowNodeUtilization', 'HighNodeUtilization', 'NoScoring'] })),
    profileCustomizations: optional(object({ dynamicResourceAllocation: optional(string({ enum: ['', 'Enabled', 'Disabled'] })) })),
  })),
});

/** A value of the shape ClusterConfiguration. */
export interface ClusterConfiguration extends Infer<typeof clusterConfigurationShape> {}

/** The shape ClusterConfiguration. */
export const clusterConfiguration: Schema<ClusterConfiguration> = named('ClusterConfiguration', clusterConfigurationShape);
