// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { hostedClusterStatus, kubevirtCredentials } from './shared.js';

const hostedKubeVirtClusterSpecShape = object(
  {
    baseDomainPassthrough: optional(boolean({ rules: [{ message: 'baseDomainPassthrough is immutable', rule: 'self == oldSelf' }] })),
    credentials: optional(kubevirtCredentials),
    generateID: optional(string({
      maxLength: 11,
      rules: [{ message: 'Kubevirt GenerateID is immutable once set', rule: 'self == oldSelf' }],
    })),
    storageDriver: optional(object(
      {
        manual: optional(object(
          {
            storageClassMapping: optional(array(
              object({
                group: optional(string({ maxLength: 255 })),
                guestStorageClassName: string({ maxLength: 255 }),
                infraStorageClassName: string({ maxLength: 255 }),
              }),
              { maxItems: 50, rules: [{ message: 'storageClassMapping is immutable', rule: 'self == oldSelf' }] },
            )),
            volumeSnapshotClassMapping: optional(array(
              object({
                group: optional(string({ maxLength: 255 })),
                guestVolumeSnapshotClassName: string({ maxLength: 255 }),
                infraVolumeSnapshotClassName: string({ maxLength: 255 }),
              }),
              {
                maxItems: 50,
                rules: [{ message: 'volumeSnapshotClassMapping is immutable', rule: 'self == oldSelf' }],
              },
            )),
          },
          { rules: [{ message: 'storageDriver.Manual is immutable', rule: 'self == oldSelf' }] },
        )),
        type: optional(string({
          default: 'Default',
          enum: ['None', 'Default', 'Manual'],
          rules: [{ message: 'storageDriver.Type is immutable', rule: 'self == oldSelf' }],
        })),
      },
      { rules: [{ message: 'storageDriver is immutable', rule: 'self == oldSelf' }] },
    )),
  },
  {
    rules: [
      { message: 'Kubevirt GenerateID is required once set', rule: '!has(oldSelf.generateID) || has(self.generateID)' },
    ],
  },
);

/** A value of the shape HostedKubeVirtClusterSpec. */
export interface HostedKubeVirtClusterSpec extends Infer<typeof hostedKubeVirtClusterSpecShape> {}

/** The shape HostedKubeVirtClusterSpec. */
export const hostedKubeVirtClusterSpec: Schema<HostedKubeVirtClusterSpec> = named('HostedKubeVirtClusterSpec', hostedKubeVirtClusterSpecShape);

/** The kind HostedKubeVirtCluster. */
export const hostedKubeVirtCluster = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'HostedKubeVirtCluster',
  plural: 'hostedkubevirtclusters',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: hostedKubeVirtClusterSpec, status: optional(hostedClusterStatus) }),
    },
  ],
});

/** HostedKubeVirtCluster in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type HostedKubeVirtCluster = KindOf<typeof hostedKubeVirtCluster, 'v1beta1'>;
