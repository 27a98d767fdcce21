// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, integer, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { externalNetwork, identityRef, legacyCondition, network } from './shared.js';

const openStackFloatingIpPoolStatusShape = object({
  availableIPs: optional(array(string(), { default: [] })),
  claimedIPs: optional(array(string(), { default: [] })),
  conditions: optional(array(legacyCondition)),
  failedIPs: optional(array(string())),
  floatingIPNetwork: optional(externalNetwork),
});

/** A value of the shape OpenStackFloatingIPPoolStatus. */
export interface OpenStackFloatingIPPoolStatus extends Infer<typeof openStackFloatingIpPoolStatusShape> {}

/** The shape OpenStackFloatingIPPoolStatus. */
export const openStackFloatingIpPoolStatus: Schema<OpenStackFloatingIPPoolStatus> = named('OpenStackFloatingIPPoolStatus', openStackFloatingIpPoolStatusShape);

const openStackFloatingIpPoolSpecShape = object({
  floatingIPNetwork: optional(network),
  identityRef: identityRef,
  maxIPs: optional(integer()),
  preAllocatedFloatingIPs: optional(array(string())),
  reclaimPolicy: string({ enum: ['Retain', 'Delete'] }),
});

/** A value of the shape OpenStackFloatingIPPoolSpec. */
export interface OpenStackFloatingIPPoolSpec extends Infer<typeof openStackFloatingIpPoolSpecShape> {}

/** The shape OpenStackFloatingIPPoolSpec. */
export const openStackFloatingIpPoolSpec: Schema<OpenStackFloatingIPPoolSpec> = named('OpenStackFloatingIPPoolSpec', openStackFloatingIpPoolSpecShape);

/** The kind OpenStackFloatingIPPool. */
export const openStackFloatingIpPool = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackFloatingIPPool',
  plural: 'openstackfloatingippools',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(openStackFloatingIpPoolSpec), status: optional(openStackFloatingIpPoolStatus) }),
    },
  ],
});

/** OpenStackFloatingIPPool in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type OpenStackFloatingIPPool = KindOf<typeof openStackFloatingIpPool, 'v1alpha1'>;
