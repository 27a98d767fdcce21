// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, map, named, object, optional, string, time } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  failureDomain,
  failureDomainsV1Beta1,
  metal3ClusterSpec,
  metal3ClusterSpecV1Beta1,
  v1beta1Condition,
} from './shared.js';

const metal3ClusterStatusV1Beta1Shape = object({
  conditions: optional(array(v1beta1Condition)),
  failureDomains: optional(map(failureDomainsV1Beta1)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  lastUpdated: optional(time()),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape Metal3ClusterStatus in v1beta1. */
export interface Metal3ClusterStatusV1Beta1 extends Infer<typeof metal3ClusterStatusV1Beta1Shape> {}

/** The shape Metal3ClusterStatus in v1beta1. */
export const metal3ClusterStatusV1Beta1: Schema<Metal3ClusterStatusV1Beta1> = named('Metal3ClusterStatus', metal3ClusterStatusV1Beta1Shape);

const metal3ClusterStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  deprecated: optional(object({
    v1beta1: optional(object({
      conditions: optional(array(v1beta1Condition)),
      failureMessage: optional(string({ maxLength: 1024, minLength: 0 })),
      failureReason: optional(string()),
    })),
  })),
  failureDomains: optional(array(failureDomain, { maxItems: 100, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
  initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
  lastUpdated: optional(time()),
});

/** A value of the shape Metal3ClusterStatus. */
export interface Metal3ClusterStatus extends Infer<typeof metal3ClusterStatusShape> {}

/** The shape Metal3ClusterStatus. */
export const metal3ClusterStatus: Schema<Metal3ClusterStatus> = named('Metal3ClusterStatus', metal3ClusterStatusShape);

/** The kind Metal3Cluster. */
export const metal3Cluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3Cluster',
  plural: 'metal3clusters',
  shortNames: ['m3c', 'm3cluster', 'm3clusters', 'metal3c', 'metal3cluster'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-metal3',
  },
  conversion: {
    service: { namespace: 'capm3-system', name: 'capm3-webhook-service', path: '/convert' },
    reviewVersions: ['v1', 'v1beta1'],
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Error', type: 'string', jsonPath: '.status.failureReason' },
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3ClusterSpecV1Beta1), status: optional(metal3ClusterStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Error', type: 'string', jsonPath: '.status.deprecated.v1beta1.failureReason' },
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3ClusterSpec), status: optional(metal3ClusterStatus) }),
    },
  ],
});

/** Metal3Cluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3ClusterV1Beta1 = KindOf<typeof metal3Cluster, 'v1beta1'>;

/** Metal3Cluster in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3Cluster = KindOf<typeof metal3Cluster, 'v1beta2'>;
