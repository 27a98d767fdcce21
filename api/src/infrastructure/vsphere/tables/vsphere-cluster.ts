// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { v1beta1Condition, vsphereClusterSpec, vsphereClusterSpecV1Beta1 } from './shared.js';

const vsphereClusterStatusV1Beta1Shape = object({
  conditions: optional(array(v1beta1Condition)),
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  vCenterVersion: optional(string()),
});

/** A value of the shape VSphereClusterStatus in v1beta1. */
export interface VSphereClusterStatusV1Beta1 extends Infer<typeof vsphereClusterStatusV1Beta1Shape> {}

/** The shape VSphereClusterStatus in v1beta1. */
export const vsphereClusterStatusV1Beta1: Schema<VSphereClusterStatusV1Beta1> = named('VSphereClusterStatus', vsphereClusterStatusV1Beta1Shape);

const vsphereClusterStatusShape = object(
  {
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({ v1beta1: optional(object({ conditions: optional(array(v1beta1Condition)) })) })),
    failureDomains: optional(array(
      object({
        attributes: optional(map(string())),
        controlPlane: optional(boolean()),
        name: string({ maxLength: 256, minLength: 1 }),
      }),
      { maxItems: 100, minItems: 1, listMapKeys: ['name'], listType: 'map' },
    )),
    initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
    vCenterVersion: optional(string({ maxLength: 256, minLength: 1 })),
  },
  { minProperties: 1 },
);

/** A value of the shape VSphereClusterStatus. */
export interface VSphereClusterStatus extends Infer<typeof vsphereClusterStatusShape> {}

/** The shape VSphereClusterStatus. */
export const vsphereClusterStatus: Schema<VSphereClusterStatus> = named('VSphereClusterStatus', vsphereClusterStatusShape);

/** The kind VSphereCluster. */
export const vsphereCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereCluster',
  plural: 'vsphereclusters',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Server', type: 'string', jsonPath: '.spec.server' },
        { name: 'ControlPlaneEndpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(vsphereClusterSpecV1Beta1), status: optional(vsphereClusterStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Server', type: 'string', jsonPath: '.spec.server' },
        { name: 'ControlPlane Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: vsphereClusterSpec, status: optional(vsphereClusterStatus) }),
    },
  ],
});

/** VSphereCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereClusterV1Beta1 = KindOf<typeof vsphereCluster, 'v1beta1'>;

/** VSphereCluster in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereCluster = KindOf<typeof vsphereCluster, 'v1beta2'>;
