// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, condition, int64, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const controlPlaneComponentStatusShape = object({
  conditions: optional(array(condition, { maxItems: 10, listMapKeys: ['type'], listType: 'map' })),
  observedGeneration: optional(int64({ maximum: 9007199254740992, minimum: 1 })),
  resources: optional(array(
    object({ group: string({ maxLength: 255 }), kind: string({ maxLength: 255 }), name: string({ maxLength: 255 }) }),
    { maxItems: 100 },
  )),
  version: optional(string({ maxLength: 255 })),
});

/** A value of the shape ControlPlaneComponentStatus. */
export interface ControlPlaneComponentStatus extends Infer<typeof controlPlaneComponentStatusShape> {}

/** The shape ControlPlaneComponentStatus. */
export const controlPlaneComponentStatus: Schema<ControlPlaneComponentStatus> = named('ControlPlaneComponentStatus', controlPlaneComponentStatusShape);

/** The kind ControlPlaneComponent. */
export const controlPlaneComponent = kind({
  group: 'hypershift.openshift.io',
  kind: 'ControlPlaneComponent',
  plural: 'controlplanecomponents',
  shortNames: ['cpc', 'cpcs'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.status.version' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        {
          name: 'RolloutComplete',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="RolloutComplete")].status',
        },
        { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].message' },
        {
          name: 'RolloutCompleteMessage',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="RolloutComplete")].message',
          priority: 1,
        },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(object({})), status: optional(controlPlaneComponentStatus) }),
    },
  ],
});

/** ControlPlaneComponent in `hypershift.openshift.io/v1beta1`. */
export type ControlPlaneComponent = KindOf<typeof controlPlaneComponent, 'v1beta1'>;
