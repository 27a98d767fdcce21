// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nutanixClusterSpec, statusCondition } from './shared.js';

const nutanixClusterStatusShape = object({
  conditions: optional(array(statusCondition)),
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape NutanixClusterStatus. */
export interface NutanixClusterStatus extends Infer<typeof nutanixClusterStatusShape> {}

/** The shape NutanixClusterStatus. */
export const nutanixClusterStatus: Schema<NutanixClusterStatus> = named('NutanixClusterStatus', nutanixClusterStatusShape);

/** The kind NutanixCluster. */
export const nutanixCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixCluster',
  plural: 'nutanixclusters',
  shortNames: ['ncl'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/provider': 'infrastructure-nutanix' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'ControlplaneEndpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'FailureDomains', type: 'string', jsonPath: '.status.failureDomains' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(nutanixClusterSpec), status: optional(nutanixClusterStatus) }),
    },
  ],
});

/** NutanixCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixCluster = KindOf<typeof nutanixCluster, 'v1beta1'>;
