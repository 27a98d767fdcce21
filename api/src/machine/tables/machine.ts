// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { anyObject, array, gated, int64, kind, named, object, optional, string, time } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { machineCondition, machineSpec, objectReference } from './shared.js';

const machineAddressShape = object({ address: string(), type: string() });

/** A value of the shape MachineAddress. */
export interface MachineAddress extends Infer<typeof machineAddressShape> {}

/** The shape MachineAddress. */
export const machineAddress: Schema<MachineAddress> = named('MachineAddress', machineAddressShape);

const lastOperationShape = object({
  description: optional(string()),
  lastUpdated: optional(time()),
  state: optional(string()),
  type: optional(string()),
});

/** A value of the shape LastOperation. */
export interface LastOperation extends Infer<typeof lastOperationShape> {}

/** The shape LastOperation. */
export const lastOperation: Schema<LastOperation> = named('LastOperation', lastOperationShape);

const machineStatusShape = object(
  {
    addresses: optional(array(machineAddress, { listType: 'atomic' })),
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
    conditions: optional(array(machineCondition, { listMapKeys: ['type'], listType: 'map' })),
    errorMessage: optional(string()),
    errorReason: optional(string()),
    lastOperation: optional(lastOperation),
    lastUpdated: optional(time()),
    nodeRef: optional(objectReference),
    phase: optional(string()),
    providerStatus: optional(anyObject()),
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

/** A value of the shape MachineStatus. */
export interface MachineStatus extends Infer<typeof machineStatusShape> {}

/** The shape MachineStatus. */
export const machineStatus: Schema<MachineStatus> = named('MachineStatus', machineStatusShape);

/** The kind Machine. */
export const machine = kind({
  group: 'machine.openshift.io',
  kind: 'Machine',
  plural: 'machines',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Type', type: 'string', jsonPath: ".metadata.labels['machine\\.openshift\\.io/instance-type']" },
        { name: 'Region', type: 'string', jsonPath: ".metadata.labels['machine\\.openshift\\.io/region']" },
        { name: 'Zone', type: 'string', jsonPath: ".metadata.labels['machine\\.openshift\\.io/zone']" },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Node', type: 'string', jsonPath: '.status.nodeRef.name', priority: 1 },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID', priority: 1 },
        {
          name: 'State',
          type: 'string',
          jsonPath: ".metadata.annotations['machine\\.openshift\\.io/instance-state']",
          priority: 1,
        },
      ],
      subresources: { status: true },
      schema: object(
        { spec: optional(machineSpec), status: optional(machineStatus) },
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

/** Machine in `machine.openshift.io/v1beta1`. */
export type Machine = KindOf<typeof machine, 'v1beta1'>;
