// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { boolean, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { gcpClusterSpec } from './shared.js';

const gcpClusterStatusShape = object({
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  network: optional(object({
    apiInternalBackendService: optional(string()),
    apiInternalForwardingRule: optional(string()),
    apiInternalHealthCheck: optional(string()),
    apiInternalIpAddress: optional(string()),
    apiServerBackendService: optional(string()),
    apiServerForwardingRule: optional(string()),
    apiServerHealthCheck: optional(string()),
    apiServerInstanceGroups: optional(map(string())),
    apiServerIpAddress: optional(string()),
    apiServerTargetProxy: optional(string()),
    firewallRules: optional(map(string())),
    router: optional(string()),
    selfLink: optional(string()),
  })),
  ready: boolean(),
});

/** A value of the shape GCPClusterStatus. */
export interface GCPClusterStatus extends Infer<typeof gcpClusterStatusShape> {}

/** The shape GCPClusterStatus. */
export const gcpClusterStatus: Schema<GCPClusterStatus> = named('GCPClusterStatus', gcpClusterStatusShape);

/** The kind GCPCluster. */
export const gcpCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'GCPCluster',
  plural: 'gcpclusters',
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
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Network', type: 'string', jsonPath: '.spec.network.name' },
        { name: 'Endpoint', type: 'string', jsonPath: '.status.apiEndpoints[0]', priority: 1 },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(gcpClusterSpec), status: optional(gcpClusterStatus) }),
    },
  ],
});

/** GCPCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type GCPCluster = KindOf<typeof gcpCluster, 'v1beta1'>;
