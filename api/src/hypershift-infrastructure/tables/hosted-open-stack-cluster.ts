// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, integer, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { hostedClusterStatus, openStackNetwork } from './shared.js';

const hostedOpenStackClusterSpecShape = object({
  disableExternalNetwork: optional(boolean()),
  externalNetwork: optional(openStackNetwork),
  identityRef: object({ cloudName: string({ maxLength: 255 }), name: string({ maxLength: 255 }) }),
  ingressFloatingIP: optional(string({
    maxLength: 45,
    rules: [{ message: 'floatingIP must be a valid IPv4 or IPv6 address', rule: 'isIP(self)' }],
  })),
  managedSubnets: optional(array(
    object({
      allocationPools: optional(array(object({ end: string({ maxLength: 255 }), start: string({ maxLength: 255 }) }), { maxItems: 10 })),
      dnsNameservers: optional(array(string({ maxLength: 45 }), { maxItems: 10 })),
    }),
    { maxItems: 1, listType: 'atomic' },
  )),
  network: optional(openStackNetwork),
  networkMTU: optional(integer({ maximum: 9000, minimum: 1500 })),
  router: optional(openStackNetwork),
  subnets: optional(array(
    object(
      {
        filter: optional(object(
          {
            cidr: optional(string({ maxLength: 45 })),
            description: optional(string({ maxLength: 255 })),
            gatewayIP: optional(string({ maxLength: 45 })),
            ipVersion: optional(integer({ maximum: 2147483647, minimum: 0 })),
            ipv6AddressMode: optional(string({ maxLength: 255 })),
            ipv6RAMode: optional(string({ maxLength: 255 })),
            name: optional(string({ maxLength: 255 })),
            notTags: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
            notTagsAny: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
            projectID: optional(string({ maxLength: 255 })),
            tags: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
            tagsAny: optional(array(
              string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
              { maxItems: 50, listType: 'set' },
            )),
          },
          { minProperties: 1 },
        )),
        id: optional(string({ format: 'uuid', maxLength: 36 })),
      },
      { maxProperties: 1, minProperties: 1 },
    ),
    { maxItems: 2, listType: 'atomic' },
  )),
  tags: optional(array(string({ maxLength: 255 }), { maxItems: 50, listType: 'set' })),
});

/** A value of the shape HostedOpenStackClusterSpec. */
export interface HostedOpenStackClusterSpec extends Infer<typeof hostedOpenStackClusterSpecShape> {}

/** The shape HostedOpenStackClusterSpec. */
export const hostedOpenStackClusterSpec: Schema<HostedOpenStackClusterSpec> = named('HostedOpenStackClusterSpec', hostedOpenStackClusterSpecShape);

/** The kind HostedOpenStackCluster. */
export const hostedOpenStackCluster = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'HostedOpenStackCluster',
  plural: 'hostedopenstackclusters',
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
      schema: object({ spec: hostedOpenStackClusterSpec, status: optional(hostedClusterStatus) }),
    },
  ],
});

/** HostedOpenStackCluster in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type HostedOpenStackCluster = KindOf<typeof hostedOpenStackCluster, 'v1beta1'>;
