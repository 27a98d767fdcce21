// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, int32, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const flavorStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    description: optional(string({ maxLength: 65535 })),
    disk: optional(int32()),
    ephemeral: optional(int32()),
    isPublic: optional(boolean()),
    name: optional(string({ maxLength: 1024 })),
    ram: optional(int32()),
    swap: optional(int32()),
    vcpus: optional(int32()),
  })),
});

/** A value of the shape FlavorStatus. */
export interface FlavorStatus extends Infer<typeof flavorStatusShape> {}

/** The shape FlavorStatus. */
export const flavorStatus: Schema<FlavorStatus> = named('FlavorStatus', flavorStatusShape);

const flavorSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            disk: optional(int32({ minimum: 0 })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            ram: optional(int32({ minimum: 1 })),
            vcpus: optional(int32({ minimum: 1 })),
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
        description: optional(string({ maxLength: 65535, minLength: 1 })),
        disk: int32({ minimum: 0 }),
        ephemeral: optional(int32({ minimum: 0 })),
        id: optional(string({ maxLength: 255, minLength: 1, pattern: '^[a-zA-Z0-9._-]([a-zA-Z0-9. _-]*[a-zA-Z0-9._-])?$' })),
        isPublic: optional(boolean()),
        name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
        ram: int32({ minimum: 1 }),
        swap: optional(int32({ minimum: 0 })),
        vcpus: int32({ minimum: 1 }),
      },
      { rules: [{ message: 'FlavorResourceSpec is immutable', rule: 'self == oldSelf' }] },
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

/** A value of the shape FlavorSpec. */
export interface FlavorSpec extends Infer<typeof flavorSpecShape> {}

/** The shape FlavorSpec. */
export const flavorSpec: Schema<FlavorSpec> = named('FlavorSpec', flavorSpecShape);

/** The kind Flavor. */
export const flavor = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Flavor',
  plural: 'flavors',
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
      schema: object({ spec: flavorSpec, status: optional(flavorStatus) }),
    },
  ],
});

/** Flavor in `openstack.k-orc.cloud/v1alpha1`. */
export type Flavor = KindOf<typeof flavor, 'v1alpha1'>;
