// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { apiEndpoint, ibmVpcClusterSpec, legacyCondition, loadBalancers, subnet } from './shared.js';

const statusVpcShape = object({ id: string(), name: string() });

/** A value of the shape StatusVpc. */
export interface StatusVpc extends Infer<typeof statusVpcShape> {}

/** The shape StatusVpc. */
export const statusVpc: Schema<StatusVpc> = named('StatusVpc', statusVpcShape);

const imageShape = object({ id: string(), name: optional(string()), ready: boolean() });

/** A value of the shape Image. */
export interface Image extends Infer<typeof imageShape> {}

/** The shape Image. */
export const image: Schema<Image> = named('Image', imageShape);

const vpcEndpointShape = object({ address: string(), floatingIPID: optional(string()), loadBalancerIPID: optional(string()) });

/** A value of the shape VpcEndpoint. */
export interface VpcEndpoint extends Infer<typeof vpcEndpointShape> {}

/** The shape VpcEndpoint. */
export const vpcEndpoint: Schema<VpcEndpoint> = named('VpcEndpoint', vpcEndpointShape);

const ibmVpcClusterSpecV1Beta1Shape = object({
  controlPlaneEndpoint: optional(apiEndpoint),
  controlPlaneLoadBalancer: optional(object({ name: optional(string({ maxLength: 63, pattern: '^([a-z]|[a-z][-a-z0-9]*[a-z0-9])$' })) })),
  region: string(),
  resourceGroup: string(),
  vpc: optional(string()),
  zone: optional(string()),
});

/** A value of the shape IBMVPCClusterSpec in v1beta1. */
export interface IBMVPCClusterSpecV1Beta1 extends Infer<typeof ibmVpcClusterSpecV1Beta1Shape> {}

/** The shape IBMVPCClusterSpec in v1beta1. */
export const ibmVpcClusterSpecV1Beta1: Schema<IBMVPCClusterSpecV1Beta1> = named('IBMVPCClusterSpec', ibmVpcClusterSpecV1Beta1Shape);

const ibmVpcClusterStatusV1Beta1Shape = object({
  conditions: optional(array(legacyCondition)),
  controlPlaneLoadBalancerState: optional(string()),
  ready: optional(boolean()),
  subnet: optional(object({ cidr: string(), id: string(), name: string(), zone: string() })),
  vpc: optional(statusVpc),
  vpcEndpoint: optional(vpcEndpoint),
});

/** A value of the shape IBMVPCClusterStatus in v1beta1. */
export interface IBMVPCClusterStatusV1Beta1 extends Infer<typeof ibmVpcClusterStatusV1Beta1Shape> {}

/** The shape IBMVPCClusterStatus in v1beta1. */
export const ibmVpcClusterStatusV1Beta1: Schema<IBMVPCClusterStatusV1Beta1> = named('IBMVPCClusterStatus', ibmVpcClusterStatusV1Beta1Shape);

const ibmVpcClusterStatusShape = object({
  conditions: optional(array(legacyCondition)),
  controlPlaneLoadBalancerState: optional(string()),
  image: optional(image),
  network: optional(object({
    controlPlaneSubnets: optional(map(image)),
    loadBalancers: optional(map(loadBalancers)),
    publicGateways: optional(map(image)),
    resourceGroup: optional(image),
    securityGroups: optional(map(image)),
    vpc: optional(image),
    workerSubnets: optional(map(image)),
  })),
  ready: optional(boolean({ default: false })),
  resourceGroup: optional(image),
  subnet: optional(subnet),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  vpc: optional(statusVpc),
  vpcEndpoint: optional(vpcEndpoint),
});

/** A value of the shape IBMVPCClusterStatus. */
export interface IBMVPCClusterStatus extends Infer<typeof ibmVpcClusterStatusShape> {}

/** The shape IBMVPCClusterStatus. */
export const ibmVpcClusterStatus: Schema<IBMVPCClusterStatus> = named('IBMVPCClusterStatus', ibmVpcClusterStatusShape);

/** The kind IBMVPCCluster. */
export const ibmVpcCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMVPCCluster',
  plural: 'ibmvpcclusters',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmVpcClusterSpecV1Beta1), status: optional(ibmVpcClusterStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmVpcClusterSpec), status: optional(ibmVpcClusterStatus) }),
    },
  ],
});

/** IBMVPCCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMVPCClusterV1Beta1 = KindOf<typeof ibmVpcCluster, 'v1beta1'>;

/** IBMVPCCluster in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMVPCCluster = KindOf<typeof ibmVpcCluster, 'v1beta2'>;
