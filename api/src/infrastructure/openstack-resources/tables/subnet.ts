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

const subnetStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    allocationPools: optional(array(
      object({ end: optional(string({ maxLength: 1024 })), start: optional(string({ maxLength: 1024 })) }),
      { maxItems: 32, listType: 'atomic' },
    )),
    cidr: optional(string({ maxLength: 1024 })),
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    dnsNameservers: optional(array(string({ maxLength: 1024 }), { maxItems: 16, listType: 'atomic' })),
    dnsPublishFixedIP: optional(boolean()),
    enableDHCP: optional(boolean()),
    gatewayIP: optional(string({ maxLength: 1024 })),
    hostRoutes: optional(array(
      object({ destination: optional(string({ maxLength: 1024 })), nextHop: optional(string({ maxLength: 1024 })) }),
      { maxItems: 256, listType: 'atomic' },
    )),
    ipVersion: optional(int32()),
    ipv6AddressMode: optional(string({ maxLength: 1024 })),
    ipv6RAMode: optional(string({ maxLength: 1024 })),
    name: optional(string({ maxLength: 1024 })),
    networkID: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    revisionNumber: optional(int64()),
    subnetPoolID: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    updatedAt: optional(time()),
  })),
});

/** A value of the shape SubnetStatus. */
export interface SubnetStatus extends Infer<typeof subnetStatusShape> {}

/** The shape SubnetStatus. */
export const subnetStatus: Schema<SubnetStatus> = named('SubnetStatus', subnetStatusShape);

const subnetSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            cidr: optional(string({ format: 'cidr', maxLength: 49, minLength: 1 })),
            description: optional(string({ maxLength: 255, minLength: 1 })),
            gatewayIP: optional(string({ maxLength: 45, minLength: 1 })),
            ipVersion: optional(int32({ enum: [4, 6] })),
            ipv6: optional(object(
              {
                addressMode: optional(string({ enum: ['slaac', 'dhcpv6-stateful', 'dhcpv6-stateless'] })),
                raMode: optional(string({ enum: ['slaac', 'dhcpv6-stateful', 'dhcpv6-stateless'] })),
              },
              { minProperties: 1 },
            )),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            networkRef: optional(string({ maxLength: 253, minLength: 1 })),
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
      allocationPools: optional(array(
        object({ end: string({ maxLength: 45, minLength: 1 }), start: string({ maxLength: 45, minLength: 1 }) }),
        { maxItems: 32, listType: 'atomic' },
      )),
      cidr: string({
        format: 'cidr',
        maxLength: 49,
        minLength: 1,
        rules: [{ message: 'cidr is immutable', rule: 'self == oldSelf' }],
      }),
      description: optional(string({ maxLength: 255, minLength: 1 })),
      dnsNameservers: optional(array(string({ maxLength: 45, minLength: 1 }), { maxItems: 16, listType: 'set' })),
      dnsPublishFixedIP: optional(boolean({ rules: [{ message: 'dnsPublishFixedIP is immutable', rule: 'self == oldSelf' }] })),
      enableDHCP: optional(boolean()),
      gateway: optional(object({
        ip: optional(string({ maxLength: 45, minLength: 1 })),
        type: string({ enum: ['None', 'Automatic', 'IP'] }),
      })),
      hostRoutes: optional(array(
        object({
          destination: string({ format: 'cidr', maxLength: 49, minLength: 1 }),
          nextHop: string({ maxLength: 45, minLength: 1 }),
        }),
        { maxItems: 256, listType: 'atomic' },
      )),
      ipVersion: int32({ enum: [4, 6], rules: [{ message: 'ipVersion is immutable', rule: 'self == oldSelf' }] }),
      ipv6: optional(object(
        {
          addressMode: optional(string({ enum: ['slaac', 'dhcpv6-stateful', 'dhcpv6-stateless'] })),
          raMode: optional(string({ enum: ['slaac', 'dhcpv6-stateful', 'dhcpv6-stateless'] })),
        },
        { minProperties: 1, rules: [{ message: 'ipv6 is immutable', rule: 'self == oldSelf' }] },
      )),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      networkRef: string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'networkRef is immutable', rule: 'self == oldSelf' }],
      }),
      projectRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
      })),
      routerRef: optional(string({ maxLength: 253, minLength: 1, rules: [{ message: 'routerRef is immutable', rule: 'self == oldSelf' }] })),
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

/** A value of the shape SubnetSpec. */
export interface SubnetSpec extends Infer<typeof subnetSpecShape> {}

/** The shape SubnetSpec. */
export const subnetSpec: Schema<SubnetSpec> = named('SubnetSpec', subnetSpecShape);

/** The kind Subnet. */
export const subnet = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Subnet',
  plural: 'subnets',
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
      schema: object({ spec: subnetSpec, status: optional(subnetStatus) }),
    },
  ],
});

/** Subnet in `openstack.k-orc.cloud/v1alpha1`. */
export type Subnet = KindOf<typeof subnet, 'v1alpha1'>;
