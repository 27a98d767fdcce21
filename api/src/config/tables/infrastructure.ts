// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, gated, int32, kind, named, nullable, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const kubevirtPlatformStatusShape = object({ apiServerInternalIP: optional(string()), ingressIP: optional(string()) });

/** A value of the shape KubevirtPlatformStatus. */
export interface KubevirtPlatformStatus extends Infer<typeof kubevirtPlatformStatusShape> {}

/** The shape KubevirtPlatformStatus. */
export const kubevirtPlatformStatus: Schema<KubevirtPlatformStatus> = named('KubevirtPlatformStatus', kubevirtPlatformStatusShape);

const nutanixPrismEndpointShape = object({ address: string({ maxLength: 256 }), port: int32({ maximum: 65535, minimum: 1 }) });

/** A value of the shape NutanixPrismEndpoint. */
export interface NutanixPrismEndpoint extends Infer<typeof nutanixPrismEndpointShape> {}

/** The shape NutanixPrismEndpoint. */
export const nutanixPrismEndpoint: Schema<NutanixPrismEndpoint> = named('NutanixPrismEndpoint', nutanixPrismEndpointShape);

const awsServiceEndpointShape = object({ name: optional(string({ pattern: '^[a-z0-9-]+$' })), url: optional(string({ pattern: '^https://' })) });

/** A value of the shape AWSServiceEndpoint. */
export interface AWSServiceEndpoint extends Infer<typeof awsServiceEndpointShape> {}

/** The shape AWSServiceEndpoint. */
export const awsServiceEndpoint: Schema<AWSServiceEndpoint> = named('AWSServiceEndpoint', awsServiceEndpointShape);

const powerVsServiceEndpointShape = object({
  name: string({
    enum: [
      'CIS',
      'COS',
      'COSConfig',
      'DNSServices',
      'GlobalCatalog',
      'GlobalSearch',
      'GlobalTagging',
      'HyperProtect',
      'IAM',
      'KeyProtect',
      'Power',
      'ResourceController',
      'ResourceManager',
      'VPC',
    ],
  }),
  url: string({ format: 'uri', pattern: '^https://' }),
});

/** A value of the shape PowerVSServiceEndpoint. */
export interface PowerVSServiceEndpoint extends Infer<typeof powerVsServiceEndpointShape> {}

/** The shape PowerVSServiceEndpoint. */
export const powerVsServiceEndpoint: Schema<PowerVSServiceEndpoint> = named('PowerVSServiceEndpoint', powerVsServiceEndpointShape);

const vsphereNodeNetworkShape = object({
  excludeNetworkSubnetCidr: optional(array(string({ format: 'cidr' }), { listType: 'atomic' })),
  network: optional(string()),
  networkSubnetCidr: optional(array(string({ format: 'cidr' }), { listType: 'set' })),
});

/** A value of the shape VSphereNodeNetwork. */
export interface VSphereNodeNetwork extends Infer<typeof vsphereNodeNetworkShape> {}

/** The shape VSphereNodeNetwork. */
export const vsphereNodeNetwork: Schema<VSphereNodeNetwork> = named('VSphereNodeNetwork', vsphereNodeNetworkShape);

const nutanixResourceIdentifierShape = object(
  { name: optional(string()), type: string({ enum: ['UUID', 'Name'] }), uuid: optional(string()) },
  {
    rules: [
      {
        message: 'uuid configuration is required when type is UUID, and forbidden otherwise',
        rule: "has(self.type) && self.type == 'UUID' ?  has(self.uuid) : !has(self.uuid)",
      },
      {
        message: 'name configuration is required when type is Name, and forbidden otherwise',
        rule: "has(self.type) && self.type == 'Name' ?  has(self.name) : !has(self.name)",
      },
    ],
  },
);

/** A value of the shape NutanixResourceIdentifier. */
export interface NutanixResourceIdentifier extends Infer<typeof nutanixResourceIdentifierShape> {}

/** The shape NutanixResourceIdentifier. */
export const nutanixResourceIdentifier: Schema<NutanixResourceIdentifier> = named('NutanixResourceIdentifier', nutanixResourceIdentifierShape);

const cloudLoadBalancerIPsShape = object({
  apiIntLoadBalancerIPs: optional(array(
    string({
      maxLength: 39,
      minLength: 1,
      rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
    }),
    { format: 'ip', maxItems: 16, listType: 'set' },
  )),
  apiLoadBalancerIPs: optional(array(
    string({
      maxLength: 39,
      minLength: 1,
      rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
    }),
    { format: 'ip', maxItems: 16, listType: 'set' },
  )),
  ingressLoadBalancerIPs: optional(array(
    string({
      maxLength: 39,
      minLength: 1,
      rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
    }),
    { format: 'ip', maxItems: 16, listType: 'set' },
  )),
});

/** A value of the shape CloudLoadBalancerIPs. */
export interface CloudLoadBalancerIPs extends Infer<typeof cloudLoadBalancerIPsShape> {}

/** The shape CloudLoadBalancerIPs. */
export const cloudLoadBalancerIPs: Schema<CloudLoadBalancerIPs> = named('CloudLoadBalancerIPs', cloudLoadBalancerIPsShape);

const cloudLoadBalancerConfigShape = object(
  {
    clusterHosted: optional(cloudLoadBalancerIPs),
    dnsType: optional(string({
      default: 'PlatformDefault',
      enum: ['ClusterHosted', 'PlatformDefault'],
      rules: [{ message: 'dnsType is immutable', rule: "oldSelf == '' || self == oldSelf" }],
    })),
  },
  {
    default: { dnsType: 'PlatformDefault' },
    rules: [
      {
        message: 'clusterHosted is permitted only when dnsType is ClusterHosted',
        rule: "has(self.dnsType) && self.dnsType != 'ClusterHosted' ? !has(self.clusterHosted) : true",
      },
    ],
  },
);

/** A value of the shape CloudLoadBalancerConfig. */
export interface CloudLoadBalancerConfig extends Infer<typeof cloudLoadBalancerConfigShape> {}

/** The shape CloudLoadBalancerConfig. */
export const cloudLoadBalancerConfig: Schema<CloudLoadBalancerConfig> = named('CloudLoadBalancerConfig', cloudLoadBalancerConfigShape);

const onPremisesPlatformSpecShape = object(
  {
    apiServerInternalIPs: optional(array(
      string({
        maxLength: 39,
        minLength: 1,
        rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
      }),
      {
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'apiServerInternalIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true',
          },
        ],
      },
    )),
    ingressIPs: optional(array(
      string({
        maxLength: 39,
        minLength: 1,
        rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
      }),
      {
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'ingressIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true',
          },
        ],
      },
    )),
    machineNetworks: optional(array(
      string({
        maxLength: 43,
        minLength: 1,
        rules: [{ message: 'value must be a valid CIDR network address', rule: 'isCIDR(self)' }],
      }),
      { maxItems: 32, listType: 'atomic', rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))' }] },
    )),
  },
  {
    rules: [
      {
        message: 'apiServerInternalIPs list is required once set',
        rule: '!has(oldSelf.apiServerInternalIPs) || has(self.apiServerInternalIPs)',
      },
      { message: 'ingressIPs list is required once set', rule: '!has(oldSelf.ingressIPs) || has(self.ingressIPs)' },
    ],
  },
);

/** A value of the shape OnPremisesPlatformSpec. */
export interface OnPremisesPlatformSpec extends Infer<typeof onPremisesPlatformSpecShape> {}

/** The shape OnPremisesPlatformSpec. */
export const onPremisesPlatformSpec: Schema<OnPremisesPlatformSpec> = named('OnPremisesPlatformSpec', onPremisesPlatformSpecShape);

const onPremisesPlatformStatusShape = object(
  {
    apiServerInternalIP: optional(string()),
    apiServerInternalIPs: optional(array(
      string(),
      {
        format: 'ip',
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'apiServerInternalIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
          },
        ],
      },
    )),
    dnsRecordsType: gated('TechPreviewNoUpgrade', optional(string({ enum: ['Internal', 'External'] }))),
    ingressIP: optional(string()),
    ingressIPs: optional(array(
      string(),
      {
        format: 'ip',
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'ingressIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
          },
        ],
      },
    )),
    loadBalancer: optional(object(
      {
        type: optional(string({
          default: 'OpenShiftManagedDefault',
          enum: ['OpenShiftManagedDefault', 'UserManaged'],
          rules: [{ message: 'type is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
        })),
      },
      { default: { type: 'OpenShiftManagedDefault' } },
    )),
    machineNetworks: optional(array(
      string({
        maxLength: 43,
        minLength: 1,
        rules: [{ message: 'value must be a valid CIDR network address', rule: 'isCIDR(self)' }],
      }),
      { maxItems: 32, listType: 'atomic', rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))' }] },
    )),
    nodeDNSIP: optional(string()),
  },
  {
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'dnsRecordsType may only be set to External when loadBalancer.type is UserManaged',
            rule: "!has(self.dnsRecordsType) || self.dnsRecordsType == 'Internal' || (has(self.loadBalancer) && self.loadBalancer.type == 'UserManaged')",
          },
        ],
      },
    },
  },
);

/** A value of the shape OnPremisesPlatformStatus. */
export interface OnPremisesPlatformStatus extends Infer<typeof onPremisesPlatformStatusShape> {}

/** The shape OnPremisesPlatformStatus. */
export const onPremisesPlatformStatus: Schema<OnPremisesPlatformStatus> = named('OnPremisesPlatformStatus', onPremisesPlatformStatusShape);

const openStackPlatformStatusShape = object(
  {
    apiServerInternalIP: optional(string()),
    apiServerInternalIPs: optional(array(
      string(),
      {
        format: 'ip',
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'apiServerInternalIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
          },
        ],
      },
    )),
    cloudName: optional(string()),
    dnsRecordsType: gated('TechPreviewNoUpgrade', optional(string({ enum: ['Internal', 'External'] }))),
    ingressIP: optional(string()),
    ingressIPs: optional(array(
      string(),
      {
        format: 'ip',
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'ingressIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
          },
        ],
      },
    )),
    loadBalancer: optional(object(
      {
        type: optional(string({
          default: 'OpenShiftManagedDefault',
          enum: ['OpenShiftManagedDefault', 'UserManaged'],
          rules: [{ message: 'type is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
        })),
      },
      { default: { type: 'OpenShiftManagedDefault' } },
    )),
    machineNetworks: optional(array(
      string({
        maxLength: 43,
        minLength: 1,
        rules: [{ message: 'value must be a valid CIDR network address', rule: 'isCIDR(self)' }],
      }),
      { maxItems: 32, listType: 'atomic', rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))' }] },
    )),
    nodeDNSIP: optional(string()),
  },
  {
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'dnsRecordsType may only be set to External when loadBalancer.type is UserManaged',
            rule: "!has(self.dnsRecordsType) || self.dnsRecordsType == 'Internal' || (has(self.loadBalancer) && self.loadBalancer.type == 'UserManaged')",
          },
        ],
      },
    },
  },
);

/** A value of the shape OpenStackPlatformStatus. */
export interface OpenStackPlatformStatus extends Infer<typeof openStackPlatformStatusShape> {}

/** The shape OpenStackPlatformStatus. */
export const openStackPlatformStatus: Schema<OpenStackPlatformStatus> = named('OpenStackPlatformStatus', openStackPlatformStatusShape);

const nutanixPlatformSpecShape = object({
  failureDomains: optional(array(
    object({
      cluster: nutanixResourceIdentifier,
      name: string({ maxLength: 64, minLength: 1, pattern: '[a-z0-9]([-a-z0-9]*[a-z0-9])?' }),
      subnets: array(
        nutanixResourceIdentifier,
        {
          maxItems: 1,
          minItems: 1,
          listType: 'atomic',
          gated: {
            TechPreviewNoUpgrade: {
              maxItems: 32,
              rules: [{ message: 'each subnet must be unique', rule: 'self.all(x, self.exists_one(y, x == y))' }],
            },
          },
        },
      ),
    }),
    { listMapKeys: ['name'], listType: 'map', gated: { TechPreviewNoUpgrade: { maxItems: 32 } } },
  )),
  prismCentral: nutanixPrismEndpoint,
  prismElements: array(
    object({ endpoint: nutanixPrismEndpoint, name: string({ maxLength: 256 }) }),
    { listMapKeys: ['name'], listType: 'map' },
  ),
});

/** A value of the shape NutanixPlatformSpec. */
export interface NutanixPlatformSpec extends Infer<typeof nutanixPlatformSpecShape> {}

/** The shape NutanixPlatformSpec. */
export const nutanixPlatformSpec: Schema<NutanixPlatformSpec> = named('NutanixPlatformSpec', nutanixPlatformSpecShape);

const awsPlatformStatusShape = object({
  cloudLoadBalancerConfig: optional(nullable(cloudLoadBalancerConfig)),
  ipFamily: optional(string({
    default: 'IPv4',
    enum: ['IPv4', 'DualStackIPv6Primary', 'DualStackIPv4Primary'],
    rules: [{ message: 'ipFamily is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
  })),
  region: optional(string()),
  resourceTags: optional(array(
    object({
      key: string({
        maxLength: 128,
        minLength: 1,
        rules: [
          {
            message: "invalid AWS resource tag key. The string can contain only the set of alphanumeric characters, space (' '), '_', '.', '/', '=', '+', '-', ':', '@'",
            rule: "self.matches('^[0-9A-Za-z_.:/=+-@ ]+$')",
          },
        ],
      }),
      value: string({
        maxLength: 256,
        minLength: 1,
        rules: [
          {
            message: "invalid AWS resource tag value. The string can contain only the set of alphanumeric characters, space (' '), '_', '.', '/', '=', '+', '-', ':', '@'",
            rule: "self.matches('^[0-9A-Za-z_.:/=+-@ ]+$')",
          },
        ],
      }),
    }),
    { maxItems: 25, listType: 'atomic' },
  )),
  serviceEndpoints: optional(array(awsServiceEndpoint, { listType: 'atomic' })),
});

/** A value of the shape AWSPlatformStatus. */
export interface AWSPlatformStatus extends Infer<typeof awsPlatformStatusShape> {}

/** The shape AWSPlatformStatus. */
export const awsPlatformStatus: Schema<AWSPlatformStatus> = named('AWSPlatformStatus', awsPlatformStatusShape);

const azurePlatformStatusShape = object(
  {
    armEndpoint: optional(string()),
    cloudLoadBalancerConfig: optional(cloudLoadBalancerConfig),
    cloudName: optional(string({
      enum: [
        '',
        'AzurePublicCloud',
        'AzureUSGovernmentCloud',
        'AzureChinaCloud',
        'AzureGermanCloud',
        'AzureStackCloud',
      ],
    })),
    ipFamily: gated(
      'TechPreviewNoUpgrade',
      optional(string({
        default: 'IPv4',
        enum: ['IPv4', 'DualStackIPv6Primary', 'DualStackIPv4Primary'],
        rules: [{ message: 'ipFamily is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
      })),
    ),
    networkResourceGroupName: optional(string()),
    resourceGroupName: optional(string()),
    resourceTags: optional(array(
      object({
        key: string({ maxLength: 128, minLength: 1, pattern: '^[a-zA-Z]([0-9A-Za-z_.-]*[0-9A-Za-z_])?$' }),
        value: string({ maxLength: 256, minLength: 1, pattern: '^[0-9A-Za-z_.=+-@]+$' }),
      }),
      {
        maxItems: 10,
        listType: 'atomic',
        rules: [
          {
            message: 'resourceTags are immutable and may only be configured during installation',
            rule: 'self.all(x, x in oldSelf) && oldSelf.all(x, x in self)',
          },
        ],
      },
    )),
  },
  {
    rules: [
      {
        message: 'resourceTags may only be configured during installation',
        rule: '!has(oldSelf.resourceTags) && !has(self.resourceTags) || has(oldSelf.resourceTags) && has(self.resourceTags)',
      },
    ],
  },
);

/** A value of the shape AzurePlatformStatus. */
export interface AzurePlatformStatus extends Infer<typeof azurePlatformStatusShape> {}

/** The shape AzurePlatformStatus. */
export const azurePlatformStatus: Schema<AzurePlatformStatus> = named('AzurePlatformStatus', azurePlatformStatusShape);

const gcpPlatformStatusShape = object(
  {
    cloudLoadBalancerConfig: optional(nullable(cloudLoadBalancerConfig)),
    projectID: optional(string()),
    region: optional(string()),
    resourceLabels: optional(array(
      object({
        key: string({
          maxLength: 63,
          minLength: 1,
          pattern: '^[a-z][0-9a-z_-]{0,62}$',
          rules: [
            {
              message: 'label keys must not start with either `openshift-io` or `kubernetes-io`',
              rule: "!self.startsWith('openshift-io') && !self.startsWith('kubernetes-io')",
            },
          ],
        }),
        value: string({ maxLength: 63, minLength: 1, pattern: '^[0-9a-z_-]{1,63}$' }),
      }),
      {
        maxItems: 32,
        listMapKeys: ['key'],
        listType: 'map',
        rules: [
          {
            message: 'resourceLabels are immutable and may only be configured during installation',
            rule: 'self.all(x, x in oldSelf) && oldSelf.all(x, x in self)',
          },
        ],
      },
    )),
    resourceTags: optional(array(
      object({
        key: string({ maxLength: 63, minLength: 1, pattern: '^[a-zA-Z0-9]([0-9A-Za-z_.-]{0,61}[a-zA-Z0-9])?$' }),
        parentID: string({ maxLength: 32, minLength: 1, pattern: '(^[1-9][0-9]{0,31}$)|(^[a-z][a-z0-9-]{4,28}[a-z0-9]$)' }),
        value: string({
          maxLength: 63,
          minLength: 1,
          pattern: '^[a-zA-Z0-9]([0-9A-Za-z_.@%=+:,*#&()\\[\\]{}\\-\\s]{0,61}[a-zA-Z0-9])?$',
        }),
      }),
      {
        maxItems: 50,
        listMapKeys: ['key'],
        listType: 'map',
        rules: [
          {
            message: 'resourceTags are immutable and may only be configured during installation',
            rule: 'self.all(x, x in oldSelf) && oldSelf.all(x, x in self)',
          },
        ],
      },
    )),
    universeDomain: gated(
      'TechPreviewNoUpgrade',
      optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [
          {
            message: "universeDomain must be a valid DNS subdomain: contain no more than 253 characters, contain only lowercase alphanumeric characters, '-' or '.', and start and end with an alphanumeric character",
            rule: '!format.dns1123Subdomain().validate(self).hasValue()',
          },
        ],
      })),
    ),
  },
  {
    rules: [
      {
        message: 'resourceLabels may only be configured during installation',
        rule: '!has(oldSelf.resourceLabels) && !has(self.resourceLabels) || has(oldSelf.resourceLabels) && has(self.resourceLabels)',
      },
      {
        message: 'resourceTags may only be configured during installation',
        rule: '!has(oldSelf.resourceTags) && !has(self.resourceTags) || has(oldSelf.resourceTags) && has(self.resourceTags)',
      },
    ],
  },
);

/** A value of the shape GCPPlatformStatus. */
export interface GCPPlatformStatus extends Infer<typeof gcpPlatformStatusShape> {}

/** The shape GCPPlatformStatus. */
export const gcpPlatformStatus: Schema<GCPPlatformStatus> = named('GCPPlatformStatus', gcpPlatformStatusShape);

const vspherePlatformSpecShape = object(
  {
    apiServerInternalIPs: optional(array(
      string({
        maxLength: 39,
        minLength: 1,
        rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
      }),
      {
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'apiServerInternalIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true',
          },
        ],
      },
    )),
    failureDomains: optional(array(
      object(
        {
          name: string({ maxLength: 256, minLength: 1 }),
          region: string({ maxLength: 80, minLength: 1 }),
          regionAffinity: optional(object({ type: string({ enum: ['ComputeCluster', 'Datacenter'] }) })),
          server: string({
            anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }, { format: 'hostname' }],
            maxLength: 255,
            minLength: 1,
          }),
          topology: object({
            computeCluster: string({ maxLength: 2048, pattern: '^/.*?/host/.*?' }),
            datacenter: string({ maxLength: 80 }),
            datastore: string({ maxLength: 2048, pattern: '^/.*?/datastore/.*?' }),
            folder: optional(string({ maxLength: 2048, pattern: '^/.*?/vm/.*?' })),
            networks: array(string(), { maxItems: 10, minItems: 1, listType: 'atomic' }),
            resourcePool: optional(string({ maxLength: 2048, pattern: '^/.*?/host/.*?/Resources.*' })),
            template: optional(string({ maxLength: 2048, minLength: 1, pattern: '^/.*?/vm/.*?' })),
          }),
          zone: string({ maxLength: 80, minLength: 1 }),
          zoneAffinity: optional(object(
            {
              hostGroup: optional(object({
                hostGroup: string({ maxLength: 80, minLength: 1 }),
                vmGroup: string({ maxLength: 80, minLength: 1 }),
                vmHostRule: string({ maxLength: 80, minLength: 1 }),
              })),
              type: string({ enum: ['HostGroup', 'ComputeCluster'] }),
            },
            {
              rules: [
                {
                  message: 'hostGroup is required when type is HostGroup, and forbidden otherwise',
                  rule: "has(self.type) && self.type == 'HostGroup' ?  has(self.hostGroup) : !has(self.hostGroup)",
                },
              ],
            },
          )),
        },
        {
          rules: [
            {
              message: 'when zoneAffinity type is HostGroup, regionAffinity type must be ComputeCluster',
              rule: "has(self.zoneAffinity) && self.zoneAffinity.type == 'HostGroup' ?  has(self.regionAffinity) && self.regionAffinity.type == 'ComputeCluster' : true",
            },
            {
              message: 'when zoneAffinity type is ComputeCluster, regionAffinity type must be Datacenter',
              rule: "has(self.zoneAffinity) && self.zoneAffinity.type == 'ComputeCluster' ?  has(self.regionAffinity) && self.regionAffinity.type == 'Datacenter' : true",
            },
          ],
        },
      ),
      { listMapKeys: ['name'], listType: 'map' },
    )),
    ingressIPs: optional(array(
      string({
        maxLength: 39,
        minLength: 1,
        rules: [{ message: 'value must be a valid IP address', rule: 'isIP(self)' }],
      }),
      {
        maxItems: 2,
        listType: 'atomic',
        rules: [
          {
            message: 'ingressIPs must contain at most one IPv4 address and at most one IPv6 address',
            rule: 'size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true',
          },
        ],
      },
    )),
    machineNetworks: optional(array(
      string({
        maxLength: 43,
        minLength: 1,
        rules: [{ message: 'value must be a valid CIDR network address', rule: 'isCIDR(self)' }],
      }),
      { maxItems: 32, listType: 'atomic', rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))' }] },
    )),
    nodeNetworking: optional(object({ external: optional(vsphereNodeNetwork), internal: optional(vsphereNodeNetwork) })),
    vcenters: optional(array(
      object({
        datacenters: array(string(), { minItems: 1, listType: 'set' }),
        port: optional(int32({ maximum: 32767, minimum: 1 })),
        server: string({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }, { format: 'hostname' }], maxLength: 255 }),
      }),
      {
        maxItems: 3,
        minItems: 1,
        listType: 'atomic',
        rules: [
          {
            message: 'vcenters must have unique server values',
            rule: 'self.all(x, self.exists_one(y, y.server == x.server))',
          },
        ],
        gated: {
          TechPreviewNoUpgrade: {
            rules: [
              {
                message: 'Cannot add and remove vCenters at the same time',
                rule: 'size(self) >= size(oldSelf) ? oldSelf.all(x, self.exists(y, y.server == x.server)) : true',
              },
              {
                message: 'Cannot add and remove vCenters at the same time',
                rule: 'size(self) < size(oldSelf) ? self.all(x, oldSelf.exists(y, y.server == x.server)) : true',
              },
              {
                message: 'vcenters must have unique server values',
                rule: 'self.all(x, self.exists_one(y, y.server == x.server))',
              },
            ],
          },
        },
      },
    )),
  },
  {
    rules: [
      {
        message: 'apiServerInternalIPs list is required once set',
        rule: '!has(oldSelf.apiServerInternalIPs) || has(self.apiServerInternalIPs)',
      },
      { message: 'ingressIPs list is required once set', rule: '!has(oldSelf.ingressIPs) || has(self.ingressIPs)' },
    ],
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'all failure domains must have a corresponding vCenter entry',
            rule: '!has(self.failureDomains) || size(self.failureDomains) == 0 || (has(self.vcenters) && self.failureDomains.all(fd, self.vcenters.exists(vc, vc.server == fd.server)))',
          },
          {
            message: 'apiServerInternalIPs list is required once set',
            rule: '!has(oldSelf.apiServerInternalIPs) || has(self.apiServerInternalIPs)',
          },
          { message: 'ingressIPs list is required once set', rule: '!has(oldSelf.ingressIPs) || has(self.ingressIPs)' },
        ],
      },
    },
  },
);

/** A value of the shape VSpherePlatformSpec. */
export interface VSpherePlatformSpec extends Infer<typeof vspherePlatformSpecShape> {}

/** The shape VSpherePlatformSpec. */
export const vspherePlatformSpec: Schema<VSpherePlatformSpec> = named('VSpherePlatformSpec', vspherePlatformSpecShape);

const platformSpecShape = object(
  {
    alibabaCloud: optional(object({})),
    aws: optional(object({ serviceEndpoints: optional(array(awsServiceEndpoint, { listType: 'atomic' })) })),
    azure: optional(object({})),
    baremetal: optional(onPremisesPlatformSpec),
    equinixMetal: optional(object({})),
    external: optional(object({
      platformName: optional(string({
        default: 'Unknown',
        rules: [
          { message: 'platform name cannot be changed once set', rule: "oldSelf == 'Unknown' || self == oldSelf" },
        ],
      })),
    })),
    gcp: optional(object({})),
    ibmcloud: optional(object({
      serviceEndpoints: gated(
        'TechPreviewNoUpgrade',
        optional(array(
          object({
            name: string({
              enum: [
                'CIS',
                'COS',
                'COSConfig',
                'DNSServices',
                'GlobalCatalog',
                'GlobalSearch',
                'GlobalTagging',
                'HyperProtect',
                'IAM',
                'KeyProtect',
                'ResourceController',
                'ResourceManager',
                'VPC',
              ],
            }),
            url: string({
              maxLength: 300,
              rules: [
                { message: 'url must use https scheme', rule: 'url(self).getScheme() == "https"' },
                {
                  message: 'url path must match /v[0,9]+ or /api/v[0,9]+',
                  rule: "matches((url(self).getEscapedPath()), '^/(api/)?v[0-9]+/{0,1}$')",
                },
                { message: 'url must be a valid absolute URL', rule: 'isURL(self)' },
              ],
            }),
          }),
          { maxItems: 13, listMapKeys: ['name'], listType: 'map' },
        )),
      ),
    })),
    kubevirt: optional(object({})),
    nutanix: optional(nutanixPlatformSpec),
    openstack: optional(onPremisesPlatformSpec),
    ovirt: optional(object({})),
    powervs: optional(object({ serviceEndpoints: optional(array(powerVsServiceEndpoint, { listMapKeys: ['name'], listType: 'map' })) })),
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
    vsphere: optional(vspherePlatformSpec),
  },
  {
    rules: [
      {
        message: 'vcenters can have at most 1 item when configured post-install',
        rule: '!has(oldSelf.vsphere) && has(self.vsphere) ? (has(self.vsphere.vcenters) && size(self.vsphere.vcenters) < 2) : true',
      },
    ],
    gated: {
      TechPreviewNoUpgrade: {
        rules: [
          {
            message: 'vcenters is required once set and cannot be removed',
            rule: 'oldSelf.?vsphere.vcenters.hasValue() ? self.?vsphere.vcenters.hasValue() : true',
          },
        ],
      },
    },
  },
);

/** A value of the shape PlatformSpec. */
export interface PlatformSpec extends Infer<typeof platformSpecShape> {}

/** The shape PlatformSpec. */
export const platformSpec: Schema<PlatformSpec> = named('PlatformSpec', platformSpecShape);

const infrastructureSpecShape = object({
  cloudConfig: optional(object({ key: optional(string()), name: optional(string()) })),
  platformSpec: optional(platformSpec),
});

/** A value of the shape InfrastructureSpec. */
export interface InfrastructureSpec extends Infer<typeof infrastructureSpecShape> {}

/** The shape InfrastructureSpec. */
export const infrastructureSpec: Schema<InfrastructureSpec> = named('InfrastructureSpec', infrastructureSpecShape);

const platformStatusShape = object({
  alibabaCloud: optional(object({
    region: string({ pattern: '^[0-9A-Za-z-]+$' }),
    resourceGroupID: optional(string({ pattern: '^(rg-[0-9A-Za-z]+)?$' })),
    resourceTags: optional(array(
      object({ key: string({ maxLength: 128, minLength: 1 }), value: string({ maxLength: 128, minLength: 1 }) }),
      { maxItems: 20, listMapKeys: ['key'], listType: 'map' },
    )),
  })),
  aws: optional(awsPlatformStatus),
  azure: optional(azurePlatformStatus),
  baremetal: optional(onPremisesPlatformStatus),
  equinixMetal: optional(kubevirtPlatformStatus),
  external: optional(object(
    {
      cloudControllerManager: optional(object(
        {
          state: optional(string({
            enum: ['', 'External', 'None'],
            rules: [{ message: 'state is immutable once set', rule: 'self == oldSelf' }],
          })),
        },
        {
          rules: [
            {
              message: 'state may not be added or removed once set',
              rule: '(has(self.state) == has(oldSelf.state)) || (!has(oldSelf.state) && self.state != "External")',
            },
          ],
        },
      )),
    },
    {
      rules: [
        {
          message: 'cloudControllerManager may not be added or removed once set',
          rule: 'has(self.cloudControllerManager) == has(oldSelf.cloudControllerManager)',
        },
      ],
    },
  )),
  gcp: optional(gcpPlatformStatus),
  ibmcloud: optional(object({
    cisInstanceCRN: optional(string()),
    dnsInstanceCRN: optional(string()),
    location: optional(string()),
    providerType: optional(string()),
    resourceGroupName: optional(string()),
    serviceEndpoints: optional(array(
      object({
        name: string({
          enum: [
            'CIS',
            'COS',
            'COSConfig',
            'DNSServices',
            'GlobalCatalog',
            'GlobalSearch',
            'GlobalTagging',
            'HyperProtect',
            'IAM',
            'KeyProtect',
            'ResourceController',
            'ResourceManager',
            'VPC',
          ],
        }),
        url: string({ maxLength: 300, rules: [{ message: 'url must be a valid absolute URL', rule: 'isURL(self)' }] }),
      }),
      { listMapKeys: ['name'], listType: 'map', gated: { TechPreviewNoUpgrade: { maxItems: 13 } } },
    )),
  })),
  kubevirt: optional(kubevirtPlatformStatus),
  nutanix: optional(object(
    {
      apiServerInternalIP: optional(string()),
      apiServerInternalIPs: optional(array(
        string(),
        {
          format: 'ip',
          maxItems: 2,
          listType: 'set',
          rules: [
            {
              message: 'apiServerInternalIPs must contain at most one IPv4 address and at most one IPv6 address',
              rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
            },
          ],
        },
      )),
      dnsRecordsType: gated('TechPreviewNoUpgrade', optional(string({ enum: ['Internal', 'External'] }))),
      ingressIP: optional(string()),
      ingressIPs: optional(array(
        string(),
        {
          format: 'ip',
          maxItems: 2,
          listType: 'set',
          rules: [
            {
              message: 'ingressIPs must contain at most one IPv4 address and at most one IPv6 address',
              rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
            },
          ],
        },
      )),
      loadBalancer: optional(object(
        {
          type: optional(string({
            default: 'OpenShiftManagedDefault',
            enum: ['OpenShiftManagedDefault', 'UserManaged'],
            rules: [{ message: 'type is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
          })),
        },
        { default: { type: 'OpenShiftManagedDefault' } },
      )),
    },
    {
      gated: {
        TechPreviewNoUpgrade: {
          rules: [
            {
              message: 'dnsRecordsType may only be set to External when loadBalancer.type is UserManaged',
              rule: "!has(self.dnsRecordsType) || self.dnsRecordsType == 'Internal' || (has(self.loadBalancer) && self.loadBalancer.type == 'UserManaged')",
            },
          ],
        },
      },
    },
  )),
  openstack: optional(openStackPlatformStatus),
  ovirt: optional(object(
    {
      apiServerInternalIP: optional(string()),
      apiServerInternalIPs: optional(array(
        string(),
        {
          format: 'ip',
          maxItems: 2,
          listType: 'set',
          rules: [
            {
              message: 'apiServerInternalIPs must contain at most one IPv4 address and at most one IPv6 address',
              rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
            },
          ],
        },
      )),
      dnsRecordsType: gated('TechPreviewNoUpgrade', optional(string({ enum: ['Internal', 'External'] }))),
      ingressIP: optional(string()),
      ingressIPs: optional(array(
        string(),
        {
          format: 'ip',
          maxItems: 2,
          listType: 'set',
          rules: [
            {
              message: 'ingressIPs must contain at most one IPv4 address and at most one IPv6 address',
              rule: 'self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true)',
            },
          ],
        },
      )),
      loadBalancer: optional(object(
        {
          type: optional(string({
            default: 'OpenShiftManagedDefault',
            enum: ['OpenShiftManagedDefault', 'UserManaged'],
            rules: [{ message: 'type is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
          })),
        },
        { default: { type: 'OpenShiftManagedDefault' } },
      )),
      nodeDNSIP: optional(string()),
    },
    {
      gated: {
        TechPreviewNoUpgrade: {
          rules: [
            {
              message: 'dnsRecordsType may only be set to External when loadBalancer.type is UserManaged',
              rule: "!has(self.dnsRecordsType) || self.dnsRecordsType == 'Internal' || (has(self.loadBalancer) && self.loadBalancer.type == 'UserManaged')",
            },
          ],
        },
      },
    },
  )),
  powervs: optional(object(
    {
      cisInstanceCRN: optional(string()),
      dnsInstanceCRN: optional(string()),
      region: optional(string()),
      resourceGroup: optional(string({
        maxLength: 40,
        pattern: '^[a-zA-Z0-9-_ ]+$',
        rules: [{ message: 'resourceGroup is immutable once set', rule: "oldSelf == '' || self == oldSelf" }],
      })),
      serviceEndpoints: optional(array(powerVsServiceEndpoint, { listMapKeys: ['name'], listType: 'map' })),
      zone: optional(string()),
    },
    {
      rules: [
        {
          message: 'cannot unset resourceGroup once set',
          rule: '!has(oldSelf.resourceGroup) || has(self.resourceGroup)',
        },
      ],
    },
  )),
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
  vsphere: optional(onPremisesPlatformStatus),
});

/** A value of the shape PlatformStatus. */
export interface PlatformStatus extends Infer<typeof platformStatusShape> {}

/** The shape PlatformStatus. */
export const platformStatus: Schema<PlatformStatus> = named('PlatformStatus', platformStatusShape);

const infrastructureStatusShape = object({
  apiServerInternalURI: optional(string()),
  apiServerURL: optional(string()),
  controlPlaneTopology: optional(string({
    default: 'HighlyAvailable',
    enum: ['HighlyAvailable', 'HighlyAvailableArbiter', 'SingleReplica', 'DualReplica', 'External'],
  })),
  cpuPartitioning: optional(string({ default: 'None', enum: ['None', 'AllNodes'] })),
  etcdDiscoveryDomain: optional(string()),
  infrastructureName: optional(string()),
  infrastructureTopology: optional(string({ default: 'HighlyAvailable', enum: ['HighlyAvailable', 'SingleReplica'] })),
  platform: optional(string({
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
  platformStatus: optional(platformStatus),
});

/** A value of the shape InfrastructureStatus. */
export interface InfrastructureStatus extends Infer<typeof infrastructureStatusShape> {}

/** The shape InfrastructureStatus. */
export const infrastructureStatus: Schema<InfrastructureStatus> = named('InfrastructureStatus', infrastructureStatusShape);

/** The kind Infrastructure. */
export const infrastructure = kind({
  group: 'config.openshift.io',
  kind: 'Infrastructure',
  plural: 'infrastructures',
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    {
      name: 'v1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: infrastructureSpec, status: optional(infrastructureStatus) }),
    },
  ],
});

/** Infrastructure in `config.openshift.io/v1`. */
export type Infrastructure = KindOf<typeof infrastructure, 'v1'>;
