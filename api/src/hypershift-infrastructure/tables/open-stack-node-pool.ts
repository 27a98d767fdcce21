// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nodePoolStatus, openStackNetwork } from './shared.js';

const openStackNodePoolSpecShape = object({
  additionalPorts: optional(array(
    object({
      allowedAddressPairs: optional(array(object({ ipAddress: string({ maxLength: 255 }) }), { maxItems: 10 })),
      description: optional(string({ maxLength: 255 })),
      network: optional(openStackNetwork),
      portSecurityPolicy: optional(string({ enum: ['Enabled', 'Disabled', ''] })),
      vnicType: optional(string({ maxLength: 255 })),
    }),
    { maxItems: 10 },
  )),
  availabilityZone: optional(string({ maxLength: 63, minLength: 1, pattern: '^[^: ]*$' })),
  flavor: string({ maxLength: 255 }),
  imageName: optional(string({ maxLength: 255 })),
});

/** A value of the shape OpenStackNodePoolSpec. */
export interface OpenStackNodePoolSpec extends Infer<typeof openStackNodePoolSpecShape> {}

/** The shape OpenStackNodePoolSpec. */
export const openStackNodePoolSpec: Schema<OpenStackNodePoolSpec> = named('OpenStackNodePoolSpec', openStackNodePoolSpecShape);

/** The kind OpenStackNodePool. */
export const openStackNodePool = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'OpenStackNodePool',
  plural: 'openstacknodepools',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: openStackNodePoolSpec, status: optional(nodePoolStatus) }),
    },
  ],
});

/** OpenStackNodePool in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type OpenStackNodePool = KindOf<typeof openStackNodePool, 'v1beta1'>;
