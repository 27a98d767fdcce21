// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  gated,
  int32,
  int64,
  intOrString,
  integer,
  kind,
  labelSelector,
  map,
  named,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  awsFilter,
  awsResourceReference,
  gcpResourceLabel,
  kubevirtCredentials,
  openStackNetwork,
  platformReference,
  powerVsResourceReference,
} from './shared.js';

const nodePoolAutoscalingShape = object(
  { max: int32({ minimum: 1 }), min: int32({ minimum: 0 }) },
  { rules: [{ message: 'max must be equal or greater than min', rule: 'self.max >= self.min' }] },
);

/** A value of the shape NodePoolAutoscaling. */
export interface NodePoolAutoscaling extends Infer<typeof nodePoolAutoscalingShape> {}

/** The shape NodePoolAutoscaling. */
export const nodePoolAutoscaling: Schema<NodePoolAutoscaling> = named('NodePoolAutoscaling', nodePoolAutoscalingShape);

const nodePoolConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 32768 })),
  observedGeneration: optional(int64({ minimum: 0 })),
  reason: optional(string({ maxLength: 1024 })),
  severity: optional(string({ maxLength: 1024 })),
  status: string(),
  type: string({ maxLength: 316 }),
});

/** A value of the shape NodePoolCondition. */
export interface NodePoolCondition extends Infer<typeof nodePoolConditionShape> {}

/** The shape NodePoolCondition. */
export const nodePoolCondition: Schema<NodePoolCondition> = named('NodePoolCondition', nodePoolConditionShape);

const powerVsNodePoolPlatformShape = object({
  image: optional(powerVsResourceReference),
  imageDeletePolicy: optional(string({ default: 'delete', enum: ['delete', 'retain'] })),
  memoryGiB: optional(int32({ default: 32 })),
  processorType: optional(string({ default: 'shared', enum: ['dedicated', 'shared', 'capped'] })),
  processors: optional(intOrString({ default: '0.5' })),
  storageType: optional(string({ default: 'tier1', enum: ['tier1', 'tier3'] })),
  systemType: optional(string({ default: 's922', maxLength: 255 })),
});

/** A value of the shape PowerVSNodePoolPlatform. */
export interface PowerVSNodePoolPlatform extends Infer<typeof powerVsNodePoolPlatformShape> {}

/** The shape PowerVSNodePoolPlatform. */
export const powerVsNodePoolPlatform: Schema<PowerVSNodePoolPlatform> = named('PowerVSNodePoolPlatform', powerVsNodePoolPlatformShape);

const nodePoolManagementShape = object(
  {
    autoRepair: optional(boolean({ default: false })),
    inPlace: optional(object({ maxUnavailable: optional(intOrString()) })),
    replace: optional(object(
      {
        rollingUpdate: optional(object({ maxSurge: optional(intOrString()), maxUnavailable: optional(intOrString()) })),
        strategy: optional(string({ enum: ['RollingUpdate', 'OnDelete'] })),
      },
      {
        default: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, strategy: 'RollingUpdate' },
        rules: [
          {
            message: "The 'rollingUpdate' field can only be set when 'strategy' is 'RollingUpdate'",
            rule: "!has(self.rollingUpdate) || self.strategy == 'RollingUpdate'",
          },
        ],
      },
    )),
    upgradeType: string({ enum: ['Replace', 'InPlace'], rules: [{ message: 'UpgradeType is immutable', rule: 'self == oldSelf' }] }),
  },
  {
    rules: [
      {
        message: "The 'inPlace' field can only be set when 'upgradeType' is 'InPlace'",
        rule: "!has(self.inPlace) || self.upgradeType == 'InPlace'",
      },
    ],
  },
);

/** A value of the shape NodePoolManagement. */
export interface NodePoolManagement extends Infer<typeof nodePoolManagementShape> {}

/** The shape NodePoolManagement. */
export const nodePoolManagement: Schema<NodePoolManagement> = named('NodePoolManagement', nodePoolManagementShape);

const openStackNodePoolPlatformShape = object({
  additionalPorts: optional(array(
    object({
      allowedAddressPairs: optional(array(object({ ipAddress: string({ maxLength: 255 }) }), { maxItems: 10 })),
      description: optional(string({ maxLength: 255 })),
      network: optional(openStackNetwork),
      portSecurityPolicy: optional(string({ enum: ['Enabled', 'Disabled', ''] })),
      vnicType: optional(string({ maxLength: 255 })),
    }),
    { maxItems: 10 },
  )),
  availabilityZone: optional(string({ maxLength: 63, minLength: 1, pattern: '^[^: ]*$' })),
  flavor: string({ maxLength: 255 }),
  imageName: optional(string({ maxLength: 255 })),
});

/** A value of the shape OpenStackNodePoolPlatform. */
export interface OpenStackNodePoolPlatform extends Infer<typeof openStackNodePoolPlatformShape> {}

/** The shape OpenStackNodePoolPlatform. */
export const openStackNodePoolPlatform: Schema<OpenStackNodePoolPlatform> = named('OpenStackNodePoolPlatform', openStackNodePoolPlatformShape);

const nodePoolStatusShape = object({
  conditions: optional(array(nodePoolCondition, { maxItems: 100 })),
  nodesInfo: optional(object({
    nodeVersions: array(
      object({
        kubeletVersion: string({
          maxLength: 64,
          minLength: 1,
          rules: [
            {
              message: "kubeletVersion must start with semantic version prefix x.y.z (optional leading 'v')",
              rule: "self.matches('^v?\\\\d+\\\\.\\\\d+\\\\.\\\\d+.*$')",
            },
          ],
        }),
        ocpVersion: string({
          maxLength: 64,
          minLength: 1,
          rules: [
            {
              message: 'ocpVersion must start with semantic version prefix x.y.z',
              rule: "self.matches('^\\\\d+\\\\.\\\\d+\\\\.\\\\d+.*$')",
            },
          ],
        }),
        readyNodeCount: int32({ minimum: 0 }),
        unreadyNodeCount: int32({ minimum: 0 }),
      }),
      { maxItems: 100, minItems: 1, listType: 'atomic' },
    ),
  })),
  osImageStream: gated('TechPreviewNoUpgrade', optional(object({ name: string({ enum: ['rhel-9', 'rhel-10'] }) }))),
  platform: optional(object({
    kubeVirt: optional(object({ cacheName: optional(string({ maxLength: 255 })), credentials: optional(kubevirtCredentials) })),
  })),
  replicas: optional(int32()),
  version: optional(string({ maxLength: 64 })),
});

/** A value of the shape NodePoolStatus. */
export interface NodePoolStatus extends Infer<typeof nodePoolStatusShape> {}

/** The shape NodePoolStatus. */
export const nodePoolStatus: Schema<NodePoolStatus> = named('NodePoolStatus', nodePoolStatusShape);

const kubevirtNodePoolPlatformShape = object({
  additionalNetworks: optional(array(object({ name: string({ maxLength: 255 }) }), { maxItems: 20 })),
  attachDefaultNetwork: optional(boolean({ default: true })),
  compute: optional(object(
    {
      cores: optional(int32({ minimum: 1 })),
      memory: optional(quantity({ default: '8Gi' })),
      qosClass: optional(string({ default: 'Burstable', enum: ['Burstable', 'Guaranteed'] })),
    },
    { default: { cores: 2, memory: '8Gi' } },
  )),
  hostDevices: optional(array(
    object({
      count: optional(integer({ default: 1, maximum: 2147483647, minimum: 1 })),
      deviceName: string({ maxLength: 255 }),
    }),
    { maxItems: 10 },
  )),
  networkInterfaceMultiqueue: optional(string({ default: 'Enable', enum: ['Enable', 'Disable'] })),
  nodeSelector: optional(map(string())),
  rootVolume: object(
    {
      cacheStrategy: optional(object({ type: string({ default: 'None', enum: ['None', 'PVC'] }) })),
      diskImage: optional(object({ containerDiskImage: optional(string({ maxLength: 2048 })) })),
      persistent: optional(object({
        accessModes: optional(array(
          string({ enum: ['ReadWriteOnce', 'ReadWriteMany', 'ReadOnly', 'ReadWriteOncePod'] }),
          { maxItems: 10 },
        )),
        size: optional(quantity({ default: '32Gi' })),
        storageClass: optional(string({ maxLength: 255 })),
        volumeMode: optional(string({ enum: ['Filesystem', 'Block'] })),
      })),
      type: optional(string({ default: 'Persistent', enum: ['Persistent'] })),
    },
    { default: { persistent: { size: '32Gi' }, type: 'Persistent' } },
  ),
});

/** A value of the shape KubevirtNodePoolPlatform. */
export interface KubevirtNodePoolPlatform extends Infer<typeof kubevirtNodePoolPlatformShape> {}

/** The shape KubevirtNodePoolPlatform. */
export const kubevirtNodePoolPlatform: Schema<KubevirtNodePoolPlatform> = named('KubevirtNodePoolPlatform', kubevirtNodePoolPlatformShape);

const gcpNodePoolPlatformShape = object(
  {
    bootDisk: optional(object({
      diskSizeGB: optional(int64({ default: 64, maximum: 65536, minimum: 20 })),
      diskType: optional(string({ default: 'pd-balanced', enum: ['pd-standard', 'pd-ssd', 'pd-balanced'] })),
      encryptionKey: optional(object({
        kmsKeyName: string({
          maxLength: 2048,
          minLength: 1,
          rules: [
            {
              message: 'kmsKeyName must be in the format projects/{project}/locations/{location}/keyRings/{keyRing}/cryptoKeys/{key}',
              rule: "self.matches('^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/[a-z0-9-]+/keyRings/[a-zA-Z0-9_-]+/cryptoKeys/[a-zA-Z0-9_-]+$')",
            },
          ],
        }),
      })),
    })),
    image: optional(string({ maxLength: 2048, minLength: 1 })),
    machineType: string({
      maxLength: 255,
      minLength: 1,
      rules: [
        {
          message: 'machineType must start and end with a lowercase letter or digit, and contain only lowercase letters, digits, and hyphens',
          rule: "self.matches('^[a-z0-9]+(-[a-z0-9]+)*$')",
        },
      ],
    }),
    networkTags: optional(array(
      string({
        maxLength: 63,
        minLength: 1,
        rules: [
          {
            message: 'must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and not end with a hyphen',
            rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
          },
        ],
      }),
      { maxItems: 64, minItems: 1, listType: 'set' },
    )),
    onHostMaintenance: optional(string({ enum: ['MIGRATE', 'TERMINATE'] })),
    provisioningModel: optional(string({ default: 'Standard', enum: ['Standard', 'Spot', 'Preemptible'] })),
    resourceLabels: optional(array(gcpResourceLabel, { maxItems: 60, minItems: 1, listMapKeys: ['key'], listType: 'map' })),
    serviceAccount: optional(object({
      email: optional(string({
        maxLength: 85,
        minLength: 37,
        rules: [
          {
            message: 'email must be a valid GCP service account email (format: name@project.iam.gserviceaccount.com)',
            rule: "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\\\\.iam\\\\.gserviceaccount\\\\.com$')",
          },
        ],
      })),
      scopes: optional(array(string({ maxLength: 512 }), { maxItems: 50, minItems: 1, listType: 'set' })),
    })),
    subnet: string({
      maxLength: 63,
      minLength: 1,
      rules: [
        {
          message: 'must start with a lowercase letter, contain only lowercase letters, digits, or hyphens, and not end with a hyphen',
          rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
        },
      ],
    }),
    zone: string({
      maxLength: 63,
      minLength: 1,
      rules: [
        {
          message: 'zone must be in the form of region-zone (e.g., us-central1-a)',
          rule: "self.matches('^[a-z]+(?:-[a-z0-9]+)*-[a-z]$')",
        },
      ],
    }),
  },
  {
    rules: [
      {
        message: 'onHostMaintenance must be TERMINATE when provisioningModel is Spot or Preemptible',
        rule: "!has(self.onHostMaintenance) || !has(self.provisioningModel) || self.provisioningModel == 'Standard' || self.onHostMaintenance == 'TERMINATE'",
      },
    ],
  },
);

/** A value of the shape GCPNodePoolPlatform. */
export interface GCPNodePoolPlatform extends Infer<typeof gcpNodePoolPlatformShape> {}

/** The shape GCPNodePoolPlatform. */
export const gcpNodePoolPlatform: Schema<GCPNodePoolPlatform> = named('GCPNodePoolPlatform', gcpNodePoolPlatformShape);

const awsNodePoolPlatformShape = object({
  ami: optional(string({ maxLength: 255 })),
  imageType: optional(string({ enum: ['Windows', 'Linux'] })),
  instanceProfile: optional(string({ maxLength: 255 })),
  instanceType: string({ maxLength: 255 }),
  placement: optional(object(
    {
      capacityReservation: optional(object(
        {
          id: optional(string({
            maxLength: 20,
            rules: [
              {
                message: "AWS Capacity Reservation ID must start with 'cr-' followed by 17 lowercase hexadecimal characters (e.g., cr-0123456789abcdef0)",
                rule: "self.matches('^cr-[a-f0-9]{17}$')",
              },
            ],
          })),
          marketType: optional(string({ enum: ['OnDemand', 'CapacityBlocks'] })),
          preference: optional(string({ enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] })),
        },
        {
          rules: [
            {
              message: "AWS Capacity Reservation preference 'None' or 'Open' is incompatible with specifying a Capacity Reservation ID",
              rule: "has(self.id) ? (!has(self.preference) || !(self.preference in ['Open','None'])) : true",
            },
            {
              message: "AWS Capacity Reservation market type 'CapacityBlocks' requires a Capacity Reservation ID",
              rule: "has(self.marketType) && self.marketType == 'CapacityBlocks' ? has(self.id) : true",
            },
          ],
        },
      )),
      marketType: optional(string({ enum: ['', 'OnDemand', 'Spot', 'CapacityBlocks'] })),
      spot: optional(object({ maxPrice: optional(string({ maxLength: 20, minLength: 1, pattern: '^[0-9]+(\\.[0-9]+)?$' })) })),
      tenancy: optional(string({ enum: ['default', 'dedicated', 'host'] })),
    },
    {
      rules: [
        {
          message: "AWS Capacity Reservations cannot be used with Dedicated Hosts (tenancy 'host')",
          rule: "has(self.tenancy) && self.tenancy == 'host' ? !has(self.capacityReservation) : true",
        },
        {
          message: 'Spot instances cannot be combined with Capacity Reservations',
          rule: "!has(self.marketType) || self.marketType != 'Spot' || !has(self.capacityReservation)",
        },
        {
          message: 'Spot instances require default tenancy or unset',
          rule: "!has(self.marketType) || self.marketType != 'Spot' || !has(self.tenancy) || self.tenancy == 'default'",
        },
        {
          message: 'CapacityBlocks market type requires capacityReservation to be specified',
          rule: "!has(self.marketType) || self.marketType != 'CapacityBlocks' || has(self.capacityReservation)",
        },
        {
          message: "spot options can only be specified when marketType is 'Spot'",
          rule: "!has(self.spot) || (has(self.marketType) && self.marketType == 'Spot')",
        },
      ],
    },
  )),
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
  rootVolume: optional(object({
    encrypted: optional(boolean()),
    encryptionKey: optional(string({ maxLength: 2048 })),
    iops: optional(int64()),
    size: int64({ minimum: 8 }),
    type: string({ maxLength: 255 }),
  })),
  securityGroups: optional(array(awsResourceReference, { maxItems: 50 })),
  subnet: object(
    { filters: optional(array(awsFilter, { maxItems: 50 })), id: optional(string({ maxLength: 255 })) },
    {
      rules: [
        {
          message: 'subnet is invalid, a valid subnet id or filters must be set, but not both',
          rule: "has(self.id) && self.id.startsWith('subnet-') ? !has(self.filters) : size(self.filters) > 0",
        },
      ],
    },
  ),
});

/** A value of the shape AWSNodePoolPlatform. */
export interface AWSNodePoolPlatform extends Infer<typeof awsNodePoolPlatformShape> {}

/** The shape AWSNodePoolPlatform. */
export const awsNodePoolPlatform: Schema<AWSNodePoolPlatform> = named('AWSNodePoolPlatform', awsNodePoolPlatformShape);

const azureNodePoolPlatformShape = object({
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

/** A value of the shape AzureNodePoolPlatform. */
export interface AzureNodePoolPlatform extends Infer<typeof azureNodePoolPlatformShape> {}

/** The shape AzureNodePoolPlatform. */
export const azureNodePoolPlatform: Schema<AzureNodePoolPlatform> = named('AzureNodePoolPlatform', azureNodePoolPlatformShape);

const nodePoolPlatformShape = object({
  agent: optional(object({ agentLabelSelector: optional(labelSelector) })),
  aws: optional(awsNodePoolPlatform),
  azure: optional(azureNodePoolPlatform),
  gcp: gated('TechPreviewNoUpgrade', optional(gcpNodePoolPlatform)),
  ibmcloud: optional(object({ providerType: optional(string()) })),
  kubevirt: optional(kubevirtNodePoolPlatform),
  nodePoolRef: optional(platformReference),
  openstack: gated('TechPreviewNoUpgrade', optional(openStackNodePoolPlatform)),
  powervs: optional(powerVsNodePoolPlatform),
  type: string({
    enum: ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None'],
    maxLength: 100,
    rules: [{ message: 'Type is immutable', rule: 'self == oldSelf' }],
    gated: {
      TechPreviewNoUpgrade: {
        enum: ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None', 'OpenStack', 'GCP'],
      },
    },
  }),
});

/** A value of the shape NodePoolPlatform. */
export interface NodePoolPlatform extends Infer<typeof nodePoolPlatformShape> {}

/** The shape NodePoolPlatform. */
export const nodePoolPlatform: Schema<NodePoolPlatform> = named('NodePoolPlatform', nodePoolPlatformShape);

const nodePoolSpecShape = object(
  {
    arch: optional(string({
      default: 'amd64',
      enum: ['arm64', 'amd64', 'ppc64le', 's390x'],
      rules: [{ message: 'Arch is immutable', rule: 'self == oldSelf' }],
    })),
    autoScaling: optional(nodePoolAutoscaling),
    clusterName: string({
      maxLength: 253,
      minLength: 1,
      rules: [
        { message: 'ClusterName is immutable', rule: 'self == oldSelf' },
        {
          message: "clusterName must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
          rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        },
      ],
    }),
    config: optional(array(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }), { maxItems: 10 })),
    management: nodePoolManagement,
    nodeDrainTimeout: optional(string()),
    nodeLabels: optional(map(string())),
    nodeVolumeDetachTimeout: optional(string()),
    osImageStream: gated(
      'TechPreviewNoUpgrade',
      optional(object(
        { name: string({ enum: ['rhel-9', 'rhel-10'] }) },
        {
          rules: [
            {
              message: 'OS stream downgrade from rhel-10 to rhel-9 is not allowed; create a new NodePool instead',
              rule: "!has(oldSelf.name) || oldSelf.name != 'rhel-10' || (has(self.name) && self.name != 'rhel-9')",
            },
          ],
        },
      )),
    ),
    pausedUntil: optional(string({
      maxLength: 35,
      minLength: 1,
      rules: [
        {
          message: "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
          rule: "self.matches('^\\\\d{4}-\\\\d{2}-\\\\d{2}T\\\\d{2}:\\\\d{2}:\\\\d{2}.*$') || self in ['true', 'false', 'True', 'False']",
        },
      ],
    })),
    platform: nodePoolPlatform,
    release: object({
      image: string({
        maxLength: 253,
        minLength: 1,
        rules: [
          {
            message: 'Image must start with a word character (letters, digits, or underscores) and contain no white spaces',
            rule: "self.matches('^(\\\\w+\\\\S+)$')",
          },
        ],
      }),
    }),
    replicas: optional(int32()),
    taints: optional(array(
      object({
        effect: string({ enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] }),
        key: string({
          maxLength: 253,
          minLength: 1,
          rules: [
            {
              message: 'key must be a qualified name with an optional subdomain prefix e.g. example.com/MyName',
              rule: "self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$')",
            },
          ],
        }),
        value: optional(string({
          maxLength: 253,
          rules: [
            {
              message: "Value must start and end with alphanumeric characters and can only contain '-', '_', '.' in the middle",
              rule: "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
            },
          ],
        })),
      }),
      { maxItems: 50 },
    )),
    tuningConfig: optional(array(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }), { maxItems: 10 })),
  },
  {
    rules: [
      { message: 'Arch is required once set', rule: '!has(oldSelf.arch) || has(self.arch)' },
      {
        message: 'Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None',
        rule: "self.arch != 'arm64' || self.platform.type in ['AWS', 'Azure', 'Agent', 'GCP', 'None']",
      },
      {
        message: 'Both replicas or autoScaling should not be set',
        rule: '!has(self.replicas) || !has(self.autoScaling)',
      },
      {
        message: 's390x is only supported on KubeVirt platform',
        rule: "self.arch != 's390x' || self.platform.type == 'KubeVirt'",
      },
      {
        message: "ImageType 'Windows' requires arch 'amd64' (AWS only)",
        rule: "!has(self.platform.aws) || !has(self.platform.aws.imageType) || self.platform.aws.imageType != 'Windows' || self.arch == 'amd64'",
      },
      {
        message: 'Scale-from-zero (autoScaling.min=0) is currently only supported for AWS and Azure platforms',
        rule: "!has(self.autoScaling) || self.autoScaling.min > 0 || self.platform.type == 'AWS' || self.platform.type == 'Azure'",
      },
    ],
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'osImageStream cannot be removed once set; create a new NodePool instead',
            rule: '!has(oldSelf.osImageStream) || has(self.osImageStream)',
          },
          { message: 'Arch is required once set', rule: '!has(oldSelf.arch) || has(self.arch)' },
          {
            message: 'Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None',
            rule: "self.arch != 'arm64' || self.platform.type in ['AWS', 'Azure', 'Agent', 'GCP', 'None']",
          },
          {
            message: 'Both replicas or autoScaling should not be set',
            rule: '!has(self.replicas) || !has(self.autoScaling)',
          },
          {
            message: 's390x is only supported on KubeVirt platform',
            rule: "self.arch != 's390x' || self.platform.type == 'KubeVirt'",
          },
          {
            message: "ImageType 'Windows' requires arch 'amd64' (AWS only)",
            rule: "!has(self.platform.aws) || !has(self.platform.aws.imageType) || self.platform.aws.imageType != 'Windows' || self.arch == 'amd64'",
          },
          {
            message: 'Scale-from-zero (autoScaling.min=0) is currently only supported for AWS and Azure platforms',
            rule: "!has(self.autoScaling) || self.autoScaling.min > 0 || self.platform.type == 'AWS' || self.platform.type == 'Azure'",
          },
        ],
      },
    },
  },
);

/** A value of the shape NodePoolSpec. */
export interface NodePoolSpec extends Infer<typeof nodePoolSpecShape> {}

/** The shape NodePoolSpec. */
export const nodePoolSpec: Schema<NodePoolSpec> = named('NodePoolSpec', nodePoolSpecShape);

/** The kind NodePool. */
export const nodePool = kind({
  group: 'hypershift.openshift.io',
  kind: 'NodePool',
  plural: 'nodepools',
  shortNames: ['np', 'nps'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired Nodes', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current Nodes', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Autoscaling', type: 'string', jsonPath: '.status.conditions[?(@.type=="AutoscalingEnabled")].status' },
        { name: 'Autorepair', type: 'string', jsonPath: '.status.conditions[?(@.type=="AutorepairEnabled")].status' },
        { name: 'Version', type: 'string', jsonPath: '.status.version' },
        {
          name: 'UpdatingVersion',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="UpdatingVersion")].status',
        },
        { name: 'UpdatingConfig', type: 'string', jsonPath: '.status.conditions[?(@.type=="UpdatingConfig")].status' },
        { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].message' },
      ],
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: object({ spec: optional(nodePoolSpec), status: optional(nodePoolStatus) }),
    },
  ],
});

/** NodePool in `hypershift.openshift.io/v1beta1`. */
export type NodePool = KindOf<typeof nodePool, 'v1beta1'>;
