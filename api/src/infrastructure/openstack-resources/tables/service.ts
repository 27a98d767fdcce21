// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const serviceStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    description: optional(string({ maxLength: 255 })),
    enabled: optional(boolean()),
    name: optional(string({ maxLength: 255 })),
    type: optional(string({ maxLength: 255 })),
  })),
});

/** A value of the shape ServiceStatus. */
export interface ServiceStatus extends Infer<typeof serviceStatusShape> {}

/** The shape ServiceStatus. */
export const serviceStatus: Schema<ServiceStatus> = named('ServiceStatus', serviceStatusShape);

const serviceSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            type: optional(string({ maxLength: 255, minLength: 1 })),
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
      enabled: optional(boolean({ default: true })),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      type: string({ maxLength: 255, minLength: 1 }),
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

/** A value of the shape ServiceSpec. */
export interface ServiceSpec extends Infer<typeof serviceSpecShape> {}

/** The shape ServiceSpec. */
export const serviceSpec: Schema<ServiceSpec> = named('ServiceSpec', serviceSpecShape);

/** The kind Service. */
export const service = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Service',
  plural: 'services',
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
      schema: object({ spec: serviceSpec, status: optional(serviceStatus) }),
    },
  ],
});

/** Service in `openstack.k-orc.cloud/v1alpha1`. */
export type Service = KindOf<typeof service, 'v1alpha1'>;
