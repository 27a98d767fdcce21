// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef, specImport } from './shared.js';

const routerStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    adminStateUp: optional(boolean()),
    availabilityZoneHints: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    description: optional(string({ maxLength: 1024 })),
    externalGateways: optional(array(object({ networkID: optional(string({ maxLength: 1024 })) }), { maxItems: 32, listType: 'atomic' })),
    name: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    status: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
  })),
});

/** A value of the shape RouterStatus. */
export interface RouterStatus extends Infer<typeof routerStatusShape> {}

/** The shape RouterStatus. */
export const routerStatus: Schema<RouterStatus> = named('RouterStatus', routerStatusShape);

const routerSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(specImport),
    managedOptions: optional(object({ onDelete: optional(string({ default: 'delete', enum: ['delete', 'detach'] })) })),
    managementPolicy: optional(string({
      default: 'managed',
      enum: ['managed', 'unmanaged'],
      rules: [{ message: 'managementPolicy is immutable', rule: 'self == oldSelf' }],
    })),
    resource: optional(object({
      adminStateUp: optional(boolean()),
      availabilityZoneHints: optional(array(
        string({ maxLength: 255, minLength: 1 }),
        {
          maxItems: 64,
          listType: 'set',
          rules: [{ message: 'availabilityZoneHints is immutable', rule: 'self == oldSelf' }],
        },
      )),
      description: optional(string({ maxLength: 255, minLength: 1 })),
      distributed: optional(boolean({ rules: [{ message: 'distributed is immutable', rule: 'self == oldSelf' }] })),
      externalGateways: optional(array(
        object({ networkRef: string({ maxLength: 253, minLength: 1 }) }),
        {
          maxItems: 1,
          listType: 'atomic',
          rules: [{ message: 'externalGateways is immutable', rule: 'self == oldSelf' }],
        },
      )),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      projectRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
      })),
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

/** A value of the shape RouterSpec. */
export interface RouterSpec extends Infer<typeof routerSpecShape> {}

/** The shape RouterSpec. */
export const routerSpec: Schema<RouterSpec> = named('RouterSpec', routerSpecShape);

/** The kind Router. */
export const router = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Router',
  plural: 'routers',
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
      schema: object({ spec: routerSpec, status: optional(routerStatus) }),
    },
  ],
});

/** Router in `openstack.k-orc.cloud/v1alpha1`. */
export type Router = KindOf<typeof router, 'v1alpha1'>;
