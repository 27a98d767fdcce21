// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { int32, intOrString, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nodePoolStatus, powerVsResourceReference } from './shared.js';

const powerVsNodePoolSpecShape = object({
  image: optional(powerVsResourceReference),
  imageDeletePolicy: optional(string({ default: 'delete', enum: ['delete', 'retain'] })),
  memoryGiB: optional(int32({ default: 32 })),
  processorType: optional(string({ default: 'shared', enum: ['dedicated', 'shared', 'capped'] })),
  processors: optional(intOrString({ default: '0.5' })),
  storageType: optional(string({ default: 'tier1', enum: ['tier1', 'tier3'] })),
  systemType: optional(string({ default: 's922', maxLength: 255 })),
});

/** A value of the shape PowerVSNodePoolSpec. */
export interface PowerVSNodePoolSpec extends Infer<typeof powerVsNodePoolSpecShape> {}

/** The shape PowerVSNodePoolSpec. */
export const powerVsNodePoolSpec: Schema<PowerVSNodePoolSpec> = named('PowerVSNodePoolSpec', powerVsNodePoolSpecShape);

/** The kind PowerVSNodePool. */
export const powerVsNodePool = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'PowerVSNodePool',
  plural: 'powervsnodepools',
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
      schema: object({ spec: powerVsNodePoolSpec, status: optional(nodePoolStatus) }),
    },
  ],
});

/** PowerVSNodePool in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type PowerVSNodePool = KindOf<typeof powerVsNodePool, 'v1beta1'>;
