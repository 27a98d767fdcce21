// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, condition, int64, kind, named, object, optional, string, time } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const floatingIpStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    fixedIP: optional(string({ maxLength: 1024 })),
    floatingIP: optional(string({ maxLength: 1024 })),
    floatingNetworkID: optional(string({ maxLength: 1024 })),
    portID: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    revisionNumber: optional(int64()),
    routerID: optional(string({ maxLength: 1024 })),
    status: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    tenantID: optional(string({ maxLength: 1024 })),
    updatedAt: optional(time()),
  })),
});

/** A value of the shape FloatingIPStatus. */
export interface FloatingIPStatus extends Infer<typeof floatingIpStatusShape> {}

/** The shape FloatingIPStatus. */
export const floatingIpStatus: Schema<FloatingIPStatus> = named('FloatingIPStatus', floatingIpStatusShape);

const floatingIpSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            description: optional(string({ maxLength: 255, minLength: 1 })),
            floatingIP: optional(string({ maxLength: 45, minLength: 1 })),
            floatingNetworkRef: optional(string({ maxLength: 253, minLength: 1 })),
            notTags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
            notTagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
            portRef: optional(string({ maxLength: 253, minLength: 1 })),
            projectRef: optional(string({ maxLength: 253, minLength: 1 })),
            status: optional(string({ maxLength: 1024 })),
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
    resource: optional(object(
      {
        description: optional(string({ maxLength: 255, minLength: 1 })),
        fixedIP: optional(string({ maxLength: 45, minLength: 1, rules: [{ message: 'fixedIP is immutable', rule: 'self == oldSelf' }] })),
        floatingIP: optional(string({
          maxLength: 45,
          minLength: 1,
          rules: [{ message: 'floatingIP is immutable', rule: 'self == oldSelf' }],
        })),
        floatingNetworkRef: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'floatingNetworkRef is immutable', rule: 'self == oldSelf' }],
        })),
        floatingSubnetRef: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'floatingSubnetRef is immutable', rule: 'self == oldSelf' }],
        })),
        portRef: optional(string({ maxLength: 253, minLength: 1, rules: [{ message: 'portRef is immutable', rule: 'self == oldSelf' }] })),
        projectRef: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
        })),
        tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
      },
      {
        rules: [
          {
            message: "Exactly one of 'floatingNetworkRef' or 'floatingSubnetRef' must be set",
            rule: 'has(self.floatingNetworkRef) != has(self.floatingSubnetRef)',
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

/** A value of the shape FloatingIPSpec. */
export interface FloatingIPSpec extends Infer<typeof floatingIpSpecShape> {}

/** The shape FloatingIPSpec. */
export const floatingIpSpec: Schema<FloatingIPSpec> = named('FloatingIPSpec', floatingIpSpecShape);

/** The kind FloatingIP. */
export const floatingIp = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'FloatingIP',
  plural: 'floatingips',
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
        { name: 'Address', type: 'string', jsonPath: '.status.resource.floatingIP' },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: floatingIpSpec, status: optional(floatingIpStatus) }),
    },
  ],
});

/** FloatingIP in `openstack.k-orc.cloud/v1alpha1`. */
export type FloatingIP = KindOf<typeof floatingIp, 'v1alpha1'>;
