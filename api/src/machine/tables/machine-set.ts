// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, gated, int32, int64, kind, labelSelector, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { machineCondition, machineSpec, templateMetadata } from './shared.js';

const machineSetStatusShape = object(
  {
    authoritativeAPI: gated(
      'MachineAPIMigration',
      optional(string({
        enum: ['MachineAPI', 'ClusterAPI', 'Migrating'],
        rules: [
          {
            message: 'The authoritativeAPI field must not transition directly from MachineAPI to ClusterAPI or vice versa. It must transition through Migrating.',
            rule: "self == 'Migrating' || self == oldSelf || oldSelf == 'Migrating'",
          },
        ],
      })),
    ),
    availableReplicas: optional(int32()),
    conditions: optional(array(machineCondition, { listMapKeys: ['type'], listType: 'map' })),
    errorMessage: optional(string()),
    errorReason: optional(string()),
    fullyLabeledReplicas: optional(int32()),
    labelSelector: optional(string({ maxLength: 4096, minLength: 1 })),
    observedGeneration: optional(int64()),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    synchronizedAPI: gated('MachineAPIMigration', optional(string({ enum: ['MachineAPI', 'ClusterAPI'] }))),
    synchronizedGeneration: gated('MachineAPIMigration', optional(int64({ minimum: 0 }))),
  },
  {
    gated: {
      MachineAPIMigration: {
        rules: [
          {
            fieldPath: '.synchronizedGeneration',
            message: 'synchronizedGeneration must not decrease unless authoritativeAPI is transitioning from Migrating to another value',
            reason: 'FieldValueInvalid',
            rule: "!has(oldSelf.synchronizedGeneration) || (has(self.synchronizedGeneration) && self.synchronizedGeneration >= oldSelf.synchronizedGeneration) || (oldSelf.authoritativeAPI == 'Migrating' && self.authoritativeAPI != 'Migrating')",
          },
          {
            message: 'authoritativeAPI may not be removed once set',
            rule: 'has(self.authoritativeAPI) || !has(oldSelf.authoritativeAPI)',
          },
        ],
      },
    },
  },
);

/** A value of the shape MachineSetStatus. */
export interface MachineSetStatus extends Infer<typeof machineSetStatusShape> {}

/** The shape MachineSetStatus. */
export const machineSetStatus: Schema<MachineSetStatus> = named('MachineSetStatus', machineSetStatusShape);

const machineTemplateShape = object({ metadata: optional(templateMetadata), spec: optional(machineSpec) });

/** A value of the shape MachineTemplate. */
export interface MachineTemplate extends Infer<typeof machineTemplateShape> {}

/** The shape MachineTemplate. */
export const machineTemplate: Schema<MachineTemplate> = named('MachineTemplate', machineTemplateShape);

const machineSetSpecShape = object({
  authoritativeAPI: gated('MachineAPIMigration', optional(string({ enum: ['MachineAPI', 'ClusterAPI'] }))),
  deletePolicy: optional(string({ enum: ['Random', 'Newest', 'Oldest'] })),
  minReadySeconds: optional(int32()),
  replicas: optional(int32({ default: 1 })),
  selector: optional(labelSelector),
  template: optional(machineTemplate),
});

/** A value of the shape MachineSetSpec. */
export interface MachineSetSpec extends Infer<typeof machineSetSpecShape> {}

/** The shape MachineSetSpec. */
export const machineSetSpec: Schema<MachineSetSpec> = named('MachineSetSpec', machineSetSpecShape);

/** The kind MachineSet. */
export const machineSet = kind({
  group: 'machine.openshift.io',
  kind: 'MachineSet',
  plural: 'machinesets',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'string', jsonPath: '.status.availableReplicas' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: {
        status: true,
        scale: {
          labelSelectorPath: '.status.labelSelector',
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
        },
      },
      schema: object(
        { spec: optional(machineSetSpec), status: optional(machineSetStatus) },
        {
          gated: {
            MachineAPIMigration: {
              rules: [
                {
                  message: 'authoritativeAPI may not be removed once set',
                  rule: '!has(oldSelf.status) || !has(oldSelf.status.authoritativeAPI) || has(self.status)',
                },
              ],
            },
          },
        },
      ),
    },
  ],
});

/** MachineSet in `machine.openshift.io/v1beta1`. */
export type MachineSet = KindOf<typeof machineSet, 'v1beta1'>;
