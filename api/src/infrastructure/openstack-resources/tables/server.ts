// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const serverStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    availabilityZone: optional(string({ maxLength: 1024 })),
    configDrive: optional(boolean()),
    hostID: optional(string({ maxLength: 1024 })),
    imageID: optional(string({ maxLength: 1024 })),
    interfaces: optional(array(
      object({
        fixedIPs: optional(array(
          object({ ipAddress: optional(string({ maxLength: 1024 })), subnetID: optional(string({ maxLength: 1024 })) }),
          { maxItems: 32, listType: 'atomic' },
        )),
        macAddr: optional(string({ maxLength: 1024 })),
        netID: optional(string({ maxLength: 1024 })),
        portID: optional(string({ maxLength: 1024 })),
        portState: optional(string({ maxLength: 1024 })),
      }),
      { maxItems: 64, listType: 'atomic' },
    )),
    metadata: optional(array(
      object({ key: optional(string({ maxLength: 255 })), value: optional(string({ maxLength: 255 })) }),
      { maxItems: 128, listType: 'atomic' },
    )),
    name: optional(string({ maxLength: 1024 })),
    serverGroups: optional(array(string({ maxLength: 1024 }), { maxItems: 32, listType: 'atomic' })),
    status: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 50, listType: 'atomic' })),
    volumes: optional(array(object({ id: optional(string({ maxLength: 1024 })) }), { maxItems: 64, listType: 'atomic' })),
  })),
});

/** A value of the shape ServerStatus. */
export interface ServerStatus extends Infer<typeof serverStatusShape> {}

/** The shape ServerStatus. */
export const serverStatus: Schema<ServerStatus> = named('ServerStatus', serverStatusShape);

const serverSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            availabilityZone: optional(string({ maxLength: 255 })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            notTags: optional(array(string({ maxLength: 80, minLength: 1 }), { maxItems: 50, listType: 'set' })),
            notTagsAny: optional(array(string({ maxLength: 80, minLength: 1 }), { maxItems: 50, listType: 'set' })),
            tags: optional(array(string({ maxLength: 80, minLength: 1 }), { maxItems: 50, listType: 'set' })),
            tagsAny: optional(array(string({ maxLength: 80, minLength: 1 }), { maxItems: 50, listType: 'set' })),
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
      availabilityZone: optional(string({ maxLength: 255, rules: [{ message: 'availabilityZone is immutable', rule: 'self == oldSelf' }] })),
      configDrive: optional(boolean({ rules: [{ message: 'configDrive is immutable', rule: 'self == oldSelf' }] })),
      flavorRef: string({ maxLength: 253, minLength: 1, rules: [{ message: 'flavorRef is immutable', rule: 'self == oldSelf' }] }),
      imageRef: string({ maxLength: 253, minLength: 1, rules: [{ message: 'imageRef is immutable', rule: 'self == oldSelf' }] }),
      keypairRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'keypairRef is immutable', rule: 'self == oldSelf' }],
      })),
      metadata: optional(array(
        object({ key: string({ maxLength: 255, minLength: 1 }), value: string({ maxLength: 255, minLength: 1 }) }),
        { maxItems: 128, listType: 'atomic' },
      )),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      ports: array(
        object({ portRef: optional(string({ maxLength: 253, minLength: 1 })) }, { maxProperties: 1, minProperties: 1 }),
        { maxItems: 64, listType: 'atomic' },
      ),
      serverGroupRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'serverGroupRef is immutable', rule: 'self == oldSelf' }],
      })),
      tags: optional(array(string({ maxLength: 80, minLength: 1 }), { maxItems: 50, listType: 'set' })),
      userData: optional(object(
        { secretRef: optional(string({ maxLength: 253, minLength: 1 })) },
        { maxProperties: 1, minProperties: 1, rules: [{ message: 'userData is immutable', rule: 'self == oldSelf' }] },
      )),
      volumes: optional(array(
        object(
          { device: optional(string({ maxLength: 255 })), volumeRef: string({ maxLength: 253, minLength: 1 }) },
          { minProperties: 1 },
        ),
        { maxItems: 64, listType: 'atomic' },
      )),
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

/** A value of the shape ServerSpec. */
export interface ServerSpec extends Infer<typeof serverSpecShape> {}

/** The shape ServerSpec. */
export const serverSpec: Schema<ServerSpec> = named('ServerSpec', serverSpecShape);

/** The kind Server. */
export const server = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Server',
  plural: 'servers',
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
      schema: object({ spec: serverSpec, status: optional(serverStatus) }),
    },
  ],
});

/** Server in `openstack.k-orc.cloud/v1alpha1`. */
export type Server = KindOf<typeof server, 'v1alpha1'>;
