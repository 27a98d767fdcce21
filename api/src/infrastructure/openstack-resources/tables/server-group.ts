// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, condition, int32, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const serverGroupStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    name: optional(string({ maxLength: 1024 })),
    policy: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    rules: optional(object({ maxServerPerHost: optional(int32()) })),
    userID: optional(string({ maxLength: 1024 })),
  })),
});

/** A value of the shape ServerGroupStatus. */
export interface ServerGroupStatus extends Infer<typeof serverGroupStatusShape> {}

/** The shape ServerGroupStatus. */
export const serverGroupStatus: Schema<ServerGroupStatus> = named('ServerGroupStatus', serverGroupStatusShape);

const serverGroupSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          { name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })) },
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
    resource: optional(object(
      {
        name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
        policy: string({ enum: ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] }),
        rules: optional(object({ maxServerPerHost: optional(int32()) })),
      },
      {
        rules: [
          { message: 'ServerGroupResourceSpec is immutable', rule: 'self == oldSelf' },
          {
            message: 'maxServerPerHost can only be used with the anti-affinity policy',
            rule: "has(self.rules) && self.rules.maxServerPerHost > 0 ? self.policy == 'anti-affinity' : true",
          },
        ],
      },
    )),
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

/** A value of the shape ServerGroupSpec. */
export interface ServerGroupSpec extends Infer<typeof serverGroupSpecShape> {}

/** The shape ServerGroupSpec. */
export const serverGroupSpec: Schema<ServerGroupSpec> = named('ServerGroupSpec', serverGroupSpecShape);

/** The kind ServerGroup. */
export const serverGroup = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'ServerGroup',
  plural: 'servergroups',
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
      schema: object({ spec: serverGroupSpec, status: optional(serverGroupStatus) }),
    },
  ],
});

/** ServerGroup in `openstack.k-orc.cloud/v1alpha1`. */
export type ServerGroup = KindOf<typeof serverGroup, 'v1alpha1'>;
