// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, int32, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  additionalApiServerLbPort,
  cloudProviderConfigOverrides,
  extendedLocation,
  failureDomains,
  identityRef,
  peering,
  privateEndpoint,
  securityRule,
  serviceEndpoint,
} from './shared.js';

const apiServerLbShape = object({ idleTimeoutInMinutes: optional(int32()), sku: optional(string()), type: optional(string()) });

/** A value of the shape ApiServerLB. */
export interface ApiServerLB extends Infer<typeof apiServerLbShape> {}

/** The shape ApiServerLB. */
export const apiServerLb: Schema<ApiServerLB> = named('ApiServerLB', apiServerLbShape);

const networkSpecSubnetShape = object({
  cidrBlocks: optional(array(string())),
  name: string(),
  natGateway: optional(object({ name: string() })),
  privateEndpoints: optional(array(privateEndpoint, { listMapKeys: ['name'], listType: 'map' })),
  role: string({ enum: ['node', 'control-plane', 'bastion', 'cluster'] }),
  securityGroup: optional(object({
    securityRules: optional(array(securityRule, { listMapKeys: ['name'], listType: 'map' })),
    tags: optional(map(string())),
  })),
  serviceEndpoints: optional(array(serviceEndpoint, { listMapKeys: ['service'], listType: 'map' })),
});

/** A value of the shape NetworkSpecSubnet. */
export interface NetworkSpecSubnet extends Infer<typeof networkSpecSubnetShape> {}

/** The shape NetworkSpecSubnet. */
export const networkSpecSubnet: Schema<NetworkSpecSubnet> = named('NetworkSpecSubnet', networkSpecSubnetShape);

const azureClusterTemplateSpecShape = object({
  template: object({
    spec: object({
      additionalTags: optional(map(string())),
      azureEnvironment: optional(string()),
      bastionSpec: optional(object({ azureBastion: optional(object({ subnet: optional(networkSpecSubnet) })) })),
      cloudProviderConfigOverrides: optional(cloudProviderConfigOverrides),
      extendedLocation: optional(extendedLocation),
      failureDomains: optional(map(failureDomains)),
      identityRef: optional(identityRef),
      location: string(),
      networkSpec: optional(object({
        additionalAPIServerLBPorts: optional(array(additionalApiServerLbPort)),
        apiServerLB: optional(apiServerLb),
        controlPlaneOutboundLB: optional(apiServerLb),
        nodeOutboundLB: optional(apiServerLb),
        privateDNSZoneName: optional(string()),
        privateDNSZoneResourceGroup: optional(string()),
        subnets: optional(array(networkSpecSubnet, { listMapKeys: ['name'], listType: 'map' })),
        vnet: optional(object({
          cidrBlocks: optional(array(string())),
          peerings: optional(array(peering)),
          tags: optional(map(string())),
        })),
      })),
      subscriptionID: optional(string()),
    }),
  }),
});

/** A value of the shape AzureClusterTemplateSpec. */
export interface AzureClusterTemplateSpec extends Infer<typeof azureClusterTemplateSpecShape> {}

/** The shape AzureClusterTemplateSpec. */
export const azureClusterTemplateSpec: Schema<AzureClusterTemplateSpec> = named('AzureClusterTemplateSpec', azureClusterTemplateSpecShape);

/** The kind AzureClusterTemplate. */
export const azureClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureClusterTemplate',
  plural: 'azureclustertemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [{ name: 'v1beta1', storage: true, schema: object({ spec: optional(azureClusterTemplateSpec) }) }],
});

/** AzureClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureClusterTemplate = KindOf<typeof azureClusterTemplate, 'v1beta1'>;
