// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { ibmPowerVsClusterSpec, ibmPowerVsClusterSpecV1Beta1, legacyCondition, loadBalancers } from './shared.js';

const ibmPowerVsClusterStatusV1Beta1Shape = object({ ready: boolean() });

/** A value of the shape IBMPowerVSClusterStatus in v1beta1. */
export interface IBMPowerVSClusterStatusV1Beta1 extends Infer<typeof ibmPowerVsClusterStatusV1Beta1Shape> {}

/** The shape IBMPowerVSClusterStatus in v1beta1. */
export const ibmPowerVsClusterStatusV1Beta1: Schema<IBMPowerVSClusterStatusV1Beta1> = named('IBMPowerVSClusterStatus', ibmPowerVsClusterStatusV1Beta1Shape);

const vpcShape = object({ controllerCreated: optional(boolean({ default: false })), id: optional(string()) });

/** A value of the shape Vpc. */
export interface Vpc extends Infer<typeof vpcShape> {}

/** The shape Vpc. */
export const vpc: Schema<Vpc> = named('Vpc', vpcShape);

const ibmPowerVsClusterStatusShape = object({
  conditions: optional(array(legacyCondition)),
  cosInstance: optional(vpc),
  dhcpServer: optional(vpc),
  loadBalancers: optional(map(loadBalancers)),
  network: optional(vpc),
  ready: boolean({ default: false }),
  resourceGroupID: optional(vpc),
  serviceInstance: optional(vpc),
  transitGateway: optional(object({
    controllerCreated: optional(boolean({ default: false })),
    id: optional(string()),
    powerVSConnection: optional(vpc),
    vpcConnection: optional(vpc),
  })),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  vpc: optional(vpc),
  vpcSecurityGroups: optional(map(object({
    controllerCreated: optional(boolean({ default: false })),
    id: optional(string()),
    ruleIDs: optional(array(string())),
  }))),
  vpcSubnet: optional(map(vpc)),
});

/** A value of the shape IBMPowerVSClusterStatus. */
export interface IBMPowerVSClusterStatus extends Infer<typeof ibmPowerVsClusterStatusShape> {}

/** The shape IBMPowerVSClusterStatus. */
export const ibmPowerVsClusterStatus: Schema<IBMPowerVSClusterStatus> = named('IBMPowerVSClusterStatus', ibmPowerVsClusterStatusShape);

/** The kind IBMPowerVSCluster. */
export const ibmPowerVsCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMPowerVSCluster',
  plural: 'ibmpowervsclusters',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'PowerVS Cloud Instance ID', type: 'string', jsonPath: '.spec.serviceInstanceID', priority: 1 },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host', priority: 1 },
        { name: 'Port', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.port', priority: 1 },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsClusterSpecV1Beta1), status: optional(ibmPowerVsClusterStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'PowerVS Cloud Instance ID', type: 'string', jsonPath: '.spec.serviceInstanceID', priority: 1 },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host', priority: 1 },
        { name: 'Port', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.port', priority: 1 },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsClusterSpec), status: optional(ibmPowerVsClusterStatus) }),
    },
  ],
});

/** IBMPowerVSCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMPowerVSClusterV1Beta1 = KindOf<typeof ibmPowerVsCluster, 'v1beta1'>;

/** IBMPowerVSCluster in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMPowerVSCluster = KindOf<typeof ibmPowerVsCluster, 'v1beta2'>;
