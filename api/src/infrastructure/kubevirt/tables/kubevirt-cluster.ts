// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { kubevirtClusterSpec, legacyCondition } from './shared.js';

const kubevirtClusterStatusShape = object({
  conditions: optional(array(legacyCondition)),
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  ready: boolean({ default: false }),
});

/** A value of the shape KubevirtClusterStatus. */
export interface KubevirtClusterStatus extends Infer<typeof kubevirtClusterStatusShape> {}

/** The shape KubevirtClusterStatus. */
export const kubevirtClusterStatus: Schema<KubevirtClusterStatus> = named('KubevirtClusterStatus', kubevirtClusterStatusShape);

/** The kind KubevirtCluster. */
export const kubevirtCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KubevirtCluster',
  plural: 'kubevirtclusters',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(kubevirtClusterSpec), status: optional(kubevirtClusterStatus) }),
    },
  ],
});

/** KubevirtCluster in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type KubevirtCluster = KindOf<typeof kubevirtCluster, 'v1alpha1'>;
