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
import { cloudCredentialsRef, specImport } from './shared.js';

const securityGroupStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    name: optional(string({ maxLength: 1024 })),
    projectID: optional(string({ maxLength: 1024 })),
    revisionNumber: optional(int64()),
    rules: optional(array(
      object({
        description: optional(string({ maxLength: 1024 })),
        direction: optional(string({ maxLength: 1024 })),
        ethertype: optional(string({ maxLength: 1024 })),
        id: optional(string({ maxLength: 1024 })),
        portRange: optional(object({ max: optional(int32()), min: optional(int32()) })),
        protocol: optional(string({ maxLength: 1024 })),
        remoteGroupID: optional(string({ maxLength: 1024 })),
        remoteIPPrefix: optional(string({ maxLength: 1024 })),
      }),
      { maxItems: 256, listType: 'atomic' },
    )),
    stateful: optional(boolean()),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    updatedAt: optional(time()),
  })),
});

/** A value of the shape SecurityGroupStatus. */
export interface SecurityGroupStatus extends Infer<typeof securityGroupStatusShape> {}

/** The shape SecurityGroupStatus. */
export const securityGroupStatus: Schema<SecurityGroupStatus> = named('SecurityGroupStatus', securityGroupStatusShape);

const securityGroupSpecShape = object(
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
      description: optional(string({ maxLength: 255, minLength: 1 })),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      projectRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
      })),
      rules: optional(array(
        object(
          {
            description: optional(string({ maxLength: 255, minLength: 1 })),
            direction: optional(string({ enum: ['ingress', 'egress'] })),
            ethertype: string({ enum: ['IPv4', 'IPv6'] }),
            portRange: optional(object({ max: int32({ maximum: 65535, minimum: 0 }), min: int32({ maximum: 65535, minimum: 0 }) })),
            protocol: optional(string({
              enum: [
                'ah',
                'dccp',
                'egp',
                'esp',
                'gre',
                'icmp',
                'icmpv6',
                'igmp',
                'ipip',
                'ipv6-encap',
                'ipv6-frag',
                'ipv6-icmp',
                'ipv6-nonxt',
                'ipv6-opts',
                'ipv6-route',
                'ospf',
                'pgm',
                'rsvp',
                'sctp',
                'tcp',
                'udp',
                'udplite',
                'vrrp',
              ],
            })),
            remoteIPPrefix: optional(string({ format: 'cidr', maxLength: 49, minLength: 1 })),
          },
          {
            minProperties: 1,
            rules: [
              {
                message: 'portRangeMax should be equal or greater than portRange.min',
                rule: "(!has(self.portRange)|| !(self.protocol == 'tcp'|| self.protocol == 'udp' || self.protocol == 'dccp' || self.protocol == 'sctp' || self.protocol == 'udplite') || (self.portRange.min <= self.portRange.max))",
              },
              {
                message: 'When protocol is ICMP or ICMPv6 portRange.min should be between 0 and 255',
                rule: "!(self.protocol == 'icmp' || self.protocol == 'icmpv6') || !has(self.portRange)|| (self.portRange.min >= 0 && self.portRange.min <= 255)",
              },
              {
                message: 'When protocol is ICMP or ICMPv6 portRange.max should be between 0 and 255',
                rule: "!(self.protocol == 'icmp' || self.protocol == 'icmpv6') || !has(self.portRange)|| (self.portRange.max >= 0 && self.portRange.max <= 255)",
              },
            ],
          },
        ),
        { maxItems: 256, listType: 'atomic' },
      )),
      stateful: optional(boolean({ rules: [{ message: 'stateful is immutable', rule: 'self == oldSelf' }] })),
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

/** A value of the shape SecurityGroupSpec. */
export interface SecurityGroupSpec extends Infer<typeof securityGroupSpecShape> {}

/** The shape SecurityGroupSpec. */
export const securityGroupSpec: Schema<SecurityGroupSpec> = named('SecurityGroupSpec', securityGroupSpecShape);

/** The kind SecurityGroup. */
export const securityGroup = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'SecurityGroup',
  plural: 'securitygroups',
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
      schema: object({ spec: securityGroupSpec, status: optional(securityGroupStatus) }),
    },
  ],
});

/** SecurityGroup in `openstack.k-orc.cloud/v1alpha1`. */
export type SecurityGroup = KindOf<typeof securityGroup, 'v1alpha1'>;
