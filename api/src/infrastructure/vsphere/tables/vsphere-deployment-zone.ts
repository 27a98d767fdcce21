// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { vsphereDeploymentZoneStatus, vsphereDeploymentZoneStatusV1Beta1 } from './shared.js';

const vsphereDeploymentZoneSpecV1Beta1Shape = object({
  controlPlane: optional(boolean()),
  failureDomain: optional(string()),
  placementConstraint: object({ folder: optional(string()), resourcePool: optional(string()) }),
  server: optional(string()),
});

/** A value of the shape VSphereDeploymentZoneSpec in v1beta1. */
export interface VSphereDeploymentZoneSpecV1Beta1 extends Infer<typeof vsphereDeploymentZoneSpecV1Beta1Shape> {}

/** The shape VSphereDeploymentZoneSpec in v1beta1. */
export const vsphereDeploymentZoneSpecV1Beta1: Schema<VSphereDeploymentZoneSpecV1Beta1> = named('VSphereDeploymentZoneSpec', vsphereDeploymentZoneSpecV1Beta1Shape);

const vsphereDeploymentZoneSpecShape = object({
  controlPlane: optional(boolean()),
  failureDomain: string({ maxLength: 253, minLength: 1 }),
  placementConstraint: optional(object(
    {
      folder: optional(string({ maxLength: 2048, minLength: 1 })),
      resourcePool: optional(string({ maxLength: 2048, minLength: 1 })),
    },
    { minProperties: 1 },
  )),
  server: optional(string({ maxLength: 1024, minLength: 1 })),
});

/** A value of the shape VSphereDeploymentZoneSpec. */
export interface VSphereDeploymentZoneSpec extends Infer<typeof vsphereDeploymentZoneSpecShape> {}

/** The shape VSphereDeploymentZoneSpec. */
export const vsphereDeploymentZoneSpec: Schema<VSphereDeploymentZoneSpec> = named('VSphereDeploymentZoneSpec', vsphereDeploymentZoneSpecShape);

/** The kind VSphereDeploymentZone. */
export const vsphereDeploymentZone = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereDeploymentZone',
  plural: 'vspheredeploymentzones',
  categories: ['cluster-api'],
  scope: 'Cluster',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      subresources: { status: true },
      schema: object({
        spec: optional(vsphereDeploymentZoneSpecV1Beta1),
        status: optional(vsphereDeploymentZoneStatusV1Beta1),
      }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: vsphereDeploymentZoneSpec, status: optional(vsphereDeploymentZoneStatus) }),
    },
  ],
});

/** VSphereDeploymentZone in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereDeploymentZoneV1Beta1 = KindOf<typeof vsphereDeploymentZone, 'v1beta1'>;

/** VSphereDeploymentZone in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereDeploymentZone = KindOf<typeof vsphereDeploymentZone, 'v1beta2'>;
