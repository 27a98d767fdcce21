// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  int32,
  int64,
  integer,
  labelSelector,
  map,
  named,
  nullable,
  object,
  optional,
  string,
  time,
} from '../../../model/index.js';

const filterShape = object({ name: string(), values: array(string()) });

/** A value of the shape Filter. */
export interface Filter extends Infer<typeof filterShape> {}

/** The shape Filter. */
export const filter: Schema<Filter> = named('Filter', filterShape);

const apiEndpointShape = object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) });

/** A value of the shape APIEndpoint. */
export interface APIEndpoint extends Infer<typeof apiEndpointShape> {}

/** The shape APIEndpoint. */
export const apiEndpoint: Schema<APIEndpoint> = named('APIEndpoint', apiEndpointShape);

const amiReferenceV1Beta1Shape = object({ eksLookupType: optional(string({ enum: ['AmazonLinux', 'AmazonLinuxGPU'] })), id: optional(string()) });

/** A value of the shape AMIReference in v1beta1. */
export interface AMIReferenceV1Beta1 extends Infer<typeof amiReferenceV1Beta1Shape> {}

/** The shape AMIReference in v1beta1. */
export const amiReferenceV1Beta1: Schema<AMIReferenceV1Beta1> = named('AMIReference', amiReferenceV1Beta1Shape);

const identityRefShape = object({
  kind: string({ enum: ['AWSClusterControllerIdentity', 'AWSClusterRoleIdentity', 'AWSClusterStaticIdentity'] }),
  name: string({ minLength: 1 }),
});

/** A value of the shape IdentityRef. */
export interface IdentityRef extends Infer<typeof identityRefShape> {}

/** The shape IdentityRef. */
export const identityRef: Schema<IdentityRef> = named('IdentityRef', identityRefShape);

const machineAddressShape = object({
  address: string({ maxLength: 256, minLength: 1 }),
  type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
});

/** A value of the shape MachineAddress. */
export interface MachineAddress extends Infer<typeof machineAddressShape> {}

/** The shape MachineAddress. */
export const machineAddress: Schema<MachineAddress> = named('MachineAddress', machineAddressShape);

const ipamPoolShape = object({ id: optional(string()), name: optional(string()), netmaskLength: optional(int64()) });

/** A value of the shape IpamPool. */
export interface IpamPool extends Infer<typeof ipamPoolShape> {}

/** The shape IpamPool. */
export const ipamPool: Schema<IpamPool> = named('IpamPool', ipamPoolShape);

const amiReferenceShape = object({
  eksLookupType: optional(string({ enum: ['AmazonLinux', 'AmazonLinuxGPU', 'AmazonLinux2023', 'AmazonLinux2023GPU'] })),
  id: optional(string()),
});

/** A value of the shape AMIReference. */
export interface AMIReference extends Infer<typeof amiReferenceShape> {}

/** The shape AMIReference. */
export const amiReference: Schema<AMIReference> = named('AMIReference', amiReferenceShape);

const templateMetadataShape = object({ annotations: optional(map(string())), labels: optional(map(string())) });

/** A value of the shape TemplateMetadata. */
export interface TemplateMetadata extends Infer<typeof templateMetadataShape> {}

/** The shape TemplateMetadata. */
export const templateMetadata: Schema<TemplateMetadata> = named('TemplateMetadata', templateMetadataShape);

const cpuOptionsShape = object(
  {
    confidentialCompute: optional(string({ enum: ['Disabled', 'AMDEncryptedVirtualizationNestedPaging'] })),
    nestedVirtualization: optional(string({ enum: ['enabled', 'disabled'] })),
  },
  { minProperties: 1 },
);

/** A value of the shape CpuOptions. */
export interface CpuOptions extends Infer<typeof cpuOptionsShape> {}

/** The shape CpuOptions. */
export const cpuOptions: Schema<CpuOptions> = named('CpuOptions', cpuOptionsShape);

const privateDnsNameShape = object({
  enableResourceNameDnsAAAARecord: optional(boolean()),
  enableResourceNameDnsARecord: optional(boolean()),
  hostnameType: optional(string({ enum: ['ip-name', 'resource-name'] })),
});

/** A value of the shape PrivateDnsName. */
export interface PrivateDnsName extends Infer<typeof privateDnsNameShape> {}

/** The shape PrivateDnsName. */
export const privateDnsName: Schema<PrivateDnsName> = named('PrivateDnsName', privateDnsNameShape);

const awsResourceReferenceShape = object({ filters: optional(array(filter)), id: optional(string()) });

/** A value of the shape AWSResourceReference. */
export interface AWSResourceReference extends Infer<typeof awsResourceReferenceShape> {}

/** The shape AWSResourceReference. */
export const awsResourceReference: Schema<AWSResourceReference> = named('AWSResourceReference', awsResourceReferenceShape);

const elasticIpPoolShape = object({
  publicIpv4Pool: optional(string({ maxLength: 30 })),
  publicIpv4PoolFallbackOrder: optional(string({
    enum: ['amazon-pool', 'none'],
    rules: [{ message: "allowed values are 'none' and 'amazon-pool'", rule: "self in ['none','amazon-pool']" }],
  })),
});

/** A value of the shape ElasticIpPool. */
export interface ElasticIpPool extends Infer<typeof elasticIpPoolShape> {}

/** The shape ElasticIpPool. */
export const elasticIpPool: Schema<ElasticIpPool> = named('ElasticIpPool', elasticIpPoolShape);

const awsResourceReferenceV1Beta1Shape = object({ arn: optional(string()), filters: optional(array(filter)), id: optional(string()) });

/** A value of the shape AWSResourceReference in v1beta1. */
export interface AWSResourceReferenceV1Beta1 extends Infer<typeof awsResourceReferenceV1Beta1Shape> {}

/** The shape AWSResourceReference in v1beta1. */
export const awsResourceReferenceV1Beta1: Schema<AWSResourceReferenceV1Beta1> = named('AWSResourceReference', awsResourceReferenceV1Beta1Shape);

const cloudInitShape = object({
  insecureSkipSecretsManager: optional(boolean()),
  secretCount: optional(int32()),
  secretPrefix: optional(string()),
  secureSecretsBackend: optional(string({ enum: ['secrets-manager', 'ssm-parameter-store'] })),
});

/** A value of the shape CloudInit. */
export interface CloudInit extends Infer<typeof cloudInitShape> {}

/** The shape CloudInit. */
export const cloudInit: Schema<CloudInit> = named('CloudInit', cloudInitShape);

const bastionShape = object({
  allowedCIDRBlocks: optional(array(string())),
  ami: optional(string()),
  disableIngressRules: optional(boolean()),
  enabled: optional(boolean()),
  instanceType: optional(string()),
});

/** A value of the shape Bastion. */
export interface Bastion extends Infer<typeof bastionShape> {}

/** The shape Bastion. */
export const bastion: Schema<Bastion> = named('Bastion', bastionShape);

const legacyConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape LegacyCondition. */
export interface LegacyCondition extends Infer<typeof legacyConditionShape> {}

/** The shape LegacyCondition. */
export const legacyCondition: Schema<LegacyCondition> = named('LegacyCondition', legacyConditionShape);

const volumeShape = object({
  deviceName: optional(string()),
  encrypted: optional(boolean()),
  encryptionKey: optional(string()),
  iops: optional(int64()),
  size: int64({ minimum: 8 }),
  throughput: optional(int64()),
  type: optional(string()),
});

/** A value of the shape Volume. */
export interface Volume extends Infer<typeof volumeShape> {}

/** The shape Volume. */
export const volume: Schema<Volume> = named('Volume', volumeShape);

const instanceMetadataOptionsShape = object({
  httpEndpoint: optional(string({ default: 'enabled', enum: ['enabled', 'disabled'] })),
  httpProtocolIpv6: optional(string({ default: 'disabled', enum: ['enabled', 'disabled'] })),
  httpPutResponseHopLimit: optional(int64({ default: 1, maximum: 64, minimum: 1 })),
  httpTokens: optional(string({ default: 'optional', enum: ['optional', 'required'] })),
  instanceMetadataTags: optional(string({ default: 'disabled', enum: ['enabled', 'disabled'] })),
});

/** A value of the shape InstanceMetadataOptions. */
export interface InstanceMetadataOptions extends Infer<typeof instanceMetadataOptionsShape> {}

/** The shape InstanceMetadataOptions. */
export const instanceMetadataOptions: Schema<InstanceMetadataOptions> = named('InstanceMetadataOptions', instanceMetadataOptionsShape);

const allowedNamespacesShape = object({ list: optional(nullable(array(string()))), selector: optional(labelSelector) });

/** A value of the shape AllowedNamespaces. */
export interface AllowedNamespaces extends Infer<typeof allowedNamespacesShape> {}

/** The shape AllowedNamespaces. */
export const allowedNamespaces: Schema<AllowedNamespaces> = named('AllowedNamespaces', allowedNamespacesShape);

const ignitionShape = object({
  proxy: optional(object({
    httpProxy: optional(string()),
    httpsProxy: optional(string()),
    noProxy: optional(array(string({ maxLength: 2048 }), { maxItems: 64 })),
  })),
  storageType: optional(string({ default: 'ClusterObjectStore', enum: ['ClusterObjectStore', 'UnencryptedUserData'] })),
  tls: optional(object({ certificateAuthorities: optional(array(string({ maxLength: 65536 }), { maxItems: 64 })) })),
  version: optional(string({ enum: ['2.3', '3.0', '3.1', '3.2', '3.3', '3.4'] })),
});

/** A value of the shape Ignition. */
export interface Ignition extends Infer<typeof ignitionShape> {}

/** The shape Ignition. */
export const ignition: Schema<Ignition> = named('Ignition', ignitionShape);

const ingressRuleShape = object({
  cidrBlocks: optional(array(string())),
  description: string(),
  fromPort: int64(),
  ipv6CidrBlocks: optional(array(string())),
  natGatewaysIPsSource: optional(boolean()),
  protocol: string({ enum: ['-1', '4', 'tcp', 'udp', 'icmp', '58', '50'] }),
  sourceSecurityGroupIds: optional(array(string())),
  sourceSecurityGroupRoles: optional(array(string({ enum: ['bastion', 'node', 'controlplane', 'apiserver-lb', 'lb', 'node-eks-additional'] }))),
  toPort: int64(),
});

/** A value of the shape IngressRule. */
export interface IngressRule extends Infer<typeof ingressRuleShape> {}

/** The shape IngressRule. */
export const ingressRule: Schema<IngressRule> = named('IngressRule', ingressRuleShape);

const controlPlaneLoadBalancerShape = object({
  additionalListeners: optional(array(
    object({
      healthCheck: optional(object({
        intervalSeconds: optional(int64({ maximum: 300, minimum: 5 })),
        path: optional(string()),
        port: optional(string()),
        protocol: optional(string({ enum: ['TCP', 'HTTP', 'HTTPS'] })),
        thresholdCount: optional(int64({ maximum: 10, minimum: 2 })),
        timeoutSeconds: optional(int64({ maximum: 120, minimum: 2 })),
        unhealthyThresholdCount: optional(int64({ maximum: 10, minimum: 2 })),
      })),
      port: int64({ maximum: 65535, minimum: 1 }),
      protocol: optional(string({ default: 'TCP', enum: ['TCP'] })),
      targetGroupIPType: optional(string({ enum: ['ipv4', 'ipv6'] })),
    }),
    { listMapKeys: ['port'], listType: 'map' },
  )),
  additionalSecurityGroups: optional(array(string())),
  crossZoneLoadBalancing: optional(boolean()),
  disableHostsRewrite: optional(boolean()),
  dnsResolutionCheck: optional(string({ enum: ['None', 'Enabled'] })),
  healthCheck: optional(object({
    intervalSeconds: optional(int64({ maximum: 300, minimum: 5 })),
    thresholdCount: optional(int64({ maximum: 10, minimum: 2 })),
    timeoutSeconds: optional(int64({ maximum: 120, minimum: 2 })),
    unhealthyThresholdCount: optional(int64({ maximum: 10, minimum: 2 })),
  })),
  healthCheckProtocol: optional(string({ enum: ['TCP', 'SSL', 'HTTP', 'HTTPS', 'TLS', 'UDP'] })),
  ingressRules: optional(array(ingressRule)),
  loadBalancerType: optional(string({ default: 'classic', enum: ['classic', 'elb', 'alb', 'nlb', 'disabled'] })),
  name: optional(string({ maxLength: 32, pattern: '^[A-Za-z0-9]([A-Za-z0-9]{0,31}|[-A-Za-z0-9]{0,30}[A-Za-z0-9])$' })),
  preserveClientIP: optional(boolean()),
  scheme: optional(string({ default: 'internet-facing', enum: ['internet-facing', 'internal'] })),
  subnets: optional(array(string())),
  targetGroupIPType: optional(string({ enum: ['ipv4', 'ipv6'] })),
});

/** A value of the shape ControlPlaneLoadBalancer. */
export interface ControlPlaneLoadBalancer extends Infer<typeof controlPlaneLoadBalancerShape> {}

/** The shape ControlPlaneLoadBalancer. */
export const controlPlaneLoadBalancer: Schema<ControlPlaneLoadBalancer> = named('ControlPlaneLoadBalancer', controlPlaneLoadBalancerShape);

const awsMachineSpecV1Beta1Shape = object({
  additionalSecurityGroups: optional(array(awsResourceReferenceV1Beta1)),
  additionalTags: optional(map(string())),
  ami: optional(amiReferenceV1Beta1),
  cloudInit: optional(cloudInit),
  failureDomain: optional(string()),
  iamInstanceProfile: optional(string()),
  ignition: optional(object({ version: optional(string({ default: '2.3', enum: ['2.3'] })) })),
  imageLookupBaseOS: optional(string()),
  imageLookupFormat: optional(string()),
  imageLookupOrg: optional(string()),
  instanceID: optional(string()),
  instanceType: string({ minLength: 2 }),
  networkInterfaces: optional(array(string(), { maxItems: 2 })),
  nonRootVolumes: optional(array(volume)),
  providerID: optional(string()),
  publicIP: optional(boolean()),
  rootVolume: optional(volume),
  spotMarketOptions: optional(object({ maxPrice: optional(string()) })),
  sshKeyName: optional(string()),
  subnet: optional(awsResourceReferenceV1Beta1),
  tenancy: optional(string({ enum: ['default', 'dedicated', 'host'] })),
  uncompressedUserData: optional(boolean()),
});

/** A value of the shape AWSMachineSpec in v1beta1. */
export interface AWSMachineSpecV1Beta1 extends Infer<typeof awsMachineSpecV1Beta1Shape> {}

/** The shape AWSMachineSpec in v1beta1. */
export const awsMachineSpecV1Beta1: Schema<AWSMachineSpecV1Beta1> = named('AWSMachineSpec', awsMachineSpecV1Beta1Shape);

const awsClusterSpecV1Beta1Shape = object({
  additionalTags: optional(map(string())),
  bastion: optional(bastion),
  controlPlaneEndpoint: optional(apiEndpoint),
  controlPlaneLoadBalancer: optional(object({
    additionalSecurityGroups: optional(array(string())),
    crossZoneLoadBalancing: optional(boolean()),
    healthCheckProtocol: optional(string()),
    name: optional(string({ maxLength: 32, pattern: '^[A-Za-z0-9]([A-Za-z0-9]{0,31}|[-A-Za-z0-9]{0,30}[A-Za-z0-9])$' })),
    scheme: optional(string({ default: 'internet-facing', enum: ['internet-facing', 'internal'] })),
    subnets: optional(array(string())),
  })),
  identityRef: optional(identityRef),
  imageLookupBaseOS: optional(string()),
  imageLookupFormat: optional(string()),
  imageLookupOrg: optional(string()),
  network: optional(object({
    cni: optional(object({
      cniIngressRules: optional(array(object({ description: string(), fromPort: int64(), protocol: string(), toPort: int64() }))),
    })),
    securityGroupOverrides: optional(map(string())),
    subnets: optional(array(object({
      availabilityZone: optional(string()),
      cidrBlock: optional(string()),
      id: optional(string()),
      ipv6CidrBlock: optional(string()),
      isIpv6: optional(boolean()),
      isPublic: optional(boolean()),
      natGatewayId: optional(string()),
      routeTableId: optional(string()),
      tags: optional(map(string())),
    }))),
    vpc: optional(object({
      availabilityZoneSelection: optional(string({ default: 'Ordered', enum: ['Ordered', 'Random'] })),
      availabilityZoneUsageLimit: optional(integer({ default: 3, minimum: 1 })),
      cidrBlock: optional(string()),
      id: optional(string()),
      internetGatewayId: optional(string()),
      ipv6: optional(object({
        cidrBlock: optional(string()),
        egressOnlyInternetGatewayId: optional(string()),
        poolId: optional(string()),
      })),
      tags: optional(map(string())),
    })),
  })),
  region: optional(string()),
  s3Bucket: optional(object({
    controlPlaneIAMInstanceProfile: string(),
    name: string({ maxLength: 63, minLength: 3, pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    nodesIAMInstanceProfiles: array(string()),
  })),
  sshKeyName: optional(string()),
});

/** A value of the shape AWSClusterSpec in v1beta1. */
export interface AWSClusterSpecV1Beta1 extends Infer<typeof awsClusterSpecV1Beta1Shape> {}

/** The shape AWSClusterSpec in v1beta1. */
export const awsClusterSpecV1Beta1: Schema<AWSClusterSpecV1Beta1> = named('AWSClusterSpec', awsClusterSpecV1Beta1Shape);

const awsMachineSpecShape = object(
  {
    additionalSecurityGroups: optional(array(awsResourceReference)),
    additionalTags: optional(map(string())),
    ami: optional(amiReference),
    assignPrimaryIPv6: optional(string({ enum: ['enabled', 'disabled'] })),
    capacityReservationId: optional(string()),
    capacityReservationPreference: optional(string({
      allOf: [
        { enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] },
        { enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] },
      ],
    })),
    cloudInit: optional(cloudInit),
    cpuOptions: optional(cpuOptions),
    dynamicHostAllocation: optional(object({ tags: optional(map(string())) })),
    elasticIpPool: optional(elasticIpPool),
    hostAffinity: optional(string({ default: 'default', enum: ['default', 'host'] })),
    hostID: optional(string({ maxLength: 19, pattern: '^h-[0-9a-f]{17}$' })),
    iamInstanceProfile: optional(string()),
    ignition: optional(ignition),
    imageLookupBaseOS: optional(string()),
    imageLookupFormat: optional(string()),
    imageLookupOrg: optional(string()),
    instanceID: optional(string()),
    instanceMetadataOptions: optional(instanceMetadataOptions),
    instanceType: string({ minLength: 2 }),
    marketType: optional(string({ enum: ['OnDemand', 'Spot', 'CapacityBlock'] })),
    networkInterfaceType: optional(string({ enum: ['interface', 'efa'] })),
    networkInterfaces: optional(array(string(), { maxItems: 2 })),
    nonRootVolumes: optional(array(volume)),
    placementGroupName: optional(string()),
    placementGroupPartition: optional(int64({ maximum: 7, minimum: 1 })),
    privateDnsName: optional(privateDnsName),
    providerID: optional(string()),
    publicIP: optional(boolean()),
    rootVolume: optional(volume),
    securityGroupOverrides: optional(map(string())),
    spotMarketOptions: optional(object({ maxPrice: optional(string()) })),
    sshKeyName: optional(string()),
    subnet: optional(awsResourceReference),
    tenancy: optional(string({ enum: ['default', 'dedicated', 'host'] })),
    uncompressedUserData: optional(boolean()),
  },
  {
    rules: [
      {
        message: 'capacityReservationId may not be set when marketType is Spot',
        rule: "!has(self.capacityReservationId) || !has(self.marketType) || self.marketType != 'Spot'",
      },
      {
        message: 'capacityReservationId cannot be set when spotMarketOptions is specified',
        rule: '!has(self.capacityReservationId) || !has(self.spotMarketOptions)',
      },
    ],
  },
);

/** A value of the shape AWSMachineSpec. */
export interface AWSMachineSpec extends Infer<typeof awsMachineSpecShape> {}

/** The shape AWSMachineSpec. */
export const awsMachineSpec: Schema<AWSMachineSpec> = named('AWSMachineSpec', awsMachineSpecShape);

const awsClusterSpecShape = object({
  additionalTags: optional(map(string())),
  bastion: optional(bastion),
  controlPlaneEndpoint: optional(apiEndpoint),
  controlPlaneLoadBalancer: optional(controlPlaneLoadBalancer),
  identityRef: optional(identityRef),
  imageLookupBaseOS: optional(string()),
  imageLookupFormat: optional(string()),
  imageLookupOrg: optional(string()),
  network: optional(object({
    additionalControlPlaneIngressRules: optional(array(ingressRule)),
    additionalNodeIngressRules: optional(array(ingressRule)),
    cni: optional(object({
      cniIngressRules: optional(array(object({ description: string(), fromPort: int64(), protocol: string(), toPort: int64() }))),
    })),
    nodePortIngressRuleCidrBlocks: optional(array(string())),
    securityGroupOverrides: optional(map(string())),
    subnets: optional(array(
      object({
        availabilityZone: optional(string()),
        cidrBlock: optional(string()),
        id: string(),
        ipv6CidrBlock: optional(string()),
        isIpv6: optional(boolean()),
        isPublic: optional(boolean()),
        natGatewayId: optional(string()),
        parentZoneName: optional(string()),
        resourceID: optional(string()),
        routeTableId: optional(string()),
        tags: optional(map(string())),
        zoneType: optional(string({ enum: ['availability-zone', 'local-zone', 'wavelength-zone'] })),
      }),
      { listMapKeys: ['id'], listType: 'map' },
    )),
    vpc: optional(object({
      availabilityZoneSelection: optional(string({ default: 'Ordered', enum: ['Ordered', 'Random'] })),
      availabilityZoneUsageLimit: optional(integer({ default: 3, minimum: 1 })),
      carrierGatewayId: optional(string({ rules: [{ message: "Carrier Gateway ID must start with 'cagw-'", rule: "self.startsWith('cagw-')" }] })),
      cidrBlock: optional(string()),
      elasticIpPool: optional(elasticIpPool),
      emptyRoutesDefaultVPCSecurityGroup: optional(boolean()),
      id: optional(string()),
      internetGatewayId: optional(string()),
      ipamPool: optional(ipamPool),
      ipv6: optional(object({
        cidrBlock: optional(string()),
        egressOnlyInternetGatewayId: optional(string()),
        ipamPool: optional(ipamPool),
        poolId: optional(string()),
      })),
      privateDnsHostnameTypeOnLaunch: optional(string({ enum: ['ip-name', 'resource-name'] })),
      secondaryCidrBlocks: optional(array(object({ ipv4CidrBlock: string({ minLength: 1 }) }))),
      subnetSchema: optional(string({ default: 'PreferPrivate', enum: ['PreferPrivate', 'PreferPublic'] })),
      tags: optional(map(string())),
    })),
  })),
  partition: optional(string()),
  region: optional(string()),
  s3Bucket: optional(object({
    additionalIAMRoles: optional(array(
      object({
        name: string({ maxLength: 128, minLength: 1, pattern: '^[\\w+=,.@-]+$' }),
        prefix: string({ maxLength: 512, minLength: 1 }),
      }),
      { listMapKeys: ['name', 'prefix'], listType: 'map' },
    )),
    bestEffortDeleteObjects: optional(boolean()),
    controlPlaneIAMInstanceProfile: optional(string()),
    name: string({ maxLength: 63, minLength: 3, pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    nodesIAMInstanceProfiles: optional(array(string())),
    presignedURLDuration: optional(string()),
  })),
  secondaryControlPlaneLoadBalancer: optional(controlPlaneLoadBalancer),
  sshKeyName: optional(string()),
});

/** A value of the shape AWSClusterSpec. */
export interface AWSClusterSpec extends Infer<typeof awsClusterSpecShape> {}

/** The shape AWSClusterSpec. */
export const awsClusterSpec: Schema<AWSClusterSpec> = named('AWSClusterSpec', awsClusterSpecShape);
