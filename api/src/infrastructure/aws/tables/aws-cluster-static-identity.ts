// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, nullable, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { allowedNamespaces } from './shared.js';

const awsClusterStaticIdentitySpecShape = object({ allowedNamespaces: optional(nullable(allowedNamespaces)), secretRef: string() });

/** A value of the shape AWSClusterStaticIdentitySpec. */
export interface AWSClusterStaticIdentitySpec extends Infer<typeof awsClusterStaticIdentitySpecShape> {}

/** The shape AWSClusterStaticIdentitySpec. */
export const awsClusterStaticIdentitySpec: Schema<AWSClusterStaticIdentitySpec> = named('AWSClusterStaticIdentitySpec', awsClusterStaticIdentitySpecShape);

/** The kind AWSClusterStaticIdentity. */
export const awsClusterStaticIdentity = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterStaticIdentity',
  plural: 'awsclusterstaticidentities',
  shortNames: ['awssi'],
  categories: ['cluster-api'],
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    { name: 'v1beta1', served: false, schema: object({ spec: optional(awsClusterStaticIdentitySpec) }) },
    { name: 'v1beta2', storage: true, schema: object({ spec: optional(awsClusterStaticIdentitySpec) }) },
  ],
});

/** AWSClusterStaticIdentity in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSClusterStaticIdentityV1Beta1 = KindOf<typeof awsClusterStaticIdentity, 'v1beta1'>;

/** AWSClusterStaticIdentity in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSClusterStaticIdentity = KindOf<typeof awsClusterStaticIdentity, 'v1beta2'>;
