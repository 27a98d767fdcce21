// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import { array, boolean, int32, int64, integer, map, named, object, optional, string } from '../../../model/index.js';

const templateMetadataShape = object({ annotations: optional(map(string())), labels: optional(map(string())) });

/** A value of the shape TemplateMetadata. */
export interface TemplateMetadata extends Infer<typeof templateMetadataShape> {}

/** The shape TemplateMetadata. */
export const templateMetadata: Schema<TemplateMetadata> = named('TemplateMetadata', templateMetadataShape);

const deniedShape = object({
  IPProtocol: string({ enum: ['TCP', 'UDP', 'ICMP', 'ESP', 'AH', 'IPIP', 'SCTP'] }),
  ports: optional(array(string({ pattern: '^[0-9]+(-[0-9]+)?$' }), { maxItems: 500 })),
});

/** A value of the shape Denied. */
export interface Denied extends Infer<typeof deniedShape> {}

/** The shape Denied. */
export const denied: Schema<Denied> = named('Denied', deniedShape);

const resourceManagerTagShape = object({
  key: string({ maxLength: 63, minLength: 1, pattern: '^[a-zA-Z0-9]([0-9A-Za-z_.-]{0,61}[a-zA-Z0-9])?$' }),
  parentID: string({ maxLength: 32, minLength: 1, pattern: '(^[1-9][0-9]{0,31}$)|(^[a-z][a-z0-9-]{4,28}[a-z0-9]$)' }),
  value: string({
    maxLength: 63,
    minLength: 1,
    pattern: '^[a-zA-Z0-9]([0-9A-Za-z_.@%=+:,*#&()\\[\\]{}\\-\\s]{0,61}[a-zA-Z0-9])?$',
  }),
});

/** A value of the shape ResourceManagerTag. */
export interface ResourceManagerTag extends Infer<typeof resourceManagerTagShape> {}

/** The shape ResourceManagerTag. */
export const resourceManagerTag: Schema<ResourceManagerTag> = named('ResourceManagerTag', resourceManagerTagShape);

const encryptionKeyShape = object({
  keyType: string({ enum: ['Managed', 'Supplied'] }),
  kmsKeyServiceAccount: optional(string({ maxLength: 85, pattern: '[-_[A-Za-z0-9]+@[-_[A-Za-z0-9]+.iam.gserviceaccount.com' })),
  managedKey: optional(object({
    kmsKeyName: string({
      maxLength: 160,
      pattern: 'projects\\/[-_[A-Za-z0-9]+\\/locations\\/[-_[A-Za-z0-9]+\\/keyRings\\/[-_[A-Za-z0-9]+\\/cryptoKeys\\/[-_[A-Za-z0-9]+',
    }),
  })),
  suppliedKey: optional(object(
    { rawKey: optional(string({ format: 'byte' })), rsaEncryptedKey: optional(string({ format: 'byte' })) },
    { maxProperties: 1, minProperties: 1 },
  )),
});

/** A value of the shape EncryptionKey. */
export interface EncryptionKey extends Infer<typeof encryptionKeyShape> {}

/** The shape EncryptionKey. */
export const encryptionKey: Schema<EncryptionKey> = named('EncryptionKey', encryptionKeyShape);

const gcpMachineSpecShape = object({
  additionalDisks: optional(array(object({ deviceType: optional(string()), encryptionKey: optional(encryptionKey), size: optional(int64()) }))),
  additionalLabels: optional(map(string())),
  additionalMetadata: optional(array(object({ key: string(), value: optional(string()) }), { listMapKeys: ['key'], listType: 'map' })),
  additionalNetworkTags: optional(array(string())),
  aliasIPRanges: optional(array(object({
    ipCidrRange: string({
      pattern: '^((([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])/([0-9]|[12][0-9]|3[0-2])|(([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(/([0-9]|[12][0-9]|3[0-2])))$',
    }),
    subnetworkRangeName: optional(string()),
  }))),
  confidentialCompute: optional(string({
    enum: [
      'Enabled',
      'Disabled',
      'AMDEncryptedVirtualization',
      'AMDEncryptedVirtualizationNestedPaging',
      'IntelTrustedDomainExtensions',
    ],
  })),
  guestAccelerators: optional(array(object({ count: optional(int64()), type: optional(string()) }))),
  image: optional(string()),
  imageFamily: optional(string()),
  instanceType: string(),
  ipForwarding: optional(string({ default: 'Enabled', enum: ['Enabled', 'Disabled'] })),
  onHostMaintenance: optional(string({ enum: ['Migrate', 'Terminate'] })),
  preemptible: optional(boolean()),
  providerID: optional(string()),
  provisioningModel: optional(string({ enum: ['Standard', 'Spot'] })),
  publicIP: optional(boolean()),
  resourceManagerTags: optional(array(resourceManagerTag)),
  rootDeviceSize: optional(int64()),
  rootDeviceType: optional(string()),
  rootDiskEncryptionKey: optional(encryptionKey),
  serviceAccounts: optional(object({ email: optional(string()), scopes: optional(array(string())) })),
  shieldedInstanceConfig: optional(object({
    integrityMonitoring: optional(string({ enum: ['Enabled', 'Disabled'] })),
    secureBoot: optional(string({ enum: ['Enabled', 'Disabled'] })),
    virtualizedTrustedPlatformModule: optional(string({ enum: ['Enabled', 'Disabled'] })),
  })),
  subnet: optional(string()),
});

/** A value of the shape GCPMachineSpec. */
export interface GCPMachineSpec extends Infer<typeof gcpMachineSpecShape> {}

/** The shape GCPMachineSpec. */
export const gcpMachineSpec: Schema<GCPMachineSpec> = named('GCPMachineSpec', gcpMachineSpecShape);

const gcpClusterSpecShape = object({
  additionalLabels: optional(map(string())),
  controlPlaneEndpoint: optional(object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) })),
  credentialsRef: optional(object({ name: string(), namespace: string() })),
  failureDomains: optional(array(string())),
  loadBalancer: optional(object({
    apiServerInstanceGroupTagOverride: optional(string({ maxLength: 16, pattern: '(^[1-9][0-9]{0,31}$)|(^[a-z][a-z0-9-]{4,28}[a-z0-9]$)' })),
    internalLoadBalancer: optional(object({
      internalAccess: optional(string({ default: 'Regional', enum: ['Regional', 'Global'] })),
      ipAddress: optional(string()),
      name: optional(string({ pattern: '(^[1-9][0-9]{0,31}$)|(^[a-z][a-z0-9-]{4,28}[a-z0-9]$)' })),
      subnet: optional(string()),
    })),
    loadBalancerType: optional(string()),
  })),
  network: optional(object({
    autoCreateSubnetworks: optional(boolean()),
    firewall: optional(object({
      defaultRulesManagement: optional(string({ default: 'Managed', enum: ['Managed', 'Unmanaged'] })),
      firewallRules: optional(array(
        object({
          allowed: optional(array(denied, { maxItems: 1024, minItems: 0 })),
          denied: optional(array(denied, { maxItems: 1024, minItems: 0 })),
          description: optional(string({ maxLength: 2000, minLength: 0 })),
          destinationRanges: optional(array(
            string({ maxLength: 43, minLength: 1 }),
            {
              maxItems: 1024,
              minItems: 0,
              rules: [
                {
                  message: 'must be a valid IPv4/IPv6 address or CIDR/Prefix',
                  rule: 'self.all(i, isIP(i) || isCIDR(i))',
                },
              ],
            },
          )),
          direction: optional(string({ allOf: [{ enum: ['Ingress', 'Egress'] }, { enum: ['Ingress', 'Egress'] }], default: 'Ingress' })),
          name: optional(string()),
          priority: optional(integer({ default: 1000, maximum: 65535, minimum: 1 })),
          sourceRanges: optional(array(
            string({ maxLength: 43, minLength: 1 }),
            {
              maxItems: 1024,
              minItems: 0,
              rules: [
                {
                  message: 'must be a valid IPv4/IPv6 address or CIDR/Prefix',
                  rule: 'self.all(i, isIP(i) || isCIDR(i))',
                },
              ],
            },
          )),
          sourceTags: optional(array(
            string({ maxLength: 63, minLength: 1, pattern: '^([a-z0-9]+-)*[a-z0-9]+$' }),
            { maxItems: 30, minItems: 0 },
          )),
          targetTags: optional(array(
            string({ maxLength: 63, minLength: 1, pattern: '^([a-z0-9]+-)*[a-z0-9]+$' }),
            { maxItems: 70, minItems: 0 },
          )),
        }),
        { maxItems: 50 },
      )),
    })),
    hostProject: optional(string()),
    loadBalancerBackendPort: optional(int32()),
    minPortsPerVm: optional(int64({ default: 64, maximum: 65536, minimum: 2 })),
    mtu: optional(int64({ default: 1460, maximum: 8896, minimum: 1300 })),
    name: optional(string()),
    subnets: optional(array(object({
      cidrBlock: optional(string()),
      description: optional(string()),
      enableFlowLogs: optional(boolean()),
      name: optional(string()),
      privateGoogleAccess: optional(boolean()),
      purpose: optional(string({
        default: 'PRIVATE_RFC_1918',
        enum: [
          'INTERNAL_HTTPS_LOAD_BALANCER',
          'PRIVATE_RFC_1918',
          'PRIVATE',
          'PRIVATE_SERVICE_CONNECT',
          'REGIONAL_MANAGED_PROXY',
        ],
      })),
      region: optional(string()),
      secondaryCidrBlocks: optional(map(string())),
      stackType: optional(string({ default: 'IPV4_ONLY', enum: ['IPV4_ONLY', 'IPV4_IPV6', 'IPV6_ONLY'] })),
    }))),
  })),
  project: string(),
  region: string(),
  resourceManagerTags: optional(array(resourceManagerTag)),
  serviceEndpoints: optional(object({
    compute: optional(string({ format: 'uri', pattern: '^https://' })),
    container: optional(string({ format: 'uri', pattern: '^https://' })),
    iam: optional(string({ format: 'uri', pattern: '^https://' })),
    resourceManager: optional(string({ format: 'uri', pattern: '^https://' })),
  })),
});

/** A value of the shape GCPClusterSpec. */
export interface GCPClusterSpec extends Infer<typeof gcpClusterSpecShape> {}

/** The shape GCPClusterSpec. */
export const gcpClusterSpec: Schema<GCPClusterSpec> = named('GCPClusterSpec', gcpClusterSpecShape);
