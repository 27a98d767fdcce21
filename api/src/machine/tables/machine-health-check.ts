// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  gated,
  int32,
  int64,
  intOrString,
  integer,
  kind,
  labelSelector,
  named,
  object,
  optional,
  string,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { machineCondition, objectReference } from './shared.js';

const unhealthyConditionShape = object({
  status: optional(string({ minLength: 1 })),
  timeout: optional(string({ pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$' })),
  type: optional(string({ minLength: 1 })),
});

/** A value of the shape UnhealthyCondition. */
export interface UnhealthyCondition extends Infer<typeof unhealthyConditionShape> {}

/** The shape UnhealthyCondition. */
export const unhealthyCondition: Schema<UnhealthyCondition> = named('UnhealthyCondition', unhealthyConditionShape);

const machineHealthCheckSpecShape = object({
  authoritativeAPI: gated('MachineAPIMigration', optional(string({ enum: ['MachineAPI', 'ClusterAPI'] }))),
  maxUnhealthy: optional(intOrString({ default: '100%', pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' })),
  nodeStartupTimeout: optional(string({ default: '10m', pattern: '^0|([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$' })),
  remediationTemplate: optional(objectReference),
  selector: optional(labelSelector),
  unhealthyConditions: optional(array(unhealthyCondition, { minItems: 1 })),
});

/** A value of the shape MachineHealthCheckSpec. */
export interface MachineHealthCheckSpec extends Infer<typeof machineHealthCheckSpecShape> {}

/** The shape MachineHealthCheckSpec. */
export const machineHealthCheckSpec: Schema<MachineHealthCheckSpec> = named('MachineHealthCheckSpec', machineHealthCheckSpecShape);

const machineHealthCheckStatusShape = object(
  {
    authoritativeAPI: gated(
      'MachineAPIMigration',
      optional(string({
        enum: ['MachineAPI', 'ClusterAPI', 'Migrating'],
        rules: [
          {
            rule: "self == 'Migrating' || self == oldSelf || oldSelf == 'Migrating'",
            message: 'The authoritativeAPI field must not transition directly from MachineAPI to ClusterAPI or vice versa. It must transition through Migrating.',
          },
        ],
      })),
    ),
    conditions: optional(array(machineCondition, { listMapKeys: ['type'], listType: 'map' })),
    currentHealthy: optional(integer({ minimum: 0 })),
    expectedMachines: optional(integer({ minimum: 0 })),
    remediationsAllowed: optional(int32({ minimum: 0 })),
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

/** A value of the shape MachineHealthCheckStatus. */
export interface MachineHealthCheckStatus extends Infer<typeof machineHealthCheckStatusShape> {}

/** The shape MachineHealthCheckStatus. */
export const machineHealthCheckStatus: Schema<MachineHealthCheckStatus> = named('MachineHealthCheckStatus', machineHealthCheckStatusShape);

/** The kind MachineHealthCheck. */
export const machineHealthCheck = kind({
  group: 'machine.openshift.io',
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  shortNames: ['mhc', 'mhcs'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'MaxUnhealthy', type: 'string', jsonPath: '.spec.maxUnhealthy' },
        { name: 'ExpectedMachines', type: 'integer', jsonPath: '.status.expectedMachines' },
        { name: 'CurrentHealthy', type: 'integer', jsonPath: '.status.currentHealthy' },
      ],
      subresources: { status: true },
      schema: object(
        { spec: optional(machineHealthCheckSpec), status: optional(machineHealthCheckStatus) },
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

/** MachineHealthCheck in `machine.openshift.io/v1beta1`. */
export type MachineHealthCheck = KindOf<typeof machineHealthCheck, 'v1beta1'>;
