// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, int64, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nodePoolStatus } from './shared.js';

const awsFilterShape = object({ name: string({ maxLength: 255 }), values: array(string({ maxLength: 255 }), { maxItems: 50 }) });

/** A value of the shape AWSFilter. */
export interface AWSFilter extends Infer<typeof awsFilterShape> {}

/** The shape AWSFilter. */
export const awsFilter: Schema<AWSFilter> = named('AWSFilter', awsFilterShape);

const awsNodePoolSpecShape = object({
  ami: optional(string({ maxLength: 255 })),
  imageType: optional(string({ enum: ['Windows', 'Linux'] })),
  instanceProfile: string({ maxLength: 255, minLength: 1 }),
  instanceType: string({ maxLength: 255 }),
  placement: optional(object(
    {
      capacityReservation: optional(object(
        {
          id: optional(string({
            maxLength: 20,
            rules: [
              {
                message: "AWS Capacity Reservation ID must start with 'cr-' followed by 17 lowercase hexadecimal characters (e.g., cr-0123456789abcdef0)",
                rule: "self.matches('^cr-[a-f0-9]{17}$')",
              },
            ],
          })),
          marketType: optional(string({ enum: ['OnDemand', 'CapacityBlocks'] })),
          preference: optional(string({ enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] })),
        },
        {
          rules: [
            {
              message: "AWS Capacity Reservation preference 'None' or 'Open' is incompatible with specifying a Capacity Reservation ID",
              rule: "has(self.id) ? (!has(self.preference) || !(self.preference in ['Open','None'])) : true",
            },
            {
              message: "AWS Capacity Reservation market type 'CapacityBlocks' requires a Capacity Reservation ID",
              rule: "has(self.marketType) && self.marketType == 'CapacityBlocks' ? has(self.id) : true",
            },
          ],
        },
      )),
      marketType: optional(string({ enum: ['', 'OnDemand', 'Spot', 'CapacityBlocks'] })),
      tenancy: optional(string({ enum: ['default', 'dedicated', 'host'] })),
    },
    {
      rules: [
        {
          message: "AWS Capacity Reservations cannot be used with Dedicated Hosts (tenancy 'host')",
          rule: "has(self.tenancy) && self.tenancy == 'host' ? !has(self.capacityReservation) : true",
        },
        {
          message: 'Spot instances cannot be combined with Capacity Reservations',
          rule: "!has(self.marketType) || self.marketType != 'Spot' || !has(self.capacityReservation)",
        },
        {
          message: 'Spot instances require default tenancy or unset',
          rule: "!has(self.marketType) || self.marketType != 'Spot' || !has(self.tenancy) || self.tenancy == 'default'",
        },
        {
          message: 'CapacityBlocks market type requires capacityReservation to be specified',
          rule: "!has(self.marketType) || self.marketType != 'CapacityBlocks' || has(self.capacityReservation)",
        },
      ],
    },
  )),
  resourceTags: optional(array(
    object({
      key: string({
        maxLength: 128,
        minLength: 1,
        rules: [
          {
            message: 'key must only contain letters, digits, and the characters _ . : / = + - @',
            rule: "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
          },
        ],
      }),
      value: string({
        maxLength: 256,
        minLength: 1,
        rules: [
          {
            message: 'value must only contain letters, digits, and the characters _ . : / = + - @',
            rule: "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
          },
        ],
      }),
    }),
    { maxItems: 25 },
  )),
  rootVolume: optional(object({
    encrypted: optional(boolean()),
    encryptionKey: optional(string({ maxLength: 2048 })),
    iops: optional(int64()),
    size: int64({ minimum: 8 }),
    type: string({ maxLength: 255 }),
  })),
  securityGroups: optional(array(
    object({ filters: optional(array(awsFilter, { maxItems: 50 })), id: optional(string({ maxLength: 255 })) }),
    { maxItems: 50 },
  )),
  spotMarketOptions: optional(object({ maxPrice: optional(string({ maxLength: 20, minLength: 1, pattern: '^[0-9]+(\\.[0-9]+)?$' })) })),
  subnet: object(
    { filters: optional(array(awsFilter, { maxItems: 50 })), id: optional(string({ maxLength: 255 })) },
    {
      rules: [
        {
          message: 'subnet is invalid, a valid subnet id or filters must be set, but not both',
          rule: "has(self.id) && self.id.startsWith('subnet-') ? !has(self.filters) : size(self.filters) > 0",
        },
      ],
    },
  ),
});

/** A value of the shape AWSNodePoolSpec. */
export interface AWSNodePoolSpec extends Infer<typeof awsNodePoolSpecShape> {}

/** The shape AWSNodePoolSpec. */
export const awsNodePoolSpec: Schema<AWSNodePoolSpec> = named('AWSNodePoolSpec', awsNodePoolSpecShape);

/** The kind AWSNodePool. */
export const awsNodePool = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'AWSNodePool',
  plural: 'awsnodepools',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Type', type: 'string', jsonPath: '.spec.instanceType' },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: awsNodePoolSpec, status: optional(nodePoolStatus) }),
    },
  ],
});

/** AWSNodePool in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type AWSNodePool = KindOf<typeof awsNodePool, 'v1beta1'>;
