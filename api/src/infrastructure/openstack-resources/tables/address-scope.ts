// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, int32, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const addressScopeStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    ipVersion: optional(int32()),
    name: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    shared: optional(boolean()),
  })),
});

/** A value of the shape AddressScopeStatus. */
export interface AddressScopeStatus extends Infer<typeof addressScopeStatusShape> {}

/** The shape AddressScopeStatus. */
export const addressScopeStatus: Schema<AddressScopeStatus> = named('AddressScopeStatus', addressScopeStatusShape);

const addressScopeSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            ipVersion: optional(int32({ enum: [4, 6] })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            projectRef: optional(string({ maxLength: 253, minLength: 1 })),
            shared: optional(boolean()),
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
      ipVersion: int32({ enum: [4, 6], rules: [{ message: 'ipVersion is immutable', rule: 'self == oldSelf' }] }),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      projectRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
      })),
      shared: optional(boolean({ rules: [{ message: "shared address scope can't be unshared", rule: '!(oldSelf && !self)' }] })),
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

/** A value of the shape AddressScopeSpec. */
export interface AddressScopeSpec extends Infer<typeof addressScopeSpecShape> {}

/** The shape AddressScopeSpec. */
export const addressScopeSpec: Schema<AddressScopeSpec> = named('AddressScopeSpec', addressScopeSpecShape);

/** The kind AddressScope. */
export const addressScope = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'AddressScope',
  plural: 'addressscopes',
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
      schema: object({ spec: addressScopeSpec, status: optional(addressScopeStatus) }),
    },
  ],
});

/** AddressScope in `openstack.k-orc.cloud/v1alpha1`. */
export type AddressScope = KindOf<typeof addressScope, 'v1alpha1'>;
