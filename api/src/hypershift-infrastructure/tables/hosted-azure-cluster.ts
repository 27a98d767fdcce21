// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { hostedClusterStatus } from './shared.js';

const azureKmsKeyShape = object({
  keyName: string({ maxLength: 255, minLength: 1 }),
  keyVaultName: string({ maxLength: 255, minLength: 1 }),
  keyVersion: string({ maxLength: 255, minLength: 1 }),
});

/** A value of the shape AzureKMSKey. */
export interface AzureKMSKey extends Infer<typeof azureKmsKeyShape> {}

/** The shape AzureKMSKey. */
export const azureKmsKey: Schema<AzureKMSKey> = named('AzureKMSKey', azureKmsKeyShape);

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

const hostedAzureClusterSpecShape = object(
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
    secretEncryption: optional(object(
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

/** A value of the shape HostedAzureClusterSpec. */
export interface HostedAzureClusterSpec extends Infer<typeof hostedAzureClusterSpecShape> {}

/** The shape HostedAzureClusterSpec. */
export const hostedAzureClusterSpec: Schema<HostedAzureClusterSpec> = named('HostedAzureClusterSpec', hostedAzureClusterSpecShape);

/** The kind HostedAzureCluster. */
export const hostedAzureCluster = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'HostedAzureCluster',
  plural: 'hostedazureclusters',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Location', type: 'string', jsonPath: '.spec.location' },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: hostedAzureClusterSpec, status: optional(hostedClusterStatus) }),
    },
  ],
});

/** HostedAzureCluster in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type HostedAzureCluster = KindOf<typeof hostedAzureCluster, 'v1beta1'>;
