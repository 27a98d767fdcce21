// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, labelSelector, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';

const openStackClusterIdentitySpecShape = object({ namespaceSelector: optional(labelSelector), secretRef: object({ name: string(), namespace: string() }) });

/** A value of the shape OpenStackClusterIdentitySpec. */
export interface OpenStackClusterIdentitySpec extends Infer<typeof openStackClusterIdentitySpecShape> {}

/** The shape OpenStackClusterIdentitySpec. */
export const openStackClusterIdentitySpec: Schema<OpenStackClusterIdentitySpec> = named('OpenStackClusterIdentitySpec', openStackClusterIdentitySpecShape);

/** The kind OpenStackClusterIdentity. */
export const openStackClusterIdentity = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackClusterIdentity',
  plural: 'openstackclusteridentities',
  shortNames: ['osci'],
  categories: ['cluster-api'],
  scope: 'Cluster',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [{ name: 'v1alpha1', storage: true, schema: object({ spec: optional(openStackClusterIdentitySpec) }) }],
});

/** OpenStackClusterIdentity in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type OpenStackClusterIdentity = KindOf<typeof openStackClusterIdentity, 'v1alpha1'>;
