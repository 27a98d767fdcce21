// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const keyPairStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    fingerprint: optional(string({ maxLength: 1024 })),
    name: optional(string({ maxLength: 1024 })),
    publicKey: optional(string({ maxLength: 16384 })),
    type: optional(string({ maxLength: 64 })),
  })),
});

/** A value of the shape KeyPairStatus. */
export interface KeyPairStatus extends Infer<typeof keyPairStatusShape> {}

/** The shape KeyPairStatus. */
export const keyPairStatus: Schema<KeyPairStatus> = named('KeyPairStatus', keyPairStatusShape);

const keyPairSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          { name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })) },
          { minProperties: 1 },
        )),
        id: optional(string({ maxLength: 1024 })),
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
      name: optional(string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' })),
      publicKey: string({ maxLength: 16384, minLength: 1 }),
      type: optional(string({ enum: ['ssh', 'x509'] })),
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

/** A value of the shape KeyPairSpec. */
export interface KeyPairSpec extends Infer<typeof keyPairSpecShape> {}

/** The shape KeyPairSpec. */
export const keyPairSpec: Schema<KeyPairSpec> = named('KeyPairSpec', keyPairSpecShape);

/** The kind KeyPair. */
export const keyPair = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'KeyPair',
  plural: 'keypairs',
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
      schema: object({ spec: keyPairSpec, status: optional(keyPairStatus) }),
    },
  ],
});

/** KeyPair in `openstack.k-orc.cloud/v1alpha1`. */
export type KeyPair = KindOf<typeof keyPair, 'v1alpha1'>;
