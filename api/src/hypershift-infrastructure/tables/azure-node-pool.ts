// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { int32, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nodePoolStatus } from './shared.js';

const azureNodePoolSpecShape = object({
  availabilityZone: optional(string({ maxLength: 255, rules: [{ rule: "self in ['1', '2', '3']" }] })),
  diagnostics: optional(object(
    {
      storageAccountType: optional(string({ default: 'Disabled', enum: ['Managed', 'UserManaged', 'Disabled'] })),
      userManaged: optional(object({
        storageAccountURI: string({
          maxLength: 1024,
          rules: [
            {
              message: 'storageAccountURI must be a valid HTTPS URL',
              rule: "isURL(self) && url(self).getScheme() == 'https'",
            },
          ],
        }),
      })),
    },
    {
      rules: [
        {
          message: 'userManaged is required when storageAccountType is UserManaged, and forbidden otherwise',
          rule: "self.storageAccountType == 'UserManaged' ? has(self.userManaged) : !has(self.userManaged)",
        },
      ],
    },
  )),
  encryptionAtHost: optional(string({ default: 'Enabled', enum: ['Enabled', 'Disabled'] })),
  image: object(
    {
      azureMarketplace: optional(object(
        {
          imageGeneration: optional(string({ default: 'Gen2', enum: ['Gen1', 'Gen2'] })),
          offer: optional(string({ maxLength: 255, minLength: 1 })),
          publisher: optional(string({ maxLength: 50, minLength: 3, pattern: '^[a-z0-9][a-z0-9-_]{2,49}$' })),
          sku: optional(string({ maxLength: 255, minLength: 1, pattern: '^[a-z0-9-_]+$' })),
          version: optional(string({ maxLength: 32, minLength: 1, pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$|^latest$' })),
        },
        {
          minProperties: 1,
          rules: [
            {
              message: 'must specify imageGeneration or must specify publisher, offer, sku and version',
              rule: 'has(self.imageGeneration) || has(self.publisher) && has(self.offer) && has(self.sku) && has(self.version)',
            },
            {
              message: 'publisher, offer, sku and version must either be all set, or all omitted',
              rule: '[has(self.publisher), has(self.offer), has(self.sku), has(self.version)].filter(x, x == true).size() == 0 || [has(self.publisher), has(self.offer), has(self.sku), has(self.version)].filter(x, x == true).size() == 4',
            },
          ],
        },
      )),
      imageID: optional(string({ maxLength: 255 })),
      type: string({ enum: ['ImageID', 'AzureMarketplace'] }),
    },
    {
      rules: [
        {
          message: 'imageID is required when type is ImageID, and forbidden otherwise',
          rule: "has(self.type) && self.type == 'ImageID' ?  has(self.imageID) : !has(self.imageID)",
        },
        {
          message: 'azureMarketplace is forbidden when type is not AzureMarketplace',
          rule: "has(self.type) && self.type == 'AzureMarketplace' ?  true : !has(self.azureMarketplace)",
        },
      ],
    },
  ),
  osDisk: object({
    diskStorageAccountType: optional(string({ enum: ['Premium_LRS', 'PremiumV2_LRS', 'Standard_LRS', 'StandardSSD_LRS'] })),
    encryptionSetID: optional(string({
      maxLength: 285,
      minLength: 1,
      rules: [
        {
          message: 'encryptionSetID must be in the format `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/diskEncryptionSets/{resourceName}`',
          rule: "size(self.split('/')) == 9 && self.matches('^/subscriptions/.*/resourceGroups/.*/providers/Microsoft.Compute/diskEncryptionSets/.*$')",
        },
        {
          message: 'the subscriptionId in the encryptionSetID must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12',
          rule: "self.split('/')[2].matches('^[{]?[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[}]?$')",
        },
        {
          message: 'The resourceGroupName should be between 1 and 90 characters, consisting only of alphanumeric characters, hyphens, underscores, periods and parenthesis',
          rule: "self.split('/')[4].matches('[a-zA-Z0-9-_\\\\(\\\\)\\\\.]{1,90}')",
        },
        {
          message: 'the resourceGroupName in the encryptionSetID must not end with a period (.) character',
          rule: "!self.split('/')[4].endsWith('.')",
        },
        {
          message: 'The resourceName should be between 1 and 80 characters, consisting only of alphanumeric characters, hyphens and underscores',
          rule: "self.split('/')[8].matches('[a-zA-Z0-9-_]{1,80}')",
        },
      ],
    })),
    persistence: optional(string({ enum: ['Persistent', 'Ephemeral'] })),
    sizeGiB: optional(int32({ maximum: 32767, minimum: 16 })),
  }),
  subnetID: string({
    maxLength: 355,
    minLength: 1,
    rules: [
      {
        message: 'encryptionSetID must be in the format `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/virtualNetworks/{vnetName}/subnets/{subnetName}`',
        rule: "size(self.split('/')) == 11 && self.matches('^/subscriptions/.*/resourceGroups/.*/providers/Microsoft.Network/virtualNetworks/.*/subnets/.*$')",
      },
      {
        message: 'the subscriptionId in the encryptionSetID must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12',
        rule: "self.split('/')[2].matches('^[{]?[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[}]?$')",
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
  vmSize: string({
    maxLength: 255,
    pattern: '^(Standard_|Basic_)?[A-Z]+[0-9]+(-[0-9]+)?[abdilmptsCNP]*(_[A-Z]*[0-9]+[A-Z]*)?(_v[0-9]+)?$',
  }),
});

/** A value of the shape AzureNodePoolSpec. */
export interface AzureNodePoolSpec extends Infer<typeof azureNodePoolSpecShape> {}

/** The shape AzureNodePoolSpec. */
export const azureNodePoolSpec: Schema<AzureNodePoolSpec> = named('AzureNodePoolSpec', azureNodePoolSpecShape);

/** The kind AzureNodePool. */
export const azureNodePool = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'AzureNodePool',
  plural: 'azurenodepools',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: azureNodePoolSpec, status: optional(nodePoolStatus) }),
    },
  ],
});

/** AzureNodePool in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type AzureNodePool = KindOf<typeof azureNodePool, 'v1beta1'>;
