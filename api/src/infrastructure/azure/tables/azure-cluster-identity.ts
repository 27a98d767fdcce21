// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, kind, labelSelector, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { legacyCondition } from './shared.js';

const azureClusterIdentityStatusShape = object({ conditions: optional(array(legacyCondition)) });

/** A value of the shape AzureClusterIdentityStatus. */
export interface AzureClusterIdentityStatus extends Infer<typeof azureClusterIdentityStatusShape> {}

/** The shape AzureClusterIdentityStatus. */
export const azureClusterIdentityStatus: Schema<AzureClusterIdentityStatus> = named('AzureClusterIdentityStatus', azureClusterIdentityStatusShape);

const azureClusterIdentitySpecShape = object({
  allowedNamespaces: optional(object({ list: optional(array(string())), selector: optional(labelSelector) })),
  certPath: optional(string()),
  clientID: string(),
  clientSecret: optional(object({ name: optional(string()), namespace: optional(string()) }, { mapType: 'atomic' })),
  resourceID: optional(string()),
  tenantID: string(),
  type: string({
    enum: [
      'ServicePrincipal',
      'UserAssignedMSI',
      'ManualServicePrincipal',
      'ServicePrincipalCertificate',
      'WorkloadIdentity',
      'UserAssignedIdentityCredential',
    ],
  }),
  userAssignedIdentityCredentialsCloudType: optional(string()),
  userAssignedIdentityCredentialsPath: optional(string()),
});

/** A value of the shape AzureClusterIdentitySpec. */
export interface AzureClusterIdentitySpec extends Infer<typeof azureClusterIdentitySpecShape> {}

/** The shape AzureClusterIdentitySpec. */
export const azureClusterIdentitySpec: Schema<AzureClusterIdentitySpec> = named('AzureClusterIdentitySpec', azureClusterIdentitySpecShape);

/** The kind AzureClusterIdentity. */
export const azureClusterIdentity = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureClusterIdentity',
  plural: 'azureclusteridentities',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Type', type: 'string', jsonPath: '.spec.type' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(azureClusterIdentitySpec), status: optional(azureClusterIdentityStatus) }),
    },
  ],
});

/** AzureClusterIdentity in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureClusterIdentity = KindOf<typeof azureClusterIdentity, 'v1beta1'>;
