// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  int32,
  int64,
  intOrString,
  labelSelector,
  map,
  named,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../../model/index.js';

const machineAddressShape = object({ address: string(), type: string() });

/** A value of the shape MachineAddress. */
export interface MachineAddress extends Infer<typeof machineAddressShape> {}

/** The shape MachineAddress. */
export const machineAddress: Schema<MachineAddress> = named('MachineAddress', machineAddressShape);

const resourceGroupShape = object({ id: string(), name: optional(string()) });

/** A value of the shape ResourceGroup. */
export interface ResourceGroup extends Infer<typeof resourceGroupShape> {}

/** The shape ResourceGroup. */
export const resourceGroup: Schema<ResourceGroup> = named('ResourceGroup', resourceGroupShape);

const sshKeyShape = object({ id: optional(string({ minLength: 1 })), name: optional(string({ minLength: 1 })) });

/** A value of the shape SshKey. */
export interface SshKey extends Infer<typeof sshKeyShape> {}

/** The shape SshKey. */
export const sshKey: Schema<SshKey> = named('SshKey', sshKeyShape);

const apiEndpointShape = object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) });

/** A value of the shape APIEndpoint. */
export interface APIEndpoint extends Infer<typeof apiEndpointShape> {}

/** The shape APIEndpoint. */
export const apiEndpoint: Schema<APIEndpoint> = named('APIEndpoint', apiEndpointShape);

const metadataShape = object({ annotations: optional(map(string())), labels: optional(map(string())) });

/** A value of the shape Metadata. */
export interface Metadata extends Infer<typeof metadataShape> {}

/** The shape Metadata. */
export const metadata: Schema<Metadata> = named('Metadata', metadataShape);

const networkShape = object({
  id: optional(string({ minLength: 1 })),
  name: optional(string({ minLength: 1 })),
  regex: optional(string({ minLength: 1 })),
});

/** A value of the shape Network. */
export interface Network extends Infer<typeof networkShape> {}

/** The shape Network. */
export const network: Schema<Network> = named('Network', networkShape);

const loadBalancersShape = object({
  controllerCreated: optional(boolean({ default: false })),
  hostname: optional(string()),
  id: optional(string()),
  state: optional(string()),
});

/** A value of the shape LoadBalancers. */
export interface LoadBalancers extends Infer<typeof loadBalancersShape> {}

/** The shape LoadBalancers. */
export const loadBalancers: Schema<LoadBalancers> = named('LoadBalancers', loadBalancersShape);

const securityGroupShape = object(
  { id: optional(string({ minLength: 1 })), name: optional(string({ minLength: 1 })) },
  { rules: [{ message: 'an id or name must be provided', rule: 'has(self.id) || has(self.name)' }] },
);

/** A value of the shape SecurityGroup. */
export interface SecurityGroup extends Infer<typeof securityGroupShape> {}

/** The shape SecurityGroup. */
export const securityGroup: Schema<SecurityGroup> = named('SecurityGroup', securityGroupShape);

const ibmVpcMachineTemplateStatusShape = object({ capacity: optional(map(quantity())) });

/** A value of the shape IBMVPCMachineTemplateStatus. */
export interface IBMVPCMachineTemplateStatus extends Infer<typeof ibmVpcMachineTemplateStatusShape> {}

/** The shape IBMVPCMachineTemplateStatus. */
export const ibmVpcMachineTemplateStatus: Schema<IBMVPCMachineTemplateStatus> = named('IBMVPCMachineTemplateStatus', ibmVpcMachineTemplateStatusShape);

const subnetShape = object({
  cidr: optional(string()),
  id: optional(string({ maxLength: 64, minLength: 1, pattern: '^[-0-9a-z_]+$' })),
  name: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })),
  zone: optional(string()),
});

/** A value of the shape Subnet. */
export interface Subnet extends Infer<typeof subnetShape> {}

/** The shape Subnet. */
export const subnet: Schema<Subnet> = named('Subnet', subnetShape);

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

const bootVolumeShape = object({
  deleteVolumeOnInstanceDelete: optional(boolean({ default: true })),
  encryptionKeyCRN: optional(string()),
  iops: optional(int64()),
  name: optional(string()),
  profile: optional(string({ default: 'general-purpose', enum: ['general-purpose', '5iops-tier', '10iops-tier', 'custom'] })),
  sizeGiB: optional(int64()),
});

/** A value of the shape BootVolume. */
export interface BootVolume extends Infer<typeof bootVolumeShape> {}

/** The shape BootVolume. */
export const bootVolume: Schema<BootVolume> = named('BootVolume', bootVolumeShape);

const ibmPowerVsClusterSpecV1Beta1Shape = object({ controlPlaneEndpoint: optional(apiEndpoint), network: network, serviceInstanceID: string({ minLength: 1 }) });

/** A value of the shape IBMPowerVSClusterSpec in v1beta1. */
export interface IBMPowerVSClusterSpecV1Beta1 extends Infer<typeof ibmPowerVsClusterSpecV1Beta1Shape> {}

/** The shape IBMPowerVSClusterSpec in v1beta1. */
export const ibmPowerVsClusterSpecV1Beta1: Schema<IBMPowerVSClusterSpecV1Beta1> = named('IBMPowerVSClusterSpec', ibmPowerVsClusterSpecV1Beta1Shape);

const loadBalancerPoolMemberShape = object({ loadBalancer: securityGroup, pool: securityGroup, port: int64(), weight: optional(int64()) });

/** A value of the shape LoadBalancerPoolMember. */
export interface LoadBalancerPoolMember extends Infer<typeof loadBalancerPoolMemberShape> {}

/** The shape LoadBalancerPoolMember. */
export const loadBalancerPoolMember: Schema<LoadBalancerPoolMember> = named('LoadBalancerPoolMember', loadBalancerPoolMemberShape);

const ibmPowerVsMachineSpecV1Beta1Shape = object({
  image: optional(network),
  imageRef: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  memory: optional(string()),
  network: network,
  procType: optional(string()),
  processors: optional(string({ pattern: '^\\d+(\\.)?(\\d)?(\\d)?$' })),
  providerID: optional(string()),
  serviceInstanceID: string({ minLength: 1 }),
  sshKey: optional(string()),
  sysType: optional(string()),
});

/** A value of the shape IBMPowerVSMachineSpec in v1beta1. */
export interface IBMPowerVSMachineSpecV1Beta1 extends Infer<typeof ibmPowerVsMachineSpecV1Beta1Shape> {}

/** The shape IBMPowerVSMachineSpec in v1beta1. */
export const ibmPowerVsMachineSpecV1Beta1: Schema<IBMPowerVSMachineSpecV1Beta1> = named('IBMPowerVSMachineSpec', ibmPowerVsMachineSpecV1Beta1Shape);

const ibmVpcMachineSpecV1Beta1Shape = object({
  bootVolume: optional(bootVolume),
  image: optional(string()),
  imageName: optional(string()),
  name: optional(string()),
  primaryNetworkInterface: optional(object({ subnet: optional(string()) })),
  profile: optional(string()),
  providerID: optional(string()),
  sshKeyNames: optional(array(string())),
  sshKeys: optional(array(string())),
  zone: string(),
});

/** A value of the shape IBMVPCMachineSpec in v1beta1. */
export interface IBMVPCMachineSpecV1Beta1 extends Infer<typeof ibmVpcMachineSpecV1Beta1Shape> {}

/** The shape IBMVPCMachineSpec in v1beta1. */
export const ibmVpcMachineSpecV1Beta1: Schema<IBMVPCMachineSpecV1Beta1> = named('IBMVPCMachineSpec', ibmVpcMachineSpecV1Beta1Shape);

const ibmPowerVsMachineSpecShape = object({
  image: optional(network),
  imageRef: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  memoryGiB: optional(int32()),
  network: network,
  processorType: optional(string({ enum: ['Dedicated', 'Shared', 'Capped', ''] })),
  processors: optional(intOrString()),
  providerID: optional(string()),
  serviceInstance: optional(network),
  serviceInstanceID: string(),
  sshKey: optional(string()),
  systemType: optional(string({ enum: ['s922', 'e980', 's1022', 'e1050', 'e1080', 's1122', ''] })),
});

/** A value of the shape IBMPowerVSMachineSpec. */
export interface IBMPowerVSMachineSpec extends Infer<typeof ibmPowerVsMachineSpecShape> {}

/** The shape IBMPowerVSMachineSpec. */
export const ibmPowerVsMachineSpec: Schema<IBMPowerVSMachineSpec> = named('IBMPowerVSMachineSpec', ibmPowerVsMachineSpecShape);

const sourceShape = object(
  {
    icmpCode: optional(int64()),
    icmpType: optional(int64()),
    portRange: optional(object(
      {
        maximumPort: optional(int64({ maximum: 65535, minimum: 1 })),
        minimumPort: optional(int64({ maximum: 65535, minimum: 1 })),
      },
      {
        rules: [
          {
            message: 'maximum port must be greater than or equal to minimum port',
            rule: 'self.maximumPort >= self.minimumPort',
          },
        ],
      },
    )),
    protocol: string({ enum: ['all', 'icmp', 'tcp', 'udp'] }),
    remotes: array(object(
      {
        address: optional(string()),
        cidrSubnetName: optional(string()),
        remoteType: string({ enum: ['any', 'cidr', 'address', 'sg'] }),
        securityGroupName: optional(string()),
      },
      {
        rules: [
          {
            message: 'cidrSubnetName, addresss, and securityGroupName are not valid for VPCSecurityGroupRuleRemoteTypeAny remoteType',
            rule: "self.remoteType == 'any' ? (!has(self.cidrSubnetName) && !has(self.address) && !has(self.securityGroupName)) : true",
          },
          {
            message: 'only cidrSubnetName is valid for VPCSecurityGroupRuleRemoteTypeCIDR remoteType',
            rule: "self.remoteType == 'cidr' ? (has(self.cidrSubnetName) && !has(self.address) && !has(self.securityGroupName)) : true",
          },
          {
            message: 'only address is valid for VPCSecurityGroupRuleRemoteTypeIP remoteType',
            rule: "self.remoteType == 'address' ? (has(self.address) && !has(self.cidrSubnetName) && !has(self.securityGroupName)) : true",
          },
          {
            message: 'only securityGroupName is valid for VPCSecurityGroupRuleRemoteTypeSG remoteType',
            rule: "self.remoteType == 'sg' ? (has(self.securityGroupName) && !has(self.cidrSubnetName) && !has(self.address)) : true",
          },
        ],
      },
    )),
  },
  {
    rules: [
      {
        message: 'icmpCode and icmpType are only supported for VPCSecurityGroupRuleProtocolIcmp protocol',
        rule: "self.protocol != 'icmp' ? (!has(self.icmpCode) && !has(self.icmpType)) : true",
      },
      {
        message: 'portRange is not valid for VPCSecurityGroupRuleProtocolAll protocol',
        rule: "self.protocol == 'all' ? !has(self.portRange) : true",
      },
      {
        message: 'portRange is not valid for VPCSecurityGroupRuleProtocolIcmp protocol',
        rule: "self.protocol == 'icmp' ? !has(self.portRange) : true",
      },
    ],
  },
);

/** A value of the shape Source. */
export interface Source extends Infer<typeof sourceShape> {}

/** The shape Source. */
export const source: Schema<Source> = named('Source', sourceShape);

const loadBalancerShape = object({
  additionalListeners: optional(array(
    object({
      defaultPoolName: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })),
      port: int64({ maximum: 65535, minimum: 1 }),
      protocol: optional(string({ enum: ['http', 'https', 'tcp', 'udp'] })),
      selector: optional(labelSelector),
    }),
    { listMapKeys: ['port'], listType: 'map' },
  )),
  backendPools: optional(array(object({
    algorithm: string({ enum: ['least_connections', 'round_robin', 'weighted_round_robin'] }),
    healthMonitor: object({
      delay: int64({ maximum: 60, minimum: 2 }),
      port: optional(int64({ maximum: 65535, minimum: 1 })),
      retries: int64({ maximum: 10, minimum: 1 }),
      timeout: int64({ maximum: 59, minimum: 1 }),
      type: string({ enum: ['http', 'https', 'tcp'] }),
      urlPath: optional(string({
        pattern: "^\\/(([a-zA-Z0-9-._~!$&'()*+,;=:@]|%[a-fA-F0-9]{2})+(\\/([a-zA-Z0-9-._~!$&'()*+,;=:@]|%[a-fA-F0-9]{2})*)*)?(\\\\?([a-zA-Z0-9-._~!$&'()*+,;=:@\\/?]|%[a-fA-F0-9]{2})*)?$",
      })),
    }),
    name: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })),
    protocol: string({ enum: ['http', 'https', 'tcp', 'udp'] }),
  }))),
  id: optional(string({ maxLength: 64, minLength: 1, pattern: '^[-0-9a-z_]+$' })),
  name: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })),
  public: optional(boolean({ default: true })),
  securityGroups: optional(array(securityGroup)),
  subnets: optional(array(securityGroup)),
});

/** A value of the shape LoadBalancer. */
export interface LoadBalancer extends Infer<typeof loadBalancerShape> {}

/** The shape LoadBalancer. */
export const loadBalancer: Schema<LoadBalancer> = named('LoadBalancer', loadBalancerShape);

const ibmVpcMachineSpecShape = object({
  additionalVolumes: optional(array(
    bootVolume,
    { maxItems: 12, rules: [{ message: 'Values may only be added', rule: 'oldSelf.all(x, x in self)' }] },
  )),
  bootVolume: optional(bootVolume),
  catalogOffering: optional(object(
    { offeringCRN: optional(string()), planCRN: optional(string()), versionCRN: optional(string()) },
    {
      rules: [
        {
          message: 'either offeringCRN or version CRN must be provided, not both',
          rule: '(has(self.offeringCRN) && !has(self.versionCRN)) || (!has(self.offeringCRN) && has(self.versionCRN))',
        },
      ],
    },
  )),
  image: sshKey,
  loadBalancerPoolMembers: optional(array(loadBalancerPoolMember)),
  name: optional(string()),
  placementTarget: optional(object(
    {
      dedicatedHost: optional(securityGroup),
      dedicatedHostGroup: optional(securityGroup),
      placementGroup: optional(securityGroup),
    },
    {
      rules: [
        {
          message: 'only one of dedicatedHost, dedicatedHostGroup, or placementGroup must be defined for machine placement',
          rule: '(has(self.dedicatedHost) && !has(self.dedicatedHostGroup) && !has(self.placementGroup)) || (!has(self.dedicatedHost) && has(self.dedicatedHostGroup) && !has(self.placementGroup)) || (!has(self.dedicatedHost) && !has(self.dedicatedHostGroup) && has(self.placementGroup))',
        },
      ],
    },
  )),
  primaryNetworkInterface: optional(object({ securityGroups: optional(array(securityGroup)), subnet: optional(string()) })),
  profile: optional(string()),
  providerID: optional(string()),
  sshKeys: optional(array(sshKey)),
  zone: string(),
});

/** A value of the shape IBMVPCMachineSpec. */
export interface IBMVPCMachineSpec extends Infer<typeof ibmVpcMachineSpecShape> {}

/** The shape IBMVPCMachineSpec. */
export const ibmVpcMachineSpec: Schema<IBMVPCMachineSpec> = named('IBMVPCMachineSpec', ibmVpcMachineSpecShape);

const vpcSecurityGroupShape = object(
  {
    id: optional(string()),
    name: optional(string()),
    rules: optional(array(object(
      {
        action: string({ enum: ['allow', 'deny'] }),
        destination: optional(source),
        direction: string({ enum: ['inbound', 'outbound'] }),
        securityGroupID: optional(string()),
        source: optional(source),
      },
      {
        rules: [
          {
            message: 'both destination and source cannot be provided',
            rule: '(has(self.destination) && !has(self.source)) || (!has(self.destination) && has(self.source))',
          },
          {
            message: 'source must be set for VPCSecurityGroupRuleDirectionInbound direction',
            rule: "self.direction == 'inbound' ? has(self.source) : true",
          },
          {
            message: 'destination is not valid for VPCSecurityGroupRuleDirectionInbound direction',
            rule: "self.direction == 'inbound' ? !has(self.destination) : true",
          },
          {
            message: 'destination must be set for VPCSecurityGroupRuleDirectionOutbound direction',
            rule: "self.direction == 'outbound' ? has(self.destination) : true",
          },
          {
            message: 'source is not valid for VPCSecurityGroupRuleDirectionOutbound direction',
            rule: "self.direction == 'outbound' ? !has(self.source) : true",
          },
        ],
      },
    ))),
    tags: optional(array(string())),
  },
  { rules: [{ message: 'either an id or name must be specified', rule: 'has(self.id) || has(self.name)' }] },
);

/** A value of the shape VpcSecurityGroup. */
export interface VpcSecurityGroup extends Infer<typeof vpcSecurityGroupShape> {}

/** The shape VpcSecurityGroup. */
export const vpcSecurityGroup: Schema<VpcSecurityGroup> = named('VpcSecurityGroup', vpcSecurityGroupShape);

const ibmPowerVsClusterSpecShape = object({
  controlPlaneEndpoint: optional(apiEndpoint),
  cosInstance: optional(object({
    bucketName: optional(string()),
    bucketRegion: optional(string()),
    name: optional(string({ maxLength: 63, minLength: 3, pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' })),
  })),
  dhcpServer: optional(object({
    cidr: optional(string()),
    dnsServer: optional(string({ default: '1.1.1.1' })),
    id: optional(string()),
    name: optional(string()),
    snat: optional(boolean({ default: true })),
  })),
  ignition: optional(object({ version: optional(string({ default: '2.3', enum: ['2.3', '2.4', '3.0', '3.1', '3.2', '3.3', '3.4'] })) })),
  loadBalancers: optional(array(loadBalancer)),
  network: network,
  resourceGroup: optional(network),
  serviceInstance: optional(network),
  serviceInstanceID: string(),
  transitGateway: optional(object({
    globalRouting: optional(boolean()),
    id: optional(string()),
    name: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-zA-Z]|[a-zA-Z][-_a-zA-Z0-9]*[a-zA-Z0-9])$' })),
  })),
  vpc: optional(object({
    id: optional(string({ maxLength: 64, minLength: 1, pattern: '^[-0-9a-z_]+$' })),
    name: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })),
    region: optional(string()),
  })),
  vpcSecurityGroups: optional(array(vpcSecurityGroup)),
  vpcSubnets: optional(array(subnet)),
  zone: optional(string()),
});

/** A value of the shape IBMPowerVSClusterSpec. */
export interface IBMPowerVSClusterSpec extends Infer<typeof ibmPowerVsClusterSpecShape> {}

/** The shape IBMPowerVSClusterSpec. */
export const ibmPowerVsClusterSpec: Schema<IBMPowerVSClusterSpec> = named('IBMPowerVSClusterSpec', ibmPowerVsClusterSpecShape);

const ibmVpcClusterSpecShape = object({
  controlPlaneEndpoint: optional(apiEndpoint),
  controlPlaneLoadBalancer: optional(loadBalancer),
  image: optional(object(
    {
      cosBucket: optional(string()),
      cosBucketRegion: optional(string()),
      cosInstance: optional(string()),
      cosObject: optional(string()),
      crn: optional(string()),
      name: optional(string({ maxLength: 63, minLength: 1, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })),
      operatingSystem: optional(string()),
      resourceGroup: optional(resourceGroup),
    },
    {
      rules: [
        {
          message: 'if any of cosInstance, cosBucket, or cosObject are specified, all must be specified',
          rule: '(!has(self.cosInstance) && !has(self.cosBucket) && !has(self.cosObject)) || (has(self.cosInstance) && has(self.cosBucket) && has(self.cosObject))',
        },
        {
          message: 'an existing image name or crn must be provided, or to create a new image the cos resources must be provided, with or without a name',
          rule: 'has(self.name) || has(self.crn) || (has(self.cosInstance) && has(self.cosBucket) && has(self.cosObject))',
        },
      ],
    },
  )),
  network: optional(object({
    controlPlaneSubnets: optional(array(subnet)),
    loadBalancers: optional(array(loadBalancer)),
    resourceGroup: optional(resourceGroup),
    securityGroups: optional(array(vpcSecurityGroup)),
    vpc: optional(securityGroup),
    workerSubnets: optional(array(subnet)),
  })),
  region: string(),
  resourceGroup: string(),
  vpc: optional(string()),
  zone: optional(string()),
});

/** A value of the shape IBMVPCClusterSpec. */
export interface IBMVPCClusterSpec extends Infer<typeof ibmVpcClusterSpecShape> {}

/** The shape IBMVPCClusterSpec. */
export const ibmVpcClusterSpec: Schema<IBMVPCClusterSpec> = named('IBMVPCClusterSpec', ibmVpcClusterSpecShape);
