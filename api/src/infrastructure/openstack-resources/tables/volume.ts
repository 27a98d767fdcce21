// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, int32, kind, named, object, optional, string, time } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef, extraSpec, metadata } from './shared.js';

const volumeStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    attachments: optional(array(
      object({
        attachedAt: optional(time()),
        attachmentID: optional(string({ maxLength: 1024 })),
        device: optional(string({ maxLength: 1024 })),
        serverID: optional(string({ maxLength: 1024 })),
      }),
      { maxItems: 32, listType: 'atomic' },
    )),
    availabilityZone: optional(string({ maxLength: 1024 })),
    backupID: optional(string({ maxLength: 1024 })),
    bootable: optional(boolean()),
    consistencyGroupID: optional(string({ maxLength: 1024 })),
    createdAt: optional(time()),
    description: optional(string({ maxLength: 1024 })),
    encrypted: optional(boolean()),
    host: optional(string({ maxLength: 1024 })),
    imageID: optional(string({ maxLength: 1024 })),
    metadata: optional(array(extraSpec, { maxItems: 64, listType: 'atomic' })),
    multiattach: optional(boolean()),
    name: optional(string({ maxLength: 1024 })),
    replicationStatus: optional(string({ maxLength: 1024 })),
    size: optional(int32()),
    snapshotID: optional(string({ maxLength: 1024 })),
    sourceVolID: optional(string({ maxLength: 1024 })),
    status: optional(string({ maxLength: 1024 })),
    tenantID: optional(string({ maxLength: 1024 })),
    updatedAt: optional(time()),
    userID: optional(string({ maxLength: 1024 })),
    volumeType: optional(string({ maxLength: 1024 })),
  })),
});

/** A value of the shape VolumeStatus. */
export interface VolumeStatus extends Infer<typeof volumeStatusShape> {}

/** The shape VolumeStatus. */
export const volumeStatus: Schema<VolumeStatus> = named('VolumeStatus', volumeStatusShape);

const volumeSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            availabilityZone: optional(string({ maxLength: 255 })),
            description: optional(string({ maxLength: 255, minLength: 1 })),
            name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
            size: optional(int32({ minimum: 1 })),
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
      description: optional(string({ maxLength: 255, minLength: 1 })),
      imageRef: optional(string({ maxLength: 253, minLength: 1, rules: [{ message: 'imageRef is immutable', rule: 'self == oldSelf' }] })),
      metadata: optional(array(
        metadata,
        { maxItems: 64, listType: 'atomic', rules: [{ message: 'metadata is immutable', rule: 'self == oldSelf' }] },
      )),
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      size: int32({ minimum: 1, rules: [{ message: 'size is immutable', rule: 'self == oldSelf' }] }),
      volumeTypeRef: optional(string({
        maxLength: 253,
        minLength: 1,
        rules: [{ message: 'volumeTypeRef is immutable', rule: 'self == oldSelf' }],
      })),
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

/** A value of the shape VolumeSpec. */
export interface VolumeSpec extends Infer<typeof volumeSpecShape> {}

/** The shape VolumeSpec. */
export const volumeSpec: Schema<VolumeSpec> = named('VolumeSpec', volumeSpecShape);

/** The kind Volume. */
export const volume = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Volume',
  plural: 'volumes',
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
      schema: object({ spec: volumeSpec, status: optional(volumeStatus) }),
    },
  ],
});

/** Volume in `openstack.k-orc.cloud/v1alpha1`. */
export type Volume = KindOf<typeof volume, 'v1alpha1'>;
