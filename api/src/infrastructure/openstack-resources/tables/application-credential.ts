// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string, time } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const applicationCredentialStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    accessRules: optional(array(
      object({
        id: optional(string({ maxLength: 1024 })),
        method: optional(string({ maxLength: 32 })),
        path: optional(string({ maxLength: 1024 })),
        service: optional(string({ maxLength: 1024 })),
      }),
      { maxItems: 64, listType: 'atomic' },
    )),
    description: optional(string({ maxLength: 1024 })),
    expiresAt: optional(time()),
    name: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    roles: optional(array(
      object({
        domainID: optional(string({ maxLength: 1024 })),
        id: optional(string({ maxLength: 1024 })),
        name: optional(string({ maxLength: 1024 })),
      }),
      { maxItems: 64, listType: 'atomic' },
    )),
    unrestricted: optional(boolean()),
  })),
});

/** A value of the shape ApplicationCredentialStatus. */
export interface ApplicationCredentialStatus extends Infer<typeof applicationCredentialStatusShape> {}

/** The shape ApplicationCredentialStatus. */
export const applicationCredentialStatus: Schema<ApplicationCredentialStatus> = named('ApplicationCredentialStatus', applicationCredentialStatusShape);

const applicationCredentialSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            description: optional(string({ maxLength: 1024 })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            userRef: string({ maxLength: 253, minLength: 1 }),
          },
          { minProperties: 2 },
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
        accessRules: optional(array(
          object(
            {
              method: optional(string({ enum: ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'] })),
              path: optional(string({ maxLength: 1024 })),
              serviceRef: optional(string({ maxLength: 253, minLength: 1 })),
            },
            { minProperties: 1 },
          ),
          { maxItems: 256, listType: 'atomic' },
        )),
        description: optional(string({ maxLength: 255, minLength: 1 })),
        expiresAt: optional(time()),
        name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
        roleRefs: optional(array(string({ maxLength: 253, minLength: 1 }), { maxItems: 256, listType: 'atomic' })),
        secretRef: string({ maxLength: 253, minLength: 1 }),
        unrestricted: optional(boolean()),
        userRef: string({ maxLength: 253, minLength: 1 }),
      },
      { rules: [{ message: 'ApplicationCredentialResourceSpec is immutable', rule: 'self == oldSelf' }] },
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

/** A value of the shape ApplicationCredentialSpec. */
export interface ApplicationCredentialSpec extends Infer<typeof applicationCredentialSpecShape> {}

/** The shape ApplicationCredentialSpec. */
export const applicationCredentialSpec: Schema<ApplicationCredentialSpec> = named('ApplicationCredentialSpec', applicationCredentialSpecShape);

/** The kind ApplicationCredential. */
export const applicationCredential = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'ApplicationCredential',
  plural: 'applicationcredentials',
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
      schema: object({ spec: applicationCredentialSpec, status: optional(applicationCredentialStatus) }),
    },
  ],
});

/** ApplicationCredential in `openstack.k-orc.cloud/v1alpha1`. */
export type ApplicationCredential = KindOf<typeof applicationCredential, 'v1alpha1'>;
