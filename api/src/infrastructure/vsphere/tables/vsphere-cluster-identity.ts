// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, labelSelector, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { vsphereDeploymentZoneStatus, vsphereDeploymentZoneStatusV1Beta1 } from './shared.js';

const vsphereClusterIdentitySpecShape = object({
  allowedNamespaces: optional(object({ selector: optional(labelSelector) })),
  secretName: string({ maxLength: 253, minLength: 1 }),
});

/** A value of the shape VSphereClusterIdentitySpec. */
export interface VSphereClusterIdentitySpec extends Infer<typeof vsphereClusterIdentitySpecShape> {}

/** The shape VSphereClusterIdentitySpec. */
export const vsphereClusterIdentitySpec: Schema<VSphereClusterIdentitySpec> = named('VSphereClusterIdentitySpec', vsphereClusterIdentitySpecShape);

const vsphereClusterIdentitySpecV1Beta1Shape = object({
  allowedNamespaces: optional(object({ selector: optional(labelSelector) })),
  secretName: optional(string({ minLength: 1 })),
});

/** A value of the shape VSphereClusterIdentitySpec in v1beta1. */
export interface VSphereClusterIdentitySpecV1Beta1 extends Infer<typeof vsphereClusterIdentitySpecV1Beta1Shape> {}

/** The shape VSphereClusterIdentitySpec in v1beta1. */
export const vsphereClusterIdentitySpecV1Beta1: Schema<VSphereClusterIdentitySpecV1Beta1> = named('VSphereClusterIdentitySpec', vsphereClusterIdentitySpecV1Beta1Shape);

/** The kind VSphereClusterIdentity. */
export const vsphereClusterIdentity = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereClusterIdentity',
  plural: 'vsphereclusteridentities',
  categories: ['cluster-api'],
  scope: 'Cluster',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      subresources: { status: true },
      schema: object({
        spec: optional(vsphereClusterIdentitySpecV1Beta1),
        status: optional(vsphereDeploymentZoneStatusV1Beta1),
      }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: vsphereClusterIdentitySpec, status: optional(vsphereDeploymentZoneStatus) }),
    },
  ],
});

/** VSphereClusterIdentity in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereClusterIdentityV1Beta1 = KindOf<typeof vsphereClusterIdentity, 'v1beta1'>;

/** VSphereClusterIdentity in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereClusterIdentity = KindOf<typeof vsphereClusterIdentity, 'v1beta2'>;
