// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  condition,
  int32,
  integer,
  kind,
  map,
  named,
  object,
  optional,
  quantity,
  string,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { kubevirtCredentials, objectReference } from './shared.js';

const kubeVirtNodePoolStatusShape = object({
  cacheName: optional(string({ maxLength: 255 })),
  conditions: optional(array(condition, { maxItems: 100, listMapKeys: ['type'], listType: 'map' })),
  credentials: optional(kubevirtCredentials),
  machineTemplateRef: optional(objectReference),
  ready: boolean(),
});

/** A value of the shape KubeVirtNodePoolStatus. */
export interface KubeVirtNodePoolStatus extends Infer<typeof kubeVirtNodePoolStatusShape> {}

/** The shape KubeVirtNodePoolStatus. */
export const kubeVirtNodePoolStatus: Schema<KubeVirtNodePoolStatus> = named('KubeVirtNodePoolStatus', kubeVirtNodePoolStatusShape);

const kubeVirtNodePoolSpecShape = object({
  additionalNetworks: optional(array(object({ name: string({ maxLength: 255 }) }), { maxItems: 20 })),
  attachDefaultNetwork: optional(boolean({ default: true })),
  compute: optional(object(
    {
      cores: optional(int32({ minimum: 1 })),
      memory: optional(quantity({ default: '8Gi' })),
      qosClass: optional(string({ default: 'Burstable', enum: ['Burstable', 'Guaranteed'] })),
    },
    { default: { cores: 2, memory: '8Gi' } },
  )),
  hostDevices: optional(array(
    object({
      count: optional(integer({ default: 1, maximum: 2147483647, minimum: 1 })),
      deviceName: string({ maxLength: 255 }),
    }),
    { maxItems: 10 },
  )),
  networkInterfaceMultiqueue: optional(string({ default: 'Enable', enum: ['Enable', 'Disable'] })),
  nodeSelector: optional(map(string())),
  rootVolume: object(
    {
      cacheStrategy: optional(object({ type: string({ default: 'None', enum: ['None', 'PVC'] }) })),
      diskImage: optional(object({ containerDiskImage: optional(string({ maxLength: 2048 })) })),
      persistent: optional(object({
        accessModes: optional(array(
          string({ enum: ['ReadWriteOnce', 'ReadWriteMany', 'ReadOnly', 'ReadWriteOncePod'] }),
          { maxItems: 10 },
        )),
        size: optional(quantity({ default: '32Gi' })),
        storageClass: optional(string({ maxLength: 255 })),
        volumeMode: optional(string({ enum: ['Filesystem', 'Block'] })),
      })),
      type: optional(string({ default: 'Persistent', enum: ['Persistent'] })),
    },
    { default: { persistent: { size: '32Gi' }, type: 'Persistent' } },
  ),
});

/** A value of the shape KubeVirtNodePoolSpec. */
export interface KubeVirtNodePoolSpec extends Infer<typeof kubeVirtNodePoolSpecShape> {}

/** The shape KubeVirtNodePoolSpec. */
export const kubeVirtNodePoolSpec: Schema<KubeVirtNodePoolSpec> = named('KubeVirtNodePoolSpec', kubeVirtNodePoolSpecShape);

/** The kind KubeVirtNodePool. */
export const kubeVirtNodePool = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'KubeVirtNodePool',
  plural: 'kubevirtnodepools',
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
      schema: object({ spec: kubeVirtNodePoolSpec, status: optional(kubeVirtNodePoolStatus) }),
    },
  ],
});

/** KubeVirtNodePool in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type KubeVirtNodePool = KindOf<typeof kubeVirtNodePool, 'v1beta1'>;
