// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, int32, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  additionalApiServerLbPort,
  apiEndpoint,
  cloudProviderConfigOverrides,
  extendedLocation,
  failureDomains,
  identityRef,
  legacyCondition,
  longRunningOperationState,
  peering,
  privateEndpoint,
  securityRule,
  serviceEndpoint,
} from './shared.js';

const publicIpShape = object({
  dnsName: optional(string()),
  ipTags: optional(array(object({ tag: string(), type: string() }))),
  name: string(),
});

/** A value of the shape PublicIP. */
export interface PublicIP extends Infer<typeof publicIpShape> {}

/** The shape PublicIP. */
export const publicIp: Schema<PublicIP> = named('PublicIP', publicIpShape);

const azureClusterStatusShape = object({
  conditions: optional(array(legacyCondition)),
  failureDomains: optional(map(failureDomains)),
  longRunningOperationStates: optional(array(longRunningOperationState)),
  ready: optional(boolean()),
});

/** A value of the shape AzureClusterStatus. */
export interface AzureClusterStatus extends Infer<typeof azureClusterStatusShape> {}

/** The shape AzureClusterStatus. */
export const azureClusterStatus: Schema<AzureClusterStatus> = named('AzureClusterStatus', azureClusterStatusShape);

const loadBalancerShape = object({
  availabilityZones: optional(array(string({ pattern: '^[1-3]$' }), { maxItems: 3, listType: 'set' })),
  backendPool: optional(object({ name: optional(string()) })),
  frontendIPs: optional(array(object({ name: string({ minLength: 1 }), privateIP: optional(string()), publicIP: optional(publicIp) }))),
  frontendIPsCount: optional(int32()),
  id: optional(string()),
  idleTimeoutInMinutes: optional(int32()),
  name: optional(string()),
  sku: optional(string()),
  type: optional(string()),
});

/** A value of the shape LoadBalancer. */
export interface LoadBalancer extends Infer<typeof loadBalancerShape> {}

/** The shape LoadBalancer. */
export const loadBalancer: Schema<LoadBalancer> = named('LoadBalancer', loadBalancerShape);

const subnetShape = object({
  cidrBlocks: optional(array(string())),
  id: optional(string()),
  name: string(),
  natGateway: optional(object({ id: optional(string()), ip: optional(publicIp), name: string(), zones: optional(array(string())) })),
  privateEndpoints: optional(array(privateEndpoint, { listMapKeys: ['name'], listType: 'map' })),
  role: string({ enum: ['node', 'control-plane', 'bastion', 'cluster'] }),
  routeTable: optional(object({ id: optional(string()), name: string() })),
  securityGroup: optional(object({
    id: optional(string()),
    name: string(),
    securityRules: optional(array(securityRule, { listMapKeys: ['name'], listType: 'map' })),
    tags: optional(map(string())),
  })),
  serviceEndpoints: optional(array(serviceEndpoint, { listMapKeys: ['service'], listType: 'map' })),
});

/** A value of the shape Subnet. */
export interface Subnet extends Infer<typeof subnetShape> {}

/** The shape Subnet. */
export const subnet: Schema<Subnet> = named('Subnet', subnetShape);

const azureClusterSpecShape = object({
  additionalTags: optional(map(string())),
  azureEnvironment: optional(string()),
  bastionSpec: optional(object({
    azureBastion: optional(object({
      enableTunneling: optional(boolean({ default: false })),
      name: optional(string()),
      publicIP: optional(publicIp),
      sku: optional(string({ default: 'Basic', enum: ['Basic', 'Standard'] })),
      subnet: optional(subnet),
    })),
  })),
  cloudProviderConfigOverrides: optional(cloudProviderConfigOverrides),
  controlPlaneEnabled: optional(boolean({ default: true })),
  controlPlaneEndpoint: optional(apiEndpoint),
  extendedLocation: optional(extendedLocation),
  failureDomains: optional(map(failureDomains)),
  identityRef: optional(identityRef),
  location: string(),
  networkSpec: optional(object({
    additionalAPIServerLBPorts: optional(array(additionalApiServerLbPort)),
    apiServerLB: optional(loadBalancer),
    controlPlaneOutboundLB: optional(loadBalancer),
    nodeOutboundLB: optional(loadBalancer),
    privateDNSZone: optional(string({ enum: ['System', 'None'] })),
    privateDNSZoneName: optional(string()),
    privateDNSZoneResourceGroup: optional(string()),
    subnets: optional(array(subnet, { listMapKeys: ['name'], listType: 'map' })),
    vnet: optional(object({
      cidrBlocks: optional(array(string())),
      id: optional(string()),
      name: string(),
      peerings: optional(array(peering)),
      resourceGroup: optional(string()),
      tags: optional(map(string())),
    })),
  })),
  resourceGroup: optional(string()),
  subscriptionID: optional(string()),
});

/** A value of the shape AzureClusterSpec. */
export interface AzureClusterSpec extends Infer<typeof azureClusterSpecShape> {}

/** The shape AzureClusterSpec. */
export const azureClusterSpec: Schema<AzureClusterSpec> = named('AzureClusterSpec', azureClusterSpecShape);

/** The kind AzureCluster. */
export const azureCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureCluster',
  plural: 'azureclusters',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
        { name: 'Reason', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].message", priority: 1 },
        { name: 'Resource Group', type: 'string', jsonPath: '.spec.resourceGroup', priority: 1 },
        { name: 'SubscriptionID', type: 'string', jsonPath: '.spec.subscriptionID', priority: 1 },
        { name: 'Location', type: 'string', jsonPath: '.spec.location', priority: 1 },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(azureClusterSpec), status: optional(azureClusterStatus) }),
    },
  ],
});

/** AzureCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureCluster = KindOf<typeof azureCluster, 'v1beta1'>;
