// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const userStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    appliedPasswordRef: optional(string({ maxLength: 1024 })),
    defaultProjectID: optional(string({ maxLength: 1024 })),
    description: optional(string({ maxLength: 1024 })),
    domainID: optional(string({ maxLength: 1024 })),
    enabled: optional(boolean()),
    name: optional(string({ maxLength: 1024 })),
    passwordExpiresAt: optional(string({ maxLength: 1024 })),
  })),
});

/** A value of the shape UserStatus. */
export interface UserStatus extends Infer<typeof userStatusShape> {}

/** The shape UserStatus. */
export const userStatus: Schema<UserStatus> = named('UserStatus', userStatusShape);

const userSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            domainRef: optional(string({ maxLength: 253, minLength: 1 })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
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
        defaultProjectRef: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'defaultProjectRef is immutable', rule: 'self == oldSelf' }],
        })),
        description: optional(string({ maxLength: 255, minLength: 1 })),
        domainRef: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'domainRef is immutable', rule: 'self == oldSelf' }],
        })),
        enabled: optional(boolean()),
        name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
        passwordRef: optional(string({ maxLength: 253, minLength: 1 })),
      },
      {
        rules: [
          {
            message: 'passwordRef may not be removed once set',
            rule: '!has(oldSelf.passwordRef) || has(self.passwordRef)',
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

/** A value of the shape UserSpec. */
export interface UserSpec extends Infer<typeof userSpecShape> {}

/** The shape UserSpec. */
export const userSpec: Schema<UserSpec> = named('UserSpec', userSpecShape);

/** The kind User. */
export const user = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'User',
  plural: 'users',
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
      schema: object({ spec: userSpec, status: optional(userStatus) }),
    },
  ],
});

/** User in `openstack.k-orc.cloud/v1alpha1`. */
export type User = KindOf<typeof user, 'v1alpha1'>;
