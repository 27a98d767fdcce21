// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  kind,
  named,
  object,
  optional,
  string,
  time,
} from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const trunkStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    adminStateUp: optional(boolean()),
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    name: optional(string({ maxLength: 1024 })),
    portID: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    revisionNumber: optional(int64()),
    status: optional(string({ maxLength: 1024 })),
    subports: optional(array(
      object({
        portID: optional(string({ maxLength: 1024 })),
        segmentationID: optional(int32()),
        segmentationType: optional(string({ maxLength: 1024 })),
      }),
      { maxItems: 1024, listType: 'atomic' },
    )),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    tenantID: optional(string({ maxLength: 1024 })),
    updatedAt: optional(time()),
  })),
});

/** A value of the shape TrunkStatus. */
export interface TrunkStatus extends Infer<typeof trunkStatusShape> {}

/** The shape TrunkStatus. */
export const trunkStatus: Schema<TrunkStatus> = named('TrunkStatus', trunkStatusShape);

const trunkSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            adminStateUp: optional(boolean()),
            description: optional(string({ maxLength: 255, minLength: 1 })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            notTags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
            notTagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
            portRef: optional(string({ maxLength: 253, minLength: 1 })),
            projectRef: optional(string({ maxLength: 253, minLength: 1 })),
            tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
            tagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
          },
          { minProperties: 1 },
        )),
        id: optional(string({ format: 'uuid', maxLength: 36 })),
      },
      { maxProperties: 1, minProperties: 1 },
    )),
    managedOptions: optional(object({ onDelete: optional(string({ default: 'delete', enum: ['delete', 'detach'] })) })),
    managementPolicy: optional(string({
      default: 'managed',
      enum: ['managed', 'unmanaged'],
      rules: [{ message: 'managementPolicy is immutable', rule: 'self == oldSelf' }],
    })),
    resource: optional(object({
      adminStateUp: optional(boolean()),
      description: optional(string({ maxLength: 255, minLength: 1 })),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      portRef: string({ maxLength: 253, minLength: 1, rules: [{ message: 'portRef is immutable', rule: 'self == oldSelf' }] }),
      projectRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
      })),
      subports: optional(array(
        object({
          portRef: string({ maxLength: 253, minLength: 1 }),
          segmentationID: int32({ maximum: 4094, minimum: 1 }),
          segmentationType: string({ enum: ['inherit', 'vlan'], maxLength: 32, minLength: 1 }),
        }),
        { maxItems: 1024, listType: 'atomic' },
      )),
      tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
    })),
  },
  {
    rules: [
      {
        message: 'resource must be specified when policy is managed',
        rule: "self.managementPolicy == 'managed' ? has(self.resource) : true",
      },
      {
        message: 'import may not be specified when policy is managed',
        rule: "self.managementPolicy == 'managed' ? !has(self.__import__) : true",
      },
      {
        message: 'resource may not be specified when policy is unmanaged',
        rule: "self.managementPolicy == 'unmanaged' ? !has(self.resource) : true",
      },
      {
        message: 'import must be specified when policy is unmanaged',
        rule: "self.managementPolicy == 'unmanaged' ? has(self.__import__) : true",
      },
      {
        message: 'managedOptions may only be provided when policy is managed',
        rule: "has(self.managedOptions) ? self.managementPolicy == 'managed' : true",
      },
    ],
  },
);

/** A value of the shape TrunkSpec. */
export interface TrunkSpec extends Infer<typeof trunkSpecShape> {}

/** The shape TrunkSpec. */
export const trunkSpec: Schema<TrunkSpec> = named('TrunkSpec', trunkSpecShape);

/** The kind Trunk. */
export const trunk = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Trunk',
  plural: 'trunks',
  categories: ['openstack'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'ID', type: 'string', jsonPath: '.status.id' },
        { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type=='Available')].status" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: trunkSpec, status: optional(trunkStatus) }),
    },
  ],
});

/** Trunk in `openstack.k-orc.cloud/v1alpha1`. */
export type Trunk = KindOf<typeof trunk, 'v1alpha1'>;
