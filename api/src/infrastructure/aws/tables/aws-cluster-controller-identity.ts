// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, nullable, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { allowedNamespaces } from './shared.js';

const awsClusterControllerIdentitySpecShape = object({ allowedNamespaces: optional(nullable(allowedNamespaces)) });

/** A value of the shape AWSClusterControllerIdentitySpec. */
export interface AWSClusterControllerIdentitySpec extends Infer<typeof awsClusterControllerIdentitySpecShape> {}

/** The shape AWSClusterControllerIdentitySpec. */
export const awsClusterControllerIdentitySpec: Schema<AWSClusterControllerIdentitySpec> = named('AWSClusterControllerIdentitySpec', awsClusterControllerIdentitySpecShape);

/** The kind AWSClusterControllerIdentity. */
export const awsClusterControllerIdentity = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterControllerIdentity',
  plural: 'awsclustercontrolleridentities',
  shortNames: ['awsci'],
  categories: ['cluster-api'],
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    { name: 'v1beta1', served: false, schema: object({ spec: optional(awsClusterControllerIdentitySpec) }) },
    { name: 'v1beta2', storage: true, schema: object({ spec: optional(awsClusterControllerIdentitySpec) }) },
  ],
});

/** AWSClusterControllerIdentity in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSClusterControllerIdentityV1Beta1 = KindOf<typeof awsClusterControllerIdentity, 'v1beta1'>;

/** AWSClusterControllerIdentity in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSClusterControllerIdentity = KindOf<typeof awsClusterControllerIdentity, 'v1beta2'>;
