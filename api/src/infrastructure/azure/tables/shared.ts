// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import {
  anyObject,
  array,
  boolean,
  int32,
  integer,
  map,
  named,
  object,
  optional,
  quantity,
  string,
  time,
} from '../../../model/index.js';

const additionalApiServerLbPortShape = object({ name: string(), port: int32() });

/** A value of the shape AdditionalAPIServerLBPort. */
export interface AdditionalAPIServerLBPort extends Infer<typeof additionalApiServerLbPortShape> {}

/** The shape AdditionalAPIServerLBPort. */
export const additionalApiServerLbPort: Schema<AdditionalAPIServerLBPort> = named('AdditionalAPIServerLBPort', additionalApiServerLbPortShape);

const extendedLocationShape = object({ name: string(), type: string({ enum: ['EdgeZone'] }) });

/** A value of the shape ExtendedLocation. */
export interface ExtendedLocation extends Infer<typeof extendedLocationShape> {}

/** The shape ExtendedLocation. */
export const extendedLocation: Schema<ExtendedLocation> = named('ExtendedLocation', extendedLocationShape);

const serviceEndpointShape = object({ locations: array(string()), service: string() });

/** A value of the shape ServiceEndpoint. */
export interface ServiceEndpoint extends Infer<typeof serviceEndpointShape> {}

/** The shape ServiceEndpoint. */
export const serviceEndpoint: Schema<ServiceEndpoint> = named('ServiceEndpoint', serviceEndpointShape);

const apiEndpointShape = object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) });

/** A value of the shape APIEndpoint. */
export interface APIEndpoint extends Infer<typeof apiEndpointShape> {}

/** The shape APIEndpoint. */
export const apiEndpoint: Schema<APIEndpoint> = named('APIEndpoint', apiEndpointShape);

const failureDomainsShape = object({ attributes: optional(map(string())), controlPlane: optional(boolean()) });

/** A value of the shape FailureDomains. */
export interface FailureDomains extends Infer<typeof failureDomainsShape> {}

/** The shape FailureDomains. */
export const failureDomains: Schema<FailureDomains> = named('FailureDomains', failureDomainsShape);

const azureAsoManagedControlPlaneSpecShape = object({ resources: optional(array(anyObject())), version: optional(string()) });

/** A value of the shape AzureASOManagedControlPlaneSpec. */
export interface AzureASOManagedControlPlaneSpec extends Infer<typeof azureAsoManagedControlPlaneSpecShape> {}

/** The shape AzureASOManagedControlPlaneSpec. */
export const azureAsoManagedControlPlaneSpec: Schema<AzureASOManagedControlPlaneSpec> = named('AzureASOManagedControlPlaneSpec', azureAsoManagedControlPlaneSpecShape);

const longRunningOperationStateShape = object({ data: string(), name: string(), resourceGroup: optional(string()), serviceName: string(), type: string() });

/** A value of the shape LongRunningOperationState. */
export interface LongRunningOperationState extends Infer<typeof longRunningOperationStateShape> {}

/** The shape LongRunningOperationState. */
export const longRunningOperationState: Schema<LongRunningOperationState> = named('LongRunningOperationState', longRunningOperationStateShape);

const statusResourceShape = object({ ready: boolean(), resource: object({ group: string(), kind: string(), name: string(), version: string() }) });

/** A value of the shape StatusResource. */
export interface StatusResource extends Infer<typeof statusResourceShape> {}

/** The shape StatusResource. */
export const statusResource: Schema<StatusResource> = named('StatusResource', statusResourceShape);

const forwardPeeringPropertiesShape = object({
  allowForwardedTraffic: optional(boolean()),
  allowGatewayTransit: optional(boolean()),
  allowVirtualNetworkAccess: optional(boolean()),
  useRemoteGateways: optional(boolean()),
});

/** A value of the shape ForwardPeeringProperties. */
export interface ForwardPeeringProperties extends Infer<typeof forwardPeeringPropertiesShape> {}

/** The shape ForwardPeeringProperties. */
export const forwardPeeringProperties: Schema<ForwardPeeringProperties> = named('ForwardPeeringProperties', forwardPeeringPropertiesShape);

const azureAsoManagedMachinePoolTemplateSpecShape = object({ template: object({ spec: optional(azureAsoManagedControlPlaneSpec) }) });

/** A value of the shape AzureASOManagedMachinePoolTemplateSpec. */
export interface AzureASOManagedMachinePoolTemplateSpec extends Infer<typeof azureAsoManagedMachinePoolTemplateSpecShape> {}

/** The shape AzureASOManagedMachinePoolTemplateSpec. */
export const azureAsoManagedMachinePoolTemplateSpec: Schema<AzureASOManagedMachinePoolTemplateSpec> = named('AzureASOManagedMachinePoolTemplateSpec', azureAsoManagedMachinePoolTemplateSpecShape);

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

const identityRefShape = object(
  {
    apiVersion: optional(string()),
    fieldPath: optional(string()),
    kind: optional(string()),
    name: optional(string()),
    namespace: optional(string()),
    resourceVersion: optional(string()),
    uid: optional(string()),
  },
  { mapType: 'atomic' },
);

/** A value of the shape IdentityRef. */
export interface IdentityRef extends Infer<typeof identityRefShape> {}

/** The shape IdentityRef. */
export const identityRef: Schema<IdentityRef> = named('IdentityRef', identityRefShape);

const managedDiskShape = object({
  diskEncryptionSet: optional(object({ id: optional(string()) })),
  securityProfile: optional(object({
    diskEncryptionSet: optional(object({ id: optional(string()) })),
    securityEncryptionType: optional(string({ enum: ['VMGuestStateOnly', 'DiskWithVMGuestState'] })),
  })),
  storageAccountType: optional(string()),
});

/** A value of the shape ManagedDisk. */
export interface ManagedDisk extends Infer<typeof managedDiskShape> {}

/** The shape ManagedDisk. */
export const managedDisk: Schema<ManagedDisk> = named('ManagedDisk', managedDiskShape);

const securityRuleShape = object({
  action: optional(string({ default: 'Allow', enum: ['Allow', 'Deny'] })),
  description: string(),
  destination: optional(string()),
  destinationPorts: optional(string()),
  direction: string({ enum: ['Inbound', 'Outbound'] }),
  name: string(),
  priority: optional(int32()),
  protocol: string({ enum: ['Tcp', 'Udp', 'Icmp', '*'] }),
  source: optional(string()),
  sourcePorts: optional(string()),
  sources: optional(array(string())),
});

/** A value of the shape SecurityRule. */
export interface SecurityRule extends Infer<typeof securityRuleShape> {}

/** The shape SecurityRule. */
export const securityRule: Schema<SecurityRule> = named('SecurityRule', securityRuleShape);

const peeringShape = object({
  forwardPeeringProperties: optional(forwardPeeringProperties),
  remoteVnetName: string(),
  resourceGroup: optional(string()),
  reversePeeringProperties: optional(forwardPeeringProperties),
});

/** A value of the shape Peering. */
export interface Peering extends Infer<typeof peeringShape> {}

/** The shape Peering. */
export const peering: Schema<Peering> = named('Peering', peeringShape);

const privateEndpointShape = object({
  applicationSecurityGroups: optional(array(string())),
  customNetworkInterfaceName: optional(string()),
  location: optional(string()),
  manualApproval: optional(boolean()),
  name: string(),
  privateIPAddresses: optional(array(string())),
  privateLinkServiceConnections: optional(array(object({
    groupIDs: optional(array(string())),
    name: optional(string()),
    privateLinkServiceID: optional(string()),
    requestMessage: optional(string({ maxLength: 140 })),
  }))),
});

/** A value of the shape PrivateEndpoint. */
export interface PrivateEndpoint extends Infer<typeof privateEndpointShape> {}

/** The shape PrivateEndpoint. */
export const privateEndpoint: Schema<PrivateEndpoint> = named('PrivateEndpoint', privateEndpointShape);

const cloudProviderConfigOverridesShape = object({
  backOffs: optional(object({
    cloudProviderBackoff: optional(boolean()),
    cloudProviderBackoffDuration: optional(integer()),
    cloudProviderBackoffExponent: optional(quantity()),
    cloudProviderBackoffJitter: optional(quantity()),
    cloudProviderBackoffRetries: optional(integer()),
  })),
  rateLimits: optional(array(object({
    config: optional(object({
      cloudProviderRateLimit: optional(boolean()),
      cloudProviderRateLimitBucket: optional(integer()),
      cloudProviderRateLimitBucketWrite: optional(integer()),
      cloudProviderRateLimitQPS: optional(quantity()),
      cloudProviderRateLimitQPSWrite: optional(quantity()),
    })),
    name: string({
      enum: [
        'defaultRateLimit',
        'routeRateLimit',
        'subnetsRateLimit',
        'interfaceRateLimit',
        'routeTableRateLimit',
        'loadBalancerRateLimit',
        'publicIPAddressRateLimit',
        'securityGroupRateLimit',
        'virtualMachineRateLimit',
        'storageAccountRateLimit',
        'diskRateLimit',
        'snapshotRateLimit',
        'virtualMachineScaleSetRateLimit',
        'virtualMachineSizesRateLimit',
        'availabilitySetRateLimit',
      ],
    }),
  }))),
});

/** A value of the shape CloudProviderConfigOverrides. */
export interface CloudProviderConfigOverrides extends Infer<typeof cloudProviderConfigOverridesShape> {}

/** The shape CloudProviderConfigOverrides. */
export const cloudProviderConfigOverrides: Schema<CloudProviderConfigOverrides> = named('CloudProviderConfigOverrides', cloudProviderConfigOverridesShape);

const azureMachineSpecShape = object({
  acceleratedNetworking: optional(boolean()),
  additionalCapabilities: optional(object({ ultraSSDEnabled: optional(boolean()) })),
  additionalTags: optional(map(string())),
  allocatePublicIP: optional(boolean()),
  capacityReservationGroupID: optional(string()),
  dataDisks: optional(array(object({
    cachingType: optional(string({ enum: ['None', 'ReadOnly', 'ReadWrite'] })),
    diskSizeGB: int32(),
    lun: optional(int32()),
    managedDisk: optional(managedDisk),
    nameSuffix: string(),
  }))),
  diagnostics: optional(object({
    boot: optional(object({
      storageAccountType: string({ enum: ['Managed', 'UserManaged', 'Disabled'] }),
      userManaged: optional(object({ storageAccountURI: string({ maxLength: 1024, pattern: '^https://' }) })),
    })),
  })),
  disableExtensionOperations: optional(boolean()),
  disableVMBootstrapExtension: optional(boolean()),
  dnsServers: optional(array(string())),
  enableIPForwarding: optional(boolean()),
  failureDomain: optional(string()),
  identity: optional(string({ default: 'None', enum: ['None', 'SystemAssigned', 'UserAssigned'] })),
  image: optional(object({
    computeGallery: optional(object({
      gallery: string({ minLength: 1 }),
      name: string({ minLength: 1 }),
      plan: optional(object({ offer: string({ minLength: 1 }), publisher: string({ minLength: 1 }), sku: string({ minLength: 1 }) })),
      resourceGroup: optional(string()),
      subscriptionID: optional(string()),
      version: string({ minLength: 1 }),
    })),
    id: optional(string()),
    marketplace: optional(object({
      offer: string({ minLength: 1 }),
      publisher: string({ minLength: 1 }),
      sku: string({ minLength: 1 }),
      thirdPartyImage: optional(boolean({ default: false })),
      version: string({ minLength: 1 }),
    })),
    sharedGallery: optional(object({
      gallery: string({ minLength: 1 }),
      name: string({ minLength: 1 }),
      offer: optional(string()),
      publisher: optional(string()),
      resourceGroup: string({ minLength: 1 }),
      sku: optional(string()),
      subscriptionID: string({ minLength: 1 }),
      version: string({ minLength: 1 }),
    })),
  })),
  networkInterfaces: optional(array(object({
    acceleratedNetworking: optional(boolean()),
    privateIPConfigs: optional(integer()),
    subnetName: optional(string()),
  }))),
  osDisk: object({
    cachingType: optional(string({ default: 'None', enum: ['None', 'ReadOnly', 'ReadWrite'] })),
    diffDiskSettings: optional(object({
      option: string({ enum: ['Local'] }),
      placement: optional(string({ enum: ['CacheDisk', 'NvmeDisk', 'ResourceDisk'] })),
    })),
    diskSizeGB: optional(int32()),
    managedDisk: optional(managedDisk),
    osType: string({ default: 'Linux' }),
  }),
  providerID: optional(string()),
  roleAssignmentName: optional(string()),
  securityProfile: optional(object({
    encryptionAtHost: optional(boolean()),
    securityType: optional(string({ enum: ['ConfidentialVM', 'TrustedLaunch'] })),
    uefiSettings: optional(object({ secureBootEnabled: optional(boolean()), vTpmEnabled: optional(boolean()) })),
  })),
  spotVMOptions: optional(object({ evictionPolicy: optional(string({ enum: ['Deallocate', 'Delete'] })), maxPrice: optional(quantity()) })),
  sshPublicKey: optional(string()),
  subnetName: optional(string()),
  systemAssignedIdentityRole: optional(object({ definitionID: optional(string()), name: optional(string()), scope: optional(string()) })),
  userAssignedIdentities: optional(array(object({ providerID: string() }))),
  vmExtensions: optional(array(object({
    name: string(),
    protectedSettings: optional(map(string())),
    publisher: string(),
    settings: optional(map(string())),
    version: string(),
  }))),
  vmSize: string(),
});

/** A value of the shape AzureMachineSpec. */
export interface AzureMachineSpec extends Infer<typeof azureMachineSpecShape> {}

/** The shape AzureMachineSpec. */
export const azureMachineSpec: Schema<AzureMachineSpec> = named('AzureMachineSpec', azureMachineSpecShape);
