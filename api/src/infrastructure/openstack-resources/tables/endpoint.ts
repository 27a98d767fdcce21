// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const endpointStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    description: optional(string({ maxLength: 255, minLength: 1 })),
    enabled: optional(boolean()),
    interface: optional(string({ maxLength: 128 })),
    serviceID: optional(string({ maxLength: 1024 })),
    url: optional(string({ maxLength: 1024 })),
  })),
});

/** A value of the shape EndpointStatus. */
export interface EndpointStatus extends Infer<typeof endpointStatusShape> {}

/** The shape EndpointStatus. */
export const endpointStatus: Schema<EndpointStatus> = named('EndpointStatus', endpointStatusShape);

const endpointSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            interface: optional(string({ enum: ['admin', 'internal', 'public'] })),
            serviceRef: optional(string({ maxLength: 253, minLength: 1 })),
            url: optional(string({ maxLength: 1024 })),
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
      description: optional(string({
        maxLength: 255,
        minLength: 1,
        rules: [{ message: 'description is immutable', rule: 'self == oldSelf' }],
      })),
      enabled: optional(boolean()),
      interface: string({ enum: ['admin', 'internal', 'public'] }),
      serviceRef: string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'serviceRef is immutable', rule: 'self == oldSelf' }],
      }),
      url: string({ maxLength: 1024 }),
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

/** A value of the shape EndpointSpec. */
export interface EndpointSpec extends Infer<typeof endpointSpecShape> {}

/** The shape EndpointSpec. */
export const endpointSpec: Schema<EndpointSpec> = named('EndpointSpec', endpointSpecShape);

/** The kind Endpoint. */
export const endpoint = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Endpoint',
  plural: 'endpoints',
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
      schema: object({ spec: endpointSpec, status: optional(endpointStatus) }),
    },
  ],
});

/** Endpoint in `openstack.k-orc.cloud/v1alpha1`. */
export type Endpoint = KindOf<typeof endpoint, 'v1alpha1'>;
