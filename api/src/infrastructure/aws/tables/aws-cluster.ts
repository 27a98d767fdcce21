// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, int64, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  awsClusterSpec,
  awsClusterSpecV1Beta1,
  cpuOptions,
  ingressRule,
  instanceMetadataOptions,
  legacyCondition,
  machineAddress,
  privateDnsName,
  volume,
} from './shared.js';

const attributesShape = object({ crossZoneLoadBalancing: optional(boolean()), idleTimeout: optional(int64()) });

/** A value of the shape Attributes. */
export interface Attributes extends Infer<typeof attributesShape> {}

/** The shape Attributes. */
export const attributes: Schema<Attributes> = named('Attributes', attributesShape);

const failureDomainsShape = object({ attributes: optional(map(string())), controlPlane: optional(boolean()) });

/** A value of the shape FailureDomains. */
export interface FailureDomains extends Infer<typeof failureDomainsShape> {}

/** The shape FailureDomains. */
export const failureDomains: Schema<FailureDomains> = named('FailureDomains', failureDomainsShape);

const listenerShape = object({ instancePort: int64(), instanceProtocol: string(), port: int64(), protocol: string() });

/** A value of the shape Listener. */
export interface Listener extends Infer<typeof listenerShape> {}

/** The shape Listener. */
export const listener: Schema<Listener> = named('Listener', listenerShape);

const healthChecksShape = object({
  healthyThreshold: int64(),
  interval: int64(),
  target: string(),
  timeout: int64(),
  unhealthyThreshold: int64(),
});

/** A value of the shape HealthChecks. */
export interface HealthChecks extends Infer<typeof healthChecksShape> {}

/** The shape HealthChecks. */
export const healthChecks: Schema<HealthChecks> = named('HealthChecks', healthChecksShape);

const loadBalancerShape = object({
  arn: optional(string()),
  attributes: optional(attributes),
  availabilityZones: optional(array(string())),
  dnsName: optional(string()),
  elbAttributes: optional(map(string())),
  elbListeners: optional(array(object({
    port: int64(),
    protocol: string(),
    targetGroup: object({
      ipType: optional(string()),
      name: string({ maxLength: 32 }),
      port: int64(),
      protocol: string({ enum: ['tcp', 'tls', 'udp', 'TCP', 'TLS', 'UDP'] }),
      targetGroupHealthCheck: optional(object({
        intervalSeconds: optional(int64()),
        path: optional(string()),
        port: optional(string()),
        protocol: optional(string()),
        thresholdCount: optional(int64()),
        timeoutSeconds: optional(int64()),
        unhealthyThresholdCount: optional(int64()),
      })),
      vpcId: string(),
    }),
  }))),
  healthChecks: optional(healthChecks),
  listeners: optional(array(listener)),
  loadBalancerIPAddressType: optional(string({ enum: ['ipv4', 'dualstack', 'dualstack-without-public-ipv4'] })),
  loadBalancerType: optional(string({ enum: ['classic', 'elb', 'alb', 'nlb'] })),
  name: optional(string()),
  scheme: optional(string()),
  securityGroupIds: optional(array(string())),
  subnetIds: optional(array(string())),
  tags: optional(map(string())),
});

/** A value of the shape LoadBalancer. */
export interface LoadBalancer extends Infer<typeof loadBalancerShape> {}

/** The shape LoadBalancer. */
export const loadBalancer: Schema<LoadBalancer> = named('LoadBalancer', loadBalancerShape);

const instanceShape = object({
  addresses: optional(array(machineAddress)),
  assignPrimaryIPv6: optional(string()),
  availabilityZone: optional(string()),
  capacityReservationId: optional(string()),
  capacityReservationPreference: optional(string({
    allOf: [
      { enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] },
      { enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] },
    ],
  })),
  cpuOptions: optional(cpuOptions),
  dynamicHostAllocation: optional(object({ tags: optional(map(string())) })),
  ebsOptimized: optional(boolean()),
  enaSupport: optional(boolean()),
  hostAffinity: optional(string({ enum: ['default', 'host'] })),
  hostID: optional(string()),
  iamProfile: optional(string()),
  id: string(),
  imageId: optional(string()),
  instanceMetadataOptions: optional(instanceMetadataOptions),
  instanceState: optional(string()),
  ipv6Address: optional(string()),
  marketType: optional(string({ enum: ['OnDemand', 'Spot', 'CapacityBlock'] })),
  networkInterfaceType: optional(string()),
  networkInterfaces: optional(array(string())),
  nonRootVolumes: optional(array(volume)),
  placementGroupName: optional(string()),
  placementGroupPartition: optional(int64({ maximum: 7, minimum: 1 })),
  privateDnsName: optional(privateDnsName),
  privateIp: optional(string()),
  publicIPOnLaunch: optional(boolean()),
  publicIp: optional(string()),
  rootVolume: optional(volume),
  securityGroupIds: optional(array(string())),
  spotMarketOptions: optional(object({ maxPrice: optional(string()) })),
  sshKeyName: optional(string()),
  subnetId: optional(string()),
  tags: optional(map(string())),
  tenancy: optional(string()),
  type: optional(string()),
  userData: optional(string()),
  volumeIDs: optional(array(string())),
});

/** A value of the shape Instance. */
export interface Instance extends Infer<typeof instanceShape> {}

/** The shape Instance. */
export const instance: Schema<Instance> = named('Instance', instanceShape);

const awsClusterStatusV1Beta1Shape = object({
  bastion: optional(object({
    addresses: optional(array(machineAddress)),
    availabilityZone: optional(string()),
    ebsOptimized: optional(boolean()),
    enaSupport: optional(boolean()),
    iamProfile: optional(string()),
    id: string(),
    imageId: optional(string()),
    instanceState: optional(string()),
    networkInterfaces: optional(array(string())),
    nonRootVolumes: optional(array(volume)),
    privateIp: optional(string()),
    publicIp: optional(string()),
    rootVolume: optional(volume),
    securityGroupIds: optional(array(string())),
    spotMarketOptions: optional(object({ maxPrice: optional(string()) })),
    sshKeyName: optional(string()),
    subnetId: optional(string()),
    tags: optional(map(string())),
    tenancy: optional(string()),
    type: optional(string()),
    userData: optional(string()),
    volumeIDs: optional(array(string())),
  })),
  conditions: optional(array(legacyCondition)),
  failureDomains: optional(map(failureDomains)),
  networkStatus: optional(object({
    apiServerElb: optional(object({
      attributes: optional(attributes),
      availabilityZones: optional(array(string())),
      dnsName: optional(string()),
      healthChecks: optional(healthChecks),
      listeners: optional(array(listener)),
      name: optional(string()),
      scheme: optional(string()),
      securityGroupIds: optional(array(string())),
      subnetIds: optional(array(string())),
      tags: optional(map(string())),
    })),
    securityGroups: optional(map(object({
      id: string(),
      ingressRule: optional(array(object({
        cidrBlocks: optional(array(string())),
        description: string(),
        fromPort: int64(),
        ipv6CidrBlocks: optional(array(string())),
        protocol: string(),
        sourceSecurityGroupIds: optional(array(string())),
        toPort: int64(),
      }))),
      name: string(),
      tags: optional(map(string())),
    }))),
  })),
  ready: boolean({ default: false }),
});

/** A value of the shape AWSClusterStatus in v1beta1. */
export interface AWSClusterStatusV1Beta1 extends Infer<typeof awsClusterStatusV1Beta1Shape> {}

/** The shape AWSClusterStatus in v1beta1. */
export const awsClusterStatusV1Beta1: Schema<AWSClusterStatusV1Beta1> = named('AWSClusterStatus', awsClusterStatusV1Beta1Shape);

const awsClusterStatusShape = object({
  bastion: optional(instance),
  conditions: optional(array(legacyCondition)),
  failureDomains: optional(map(failureDomains)),
  networkStatus: optional(object({
    apiServerElb: optional(loadBalancer),
    natGatewaysIPs: optional(array(string())),
    secondaryAPIServerELB: optional(loadBalancer),
    securityGroups: optional(map(object({ id: string(), ingressRule: optional(array(ingressRule)), name: string(), tags: optional(map(string())) }))),
  })),
  ready: boolean({ default: false }),
});

/** A value of the shape AWSClusterStatus. */
export interface AWSClusterStatus extends Infer<typeof awsClusterStatusShape> {}

/** The shape AWSClusterStatus. */
export const awsClusterStatus: Schema<AWSClusterStatus> = named('AWSClusterStatus', awsClusterStatusShape);

/** The kind AWSCluster. */
export const awsCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSCluster',
  plural: 'awsclusters',
  shortNames: ['awsc'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      served: false,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'VPC', type: 'string', jsonPath: '.spec.network.vpc.id' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint', priority: 1 },
        { name: 'Bastion IP', type: 'string', jsonPath: '.status.bastion.publicIp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(awsClusterSpecV1Beta1), status: optional(awsClusterStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'VPC', type: 'string', jsonPath: '.spec.network.vpc.id' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint', priority: 1 },
        { name: 'Bastion IP', type: 'string', jsonPath: '.status.bastion.publicIp' },
        { name: 'Bastion IPv6', type: 'string', jsonPath: '.status.bastion.ipv6Address' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(awsClusterSpec), status: optional(awsClusterStatus) }),
    },
  ],
});

/** AWSCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSClusterV1Beta1 = KindOf<typeof awsCluster, 'v1beta1'>;

/** AWSCluster in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSCluster = KindOf<typeof awsCluster, 'v1beta2'>;
