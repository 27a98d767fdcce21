// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import { array, boolean, int32, integer, named, object, optional, string, time } from '../../../model/index.js';

const machineAddressShape = object({ address: string(), type: string() });

/** A value of the shape MachineAddress. */
export interface MachineAddress extends Infer<typeof machineAddressShape> {}

/** The shape MachineAddress. */
export const machineAddress: Schema<MachineAddress> = named('MachineAddress', machineAddressShape);

const allowedAddressPairShape = object({ ipAddress: string(), macAddress: optional(string()) });

/** A value of the shape AllowedAddressPair. */
export interface AllowedAddressPair extends Infer<typeof allowedAddressPairShape> {}

/** The shape AllowedAddressPair. */
export const allowedAddressPair: Schema<AllowedAddressPair> = named('AllowedAddressPair', allowedAddressPairShape);

const serverMetadataShape = object({ key: string({ maxLength: 255 }), value: string({ maxLength: 255 }) });

/** A value of the shape ServerMetadata. */
export interface ServerMetadata extends Infer<typeof serverMetadataShape> {}

/** The shape ServerMetadata. */
export const serverMetadata: Schema<ServerMetadata> = named('ServerMetadata', serverMetadataShape);

const valueSpecShape = object({ key: string(), name: string(), value: string() });

/** A value of the shape ValueSpec. */
export interface ValueSpec extends Infer<typeof valueSpecShape> {}

/** The shape ValueSpec. */
export const valueSpec: Schema<ValueSpec> = named('ValueSpec', valueSpecShape);

const profileShape = object({ ovsHWOffload: optional(boolean()), trustedVF: optional(boolean()) });

/** A value of the shape Profile. */
export interface Profile extends Infer<typeof profileShape> {}

/** The shape Profile. */
export const profile: Schema<Profile> = named('Profile', profileShape);

const externalNetworkShape = object({ id: string(), name: string(), tags: optional(array(string())) });

/** A value of the shape ExternalNetwork. */
export interface ExternalNetwork extends Infer<typeof externalNetworkShape> {}

/** The shape ExternalNetwork. */
export const externalNetwork: Schema<ExternalNetwork> = named('ExternalNetwork', externalNetworkShape);

const floatingIpPoolRefShape = object(
  { apiGroup: optional(string()), kind: string(), name: string() },
  { mapType: 'atomic' },
);

/** A value of the shape FloatingIPPoolRef. */
export interface FloatingIPPoolRef extends Infer<typeof floatingIpPoolRefShape> {}

/** The shape FloatingIPPoolRef. */
export const floatingIpPoolRef: Schema<FloatingIPPoolRef> = named('FloatingIPPoolRef', floatingIpPoolRefShape);

const serverGroupShape = object(
  {
    filter: optional(object({ name: optional(string()) }, { minProperties: 1 })),
    id: optional(string({ format: 'uuid' })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape ServerGroup. */
export interface ServerGroup extends Infer<typeof serverGroupShape> {}

/** The shape ServerGroup. */
export const serverGroup: Schema<ServerGroup> = named('ServerGroup', serverGroupShape);

const availabilityZoneShape = object(
  {
    from: optional(string({ default: 'Name', enum: ['Name', 'Machine'] })),
    name: optional(string({ minLength: 1, pattern: '^[^ ]+$' })),
  },
  {
    rules: [
      {
        message: "name is required when from is 'Name' or default",
        rule: "!has(self.from) || self.from == 'Name' ? has(self.name) : !has(self.name)",
      },
    ],
  },
);

/** A value of the shape AvailabilityZone. */
export interface AvailabilityZone extends Infer<typeof availabilityZoneShape> {}

/** The shape AvailabilityZone. */
export const availabilityZone: Schema<AvailabilityZone> = named('AvailabilityZone', availabilityZoneShape);

const identityRefShape = object(
  {
    cloudName: string({ minLength: 1 }),
    name: string({ minLength: 1 }),
    region: optional(string()),
    type: string({ default: 'Secret', enum: ['Secret', 'ClusterIdentity'] }),
  },
  {
    rules: [
      {
        message: 'region is immutable',
        rule: '(!has(self.region) && !has(oldSelf.region)) || self.region == oldSelf.region',
      },
    ],
  },
);

/** A value of the shape IdentityRef. */
export interface IdentityRef extends Infer<typeof identityRefShape> {}

/** The shape IdentityRef. */
export const identityRef: Schema<IdentityRef> = named('IdentityRef', identityRefShape);

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

const imageShape = object(
  {
    filter: optional(object(
      { name: optional(string()), tags: optional(array(string(), { listType: 'set' })) },
      { minProperties: 1 },
    )),
    id: optional(string({ format: 'uuid' })),
    imageRef: optional(object({ name: string() })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape Image. */
export interface Image extends Infer<typeof imageShape> {}

/** The shape Image. */
export const image: Schema<Image> = named('Image', imageShape);

const rootVolumeShape = object({ availabilityZone: optional(availabilityZone), sizeGiB: integer({ minimum: 1 }), type: optional(string()) });

/** A value of the shape RootVolume. */
export interface RootVolume extends Infer<typeof rootVolumeShape> {}

/** The shape RootVolume. */
export const rootVolume: Schema<RootVolume> = named('RootVolume', rootVolumeShape);

const allNodesSecurityGroupRuleShape = object({
  description: optional(string()),
  direction: string({ enum: ['ingress', 'egress'] }),
  etherType: optional(string({ enum: ['IPv4', 'IPv6'] })),
  name: string(),
  portRangeMax: optional(integer()),
  portRangeMin: optional(integer()),
  protocol: optional(string()),
  remoteGroupID: optional(string()),
  remoteIPPrefix: optional(string()),
  remoteManagedGroups: optional(array(string({ enum: ['bastion', 'controlplane', 'worker'] }))),
});

/** A value of the shape AllNodesSecurityGroupRule. */
export interface AllNodesSecurityGroupRule extends Infer<typeof allNodesSecurityGroupRuleShape> {}

/** The shape AllNodesSecurityGroupRule. */
export const allNodesSecurityGroupRule: Schema<AllNodesSecurityGroupRule> = named('AllNodesSecurityGroupRule', allNodesSecurityGroupRuleShape);

const additionalBlockDeviceShape = object({
  name: string(),
  sizeGiB: integer({ minimum: 1 }),
  storage: object({
    type: string(),
    volume: optional(object({ availabilityZone: optional(availabilityZone), type: optional(string()) })),
  }),
});

/** A value of the shape AdditionalBlockDevice. */
export interface AdditionalBlockDevice extends Infer<typeof additionalBlockDeviceShape> {}

/** The shape AdditionalBlockDevice. */
export const additionalBlockDevice: Schema<AdditionalBlockDevice> = named('AdditionalBlockDevice', additionalBlockDeviceShape);

const schedulerHintAdditionalPropertyShape = object({
  name: string({ minLength: 1 }),
  value: object(
    {
      bool: optional(boolean()),
      number: optional(integer()),
      string: optional(string({ maxLength: 255, minLength: 1 })),
      type: string({ enum: ['Bool', 'String', 'Number'] }),
    },
    {
      rules: [
        {
          message: 'bool is required when type is Bool, and forbidden otherwise',
          rule: "has(self.type) && self.type == 'Bool' ? has(self.bool) : !has(self.bool)",
        },
        {
          message: 'number is required when type is Number, and forbidden otherwise',
          rule: "has(self.type) && self.type == 'Number' ? has(self.number) : !has(self.number)",
        },
        {
          message: 'string is required when type is String, and forbidden otherwise',
          rule: "has(self.type) && self.type == 'String' ? has(self.string) : !has(self.string)",
        },
      ],
    },
  ),
});

/** A value of the shape SchedulerHintAdditionalProperty. */
export interface SchedulerHintAdditionalProperty extends Infer<typeof schedulerHintAdditionalPropertyShape> {}

/** The shape SchedulerHintAdditionalProperty. */
export const schedulerHintAdditionalProperty: Schema<SchedulerHintAdditionalProperty> = named('SchedulerHintAdditionalProperty', schedulerHintAdditionalPropertyShape);

const networkShape = object(
  {
    filter: optional(object(
      {
        description: optional(string()),
        name: optional(string()),
        notTags: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
        notTagsAny: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
        projectID: optional(string()),
        tags: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
        tagsAny: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
      },
      { minProperties: 1 },
    )),
    id: optional(string({ format: 'uuid' })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape Network. */
export interface Network extends Infer<typeof networkShape> {}

/** The shape Network. */
export const network: Schema<Network> = named('Network', networkShape);

const subnetShape = object(
  {
    filter: optional(object(
      {
        cidr: optional(string()),
        description: optional(string()),
        gatewayIP: optional(string()),
        ipVersion: optional(integer()),
        ipv6AddressMode: optional(string()),
        ipv6RAMode: optional(string()),
        name: optional(string()),
        notTags: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
        notTagsAny: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
        projectID: optional(string()),
        tags: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
        tagsAny: optional(array(string({ minLength: 1, pattern: '^[^,]+$' }), { listType: 'set' })),
      },
      { minProperties: 1 },
    )),
    id: optional(string({ format: 'uuid' })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape Subnet. */
export interface Subnet extends Infer<typeof subnetShape> {}

/** The shape Subnet. */
export const subnet: Schema<Subnet> = named('Subnet', subnetShape);

const resolvedShape = object({
  flavorID: optional(string()),
  imageID: optional(string()),
  ports: optional(array(object({
    adminStateUp: optional(boolean()),
    allowedAddressPairs: optional(array(allowedAddressPair)),
    description: string(),
    disablePortSecurity: optional(boolean()),
    fixedIPs: optional(array(object({ ipAddress: optional(string()), subnet: optional(string()) }), { listType: 'atomic' })),
    hostID: optional(string()),
    macAddress: optional(string()),
    name: string(),
    networkID: string(),
    profile: optional(profile),
    propagateUplinkStatus: optional(boolean()),
    securityGroups: optional(array(string(), { listType: 'atomic' })),
    tags: optional(array(string(), { listType: 'set' })),
    trunk: optional(boolean()),
    valueSpecs: optional(array(valueSpec, { listMapKeys: ['name'], listType: 'map' })),
    vnicType: optional(string()),
  }))),
  serverGroupID: optional(string()),
});

/** A value of the shape Resolved. */
export interface Resolved extends Infer<typeof resolvedShape> {}

/** The shape Resolved. */
export const resolved: Schema<Resolved> = named('Resolved', resolvedShape);

const portShape = object({
  adminStateUp: optional(boolean()),
  allowedAddressPairs: optional(array(allowedAddressPair)),
  description: optional(string()),
  disablePortSecurity: optional(boolean()),
  fixedIPs: optional(array(object({ ipAddress: optional(string()), subnet: optional(subnet) }), { listType: 'atomic' })),
  hostID: optional(string()),
  macAddress: optional(string()),
  nameSuffix: optional(string()),
  network: optional(network),
  profile: optional(profile),
  propagateUplinkStatus: optional(boolean()),
  securityGroups: optional(array(network, { listType: 'atomic' })),
  tags: optional(array(string(), { listType: 'set' })),
  trunk: optional(boolean()),
  valueSpecs: optional(array(valueSpec, { listMapKeys: ['name'], listType: 'map' })),
  vnicType: optional(string()),
});

/** A value of the shape Port. */
export interface Port extends Infer<typeof portShape> {}

/** The shape Port. */
export const port: Schema<Port> = named('Port', portShape);

const openStackMachineSpecShape = object(
  {
    additionalBlockDevices: optional(array(additionalBlockDevice, { listMapKeys: ['name'], listType: 'map' })),
    configDrive: optional(boolean()),
    flavor: optional(string({ minLength: 1 })),
    flavorID: optional(string({ minLength: 1 })),
    floatingIPPoolRef: optional(floatingIpPoolRef),
    identityRef: optional(identityRef),
    image: image,
    ports: optional(array(port)),
    providerID: optional(string()),
    rootVolume: optional(rootVolume),
    schedulerHintAdditionalProperties: optional(array(schedulerHintAdditionalProperty, { listMapKeys: ['name'], listType: 'map' })),
    securityGroups: optional(array(network)),
    serverGroup: optional(serverGroup),
    serverMetadata: optional(array(serverMetadata, { listMapKeys: ['key'], listType: 'map' })),
    sshKeyName: optional(string()),
    tags: optional(array(string(), { listType: 'set' })),
    trunk: optional(boolean()),
  },
  {
    rules: [
      { message: 'at least one of flavor or flavorID must be set', rule: '(has(self.flavor) || has(self.flavorID))' },
    ],
  },
);

/** A value of the shape OpenStackMachineSpec. */
export interface OpenStackMachineSpec extends Infer<typeof openStackMachineSpecShape> {}

/** The shape OpenStackMachineSpec. */
export const openStackMachineSpec: Schema<OpenStackMachineSpec> = named('OpenStackMachineSpec', openStackMachineSpecShape);

const openStackClusterSpecShape = object(
  {
    apiServerFixedIP: optional(string()),
    apiServerFloatingIP: optional(string()),
    apiServerLoadBalancer: optional(object({
      additionalPorts: optional(array(integer(), { listType: 'set' })),
      allowedCIDRs: optional(array(string(), { listType: 'set' })),
      availabilityZone: optional(string()),
      enabled: boolean({ default: true }),
      flavor: optional(string()),
      monitor: optional(object({
        delay: optional(integer({ minimum: 0 })),
        maxRetries: optional(integer({ maximum: 10, minimum: 0 })),
        maxRetriesDown: optional(integer({ maximum: 10, minimum: 1 })),
        timeout: optional(integer({ minimum: 0 })),
      })),
      network: optional(network),
      provider: optional(string()),
      subnets: optional(array(subnet, { listType: 'atomic' })),
    })),
    apiServerPort: optional(integer({ maximum: 65535, minimum: 0 })),
    bastion: optional(object(
      {
        availabilityZone: optional(string()),
        enabled: optional(boolean({ default: true })),
        floatingIP: optional(string({ format: 'ipv4' })),
        spec: optional(openStackMachineSpec),
      },
      { rules: [{ message: 'spec is required if bastion is enabled', rule: '!self.enabled || has(self.spec)' }] },
    )),
    controlPlaneAvailabilityZones: optional(array(string(), { listType: 'set' })),
    controlPlaneEndpoint: optional(object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) })),
    controlPlaneOmitAvailabilityZone: optional(boolean()),
    disableAPIServerFloatingIP: optional(boolean()),
    disableExternalNetwork: optional(boolean()),
    disablePortSecurity: optional(boolean()),
    externalNetwork: optional(network),
    externalRouterIPs: optional(array(object({ fixedIP: optional(string()), subnet: subnet }), { listType: 'atomic' })),
    identityRef: identityRef,
    managedSecurityGroups: optional(object({
      allNodesSecurityGroupRules: optional(array(allNodesSecurityGroupRule, { listMapKeys: ['name'], listType: 'map' })),
      allowAllInClusterTraffic: boolean({ default: false }),
      controlPlaneNodesSecurityGroupRules: optional(array(allNodesSecurityGroupRule, { listMapKeys: ['name'], listType: 'map' })),
      workerNodesSecurityGroupRules: optional(array(allNodesSecurityGroupRule, { listMapKeys: ['name'], listType: 'map' })),
    })),
    managedSubnets: optional(array(
      object({
        allocationPools: optional(array(object({ end: string(), start: string() }))),
        cidr: string(),
        dnsNameservers: optional(array(string())),
      }),
      { maxItems: 1, listType: 'atomic' },
    )),
    network: optional(network),
    networkMTU: optional(integer()),
    router: optional(network),
    subnets: optional(array(subnet, { maxItems: 2, listType: 'atomic' })),
    tags: optional(array(string(), { listType: 'set' })),
  },
  {
    rules: [
      {
        message: 'bastion floating IP cannot be set when disableExternalNetwork is true',
        rule: 'has(self.disableExternalNetwork) && self.disableExternalNetwork ? !has(self.bastion) || !has(self.bastion.floatingIP) : true',
      },
      {
        message: 'disableAPIServerFloatingIP cannot be false when disableExternalNetwork is true',
        rule: 'has(self.disableExternalNetwork) && self.disableExternalNetwork ? has(self.disableAPIServerFloatingIP) && self.disableAPIServerFloatingIP : true',
      },
    ],
  },
);

/** A value of the shape OpenStackClusterSpec. */
export interface OpenStackClusterSpec extends Infer<typeof openStackClusterSpecShape> {}

/** The shape OpenStackClusterSpec. */
export const openStackClusterSpec: Schema<OpenStackClusterSpec> = named('OpenStackClusterSpec', openStackClusterSpecShape);
