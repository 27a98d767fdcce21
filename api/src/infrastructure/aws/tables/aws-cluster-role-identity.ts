// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, int32, kind, named, nullable, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { allowedNamespaces, identityRef } from './shared.js';

const awsClusterRoleIdentitySpecShape = object({
  allowedNamespaces: optional(nullable(allowedNamespaces)),
  durationSeconds: optional(int32({ maximum: 43200, minimum: 900 })),
  externalID: optional(string()),
  inlinePolicy: optional(string()),
  policyARNs: optional(array(string())),
  roleARN: string(),
  sessionName: optional(string()),
  sourceIdentityRef: optional(identityRef),
});

/** A value of the shape AWSClusterRoleIdentitySpec. */
export interface AWSClusterRoleIdentitySpec extends Infer<typeof awsClusterRoleIdentitySpecShape> {}

/** The shape AWSClusterRoleIdentitySpec. */
export const awsClusterRoleIdentitySpec: Schema<AWSClusterRoleIdentitySpec> = named('AWSClusterRoleIdentitySpec', awsClusterRoleIdentitySpecShape);

/** The kind AWSClusterRoleIdentity. */
export const awsClusterRoleIdentity = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterRoleIdentity',
  plural: 'awsclusterroleidentities',
  shortNames: ['awsri'],
  categories: ['cluster-api'],
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    { name: 'v1beta1', served: false, schema: object({ spec: optional(awsClusterRoleIdentitySpec) }) },
    { name: 'v1beta2', storage: true, schema: object({ spec: optional(awsClusterRoleIdentitySpec) }) },
  ],
});

/** AWSClusterRoleIdentity in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSClusterRoleIdentityV1Beta1 = KindOf<typeof awsClusterRoleIdentity, 'v1beta1'>;

/** AWSClusterRoleIdentity in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSClusterRoleIdentity = KindOf<typeof awsClusterRoleIdentity, 'v1beta2'>;
