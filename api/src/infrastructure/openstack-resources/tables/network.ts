// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  int64,
  kind,
  named,
  object,
  optional,
  string,
  time,
} from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const networkStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    adminStateUp: optional(boolean()),
    availabilityZoneHints: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    dnsDomain: optional(string({ maxLength: 1024 })),
    external: optional(boolean()),
    mtu: optional(int32()),
    name: optional(string({ maxLength: 1024 })),
    portSecurityEnabled: optional(boolean()),
    projectID: optional(string({ maxLength: 1024 })),
    provider: optional(object({
      networkType: optional(string({ maxLength: 1024 })),
      physicalNetwork: optional(string({ maxLength: 1024 })),
      segmentationID: optional(int32()),
    })),
    revisionNumber: optional(int64()),
    shared: optional(boolean()),
    status: optional(string({ maxLength: 1024 })),
    subnets: optional(array(string({ maxLength: 1024 }), { maxItems: 256, listType: 'atomic' })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    updatedAt: optional(time()),
  })),
});

/** A value of the shape NetworkStatus. */
export interface NetworkStatus extends Infer<typeof networkStatusShape> {}

/** The shape NetworkStatus. */
export const networkStatus: Schema<NetworkStatus> = named('NetworkStatus', networkStatusShape);

const networkSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            description: optional(string({ maxLength: 255, minLength: 1 })),
            external: optional(boolean()),
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
    )),
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
      dnsDomain: optional(string({
        maxLength: 255,
        minLength: 1,
        pattern: '^[A-Za-z0-9]{1,63}(.[A-Za-z0-9-]{1,63})*(.[A-Za-z]{2,63})*.?$',
        rules: [{ message: 'dnsDomain is immutable', rule: 'self == oldSelf' }],
      })),
      external: optional(boolean()),
      mtu: optional(int32({ maximum: 9216, minimum: 68 })),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      portSecurityEnabled: optional(boolean()),
      projectRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
      })),
      shared: optional(boolean()),
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

/** A value of the shape NetworkSpec. */
export interface NetworkSpec extends Infer<typeof networkSpecShape> {}

/** The shape NetworkSpec. */
export const networkSpec: Schema<NetworkSpec> = named('NetworkSpec', networkSpecShape);

/** The kind Network. */
export const network = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Network',
  plural: 'networks',
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
      schema: object({ spec: networkSpec, status: optional(networkStatus) }),
    },
  ],
});

/** Network in `openstack.k-orc.cloud/v1alpha1`. */
export type Network = KindOf<typeof network, 'v1alpha1'>;
