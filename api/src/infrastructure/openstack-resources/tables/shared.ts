// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import { array, condition, named, object, optional, string } from '../../../model/index.js';

const metadataShape = object({ name: string({ maxLength: 255 }), value: string({ maxLength: 255 }) });

/** A value of the shape Metadata. */
export interface Metadata extends Infer<typeof metadataShape> {}

/** The shape Metadata. */
export const metadata: Schema<Metadata> = named('Metadata', metadataShape);

const extraSpecShape = object({ name: optional(string({ maxLength: 255 })), value: optional(string({ maxLength: 255 })) });

/** A value of the shape ExtraSpec. */
export interface ExtraSpec extends Infer<typeof extraSpecShape> {}

/** The shape ExtraSpec. */
export const extraSpec: Schema<ExtraSpec> = named('ExtraSpec', extraSpecShape);

const cloudCredentialsRefShape = object({ cloudName: string({ maxLength: 256, minLength: 1 }), secretName: string({ maxLength: 253, minLength: 1 }) });

/** A value of the shape CloudCredentialsRef. */
export interface CloudCredentialsRef extends Infer<typeof cloudCredentialsRefShape> {}

/** The shape CloudCredentialsRef. */
export const cloudCredentialsRef: Schema<CloudCredentialsRef> = named('CloudCredentialsRef', cloudCredentialsRefShape);

const identityResourceStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    description: optional(string({ maxLength: 1024 })),
    domainID: optional(string({ maxLength: 1024 })),
    name: optional(string({ maxLength: 1024 })),
  })),
});

/** A value of the shape IdentityResourceStatus. */
export interface IdentityResourceStatus extends Infer<typeof identityResourceStatusShape> {}

/** The shape IdentityResourceStatus. */
export const identityResourceStatus: Schema<IdentityResourceStatus> = named('IdentityResourceStatus', identityResourceStatusShape);

const specImportShape = object(
  {
    filter: optional(object(
      {
        description: optional(string({ maxLength: 255, minLength: 1 })),
        name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
        notTags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
        notTagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
        projectRef: optional(string({ maxLength: 253, minLength: 1 })),
        tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
        tagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
      },
      { minProperties: 1 },
    )),
    id: optional(string({ format: 'uuid', maxLength: 36 })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape SpecImport. */
export interface SpecImport extends Infer<typeof specImportShape> {}

/** The shape SpecImport. */
export const specImport: Schema<SpecImport> = named('SpecImport', specImportShape);

const identityResourceSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            domainRef: optional(string({ maxLength: 253, minLength: 1 })),
            name: optional(string({ maxLength: 64, minLength: 1 })),
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
      description: optional(string({ maxLength: 255, minLength: 1 })),
      domainRef: optional(string({ maxLength: 253, minLength: 1, rules: [{ message: 'domainRef is immutable', rule: 'self == oldSelf' }] })),
      name: optional(string({ maxLength: 64, minLength: 1 })),
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

/** A value of the shape IdentityResourceSpec. */
export interface IdentityResourceSpec extends Infer<typeof identityResourceSpecShape> {}

/** The shape IdentityResourceSpec. */
export const identityResourceSpec: Schema<IdentityResourceSpec> = named('IdentityResourceSpec', identityResourceSpecShape);
