// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, int64, kind, named, object, optional, string, time } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const portStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    adminStateUp: optional(boolean()),
    allowedAddressPairs: optional(array(
      object({ ip: optional(string({ maxLength: 1024 })), mac: optional(string({ maxLength: 1024 })) }),
      { maxItems: 128, listType: 'atomic' },
    )),
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    deviceID: optional(string({ maxLength: 1024 })),
    deviceOwner: optional(string({ maxLength: 1024 })),
    fixedIPs: optional(array(
      object({ ip: optional(string({ maxLength: 1024 })), subnetID: optional(string({ maxLength: 1024 })) }),
      { maxItems: 128, listType: 'atomic' },
    )),
    hostID: optional(string({ maxLength: 128 })),
    macAddress: optional(string({ maxLength: 1024 })),
    name: optional(string({ maxLength: 1024 })),
    networkID: optional(string({ maxLength: 1024 })),
    portSecurityEnabled: optional(boolean()),
    projectID: optional(string({ maxLength: 1024 })),
    propagateUplinkStatus: optional(boolean()),
    revisionNumber: optional(int64()),
    securityGroups: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    status: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 64, listType: 'atomic' })),
    updatedAt: optional(time()),
    vnicType: optional(string({ maxLength: 64 })),
  })),
});

/** A value of the shape PortStatus. */
export interface PortStatus extends Infer<typeof portStatusShape> {}

/** The shape PortStatus. */
export const portStatus: Schema<PortStatus> = named('PortStatus', portStatusShape);

const portSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            adminStateUp: optional(boolean()),
            description: optional(string({ maxLength: 255, minLength: 1 })),
            macAddress: optional(string({ maxLength: 32 })),
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
    resource: optional(object(
      {
        addresses: optional(array(
          object({
            ip: optional(string({ maxLength: 45, minLength: 1 })),
            subnetRef: string({ maxLength: 253, minLength: 1 }),
          }),
          {
            maxItems: 128,
            listType: 'atomic',
            rules: [{ message: 'addresses is immutable', rule: 'self == oldSelf' }],
          },
        )),
        adminStateUp: optional(boolean({ default: true })),
        allowedAddressPairs: optional(array(
          object({
            ip: string({ maxLength: 45, minLength: 1 }),
            mac: optional(string({ maxLength: 17, minLength: 1 })),
          }),
          { maxItems: 128, listType: 'atomic' },
        )),
        description: optional(string({ maxLength: 255, minLength: 1 })),
        hostID: optional(object(
          { id: optional(string({ maxLength: 36 })), serverRef: optional(string({ maxLength: 253, minLength: 1 })) },
          {
            maxProperties: 1,
            minProperties: 1,
            rules: [
              { message: 'hostID is immutable', rule: 'self == oldSelf' },
              {
                message: 'exactly one of id or serverRef must be set',
                rule: '(has(self.id) && size(self.id) > 0) != (has(self.serverRef) && size(self.serverRef) > 0)',
              },
            ],
          },
        )),
        macAddress: optional(string({ maxLength: 32 })),
        name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
        networkRef: string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'networkRef is immutable', rule: 'self == oldSelf' }],
        }),
        portSecurity: optional(string({
          default: 'Inherit',
          enum: ['Enabled', 'Disabled', 'Inherit'],
          rules: [
            {
              message: 'portSecurity cannot be changed to Inherit',
              rule: "!(oldSelf != 'Inherit' && self == 'Inherit')",
            },
          ],
        })),
        projectRef: optional(string({
          maxLength: 253,
          minLength: 1,
          rules: [{ message: 'projectRef is immutable', rule: 'self == oldSelf' }],
        })),
        securityGroupRefs: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 64, listType: 'set' },
        )),
        tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 64, listType: 'set' })),
        vnicType: optional(string({ maxLength: 64 })),
      },
      {
        rules: [
          {
            message: 'securityGroupRefs must be empty when portSecurity is set to Disabled',
            rule: "has(self.portSecurity) && self.portSecurity == 'Disabled' ? !has(self.securityGroupRefs) : true",
          },
          {
            message: 'allowedAddressPairs must be empty when portSecurity is set to Disabled',
            rule: "has(self.portSecurity) && self.portSecurity == 'Disabled' ? !has(self.allowedAddressPairs) : true",
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

/** A value of the shape PortSpec. */
export interface PortSpec extends Infer<typeof portSpecShape> {}

/** The shape PortSpec. */
export const portSpec: Schema<PortSpec> = named('PortSpec', portSpecShape);

/** The kind Port. */
export const port = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Port',
  plural: 'ports',
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
        { name: 'Addresses', type: 'string', jsonPath: '.status.resource.fixedIPs[*].ip' },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: portSpec, status: optional(portStatus) }),
    },
  ],
});

/** Port in `openstack.k-orc.cloud/v1alpha1`. */
export type Port = KindOf<typeof port, 'v1alpha1'>;
