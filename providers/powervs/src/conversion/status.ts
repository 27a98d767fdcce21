/** The status that controllers report for an instance. */
import { move, same, setAt } from '@capstan/convert';
import type { Claim } from '@capstan/convert';
import { creationCondition, optionalText, providerIdOf } from '@capstan/convert/machine-api';
import type { MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { PROVIDER_ID } from './provider-id.js';

const claim = (path: string): Claim => ({ path, fate: 'derived' });
const isActive = (status: JsonObject): boolean => status['instanceState'] === 'ACTIVE';

/** The provider status of a machine, and the status of its infrastructure machine. */
export const status: readonly MachineRule[] = [
  move('instanceId', 'instanceID', optionalText),
  same('instanceState', optionalText),
  creationCondition(['Ready', 'InstanceReady'], isActive),
  {
    claims: { left: [claim('serviceInstanceID')], right: [] },
    convert: ({ run, target }) => {
      const found = run.to === 'left' ? PROVIDER_ID.exec(providerIdOf(run.root) ?? '') : null;
      if (found?.[1] !== undefined) setAt(target, ['serviceInstanceID'], found[1]);
    },
  },
  {
    // Region, zone, health and faults are found out again by the controller of the instance.
    claims: {
      left: [],
      right: [
        'ready',
        'region',
        'zone',
        'health',
        'fault',
        'addresses',
        'failureReason',
        'failureMessage',
        'v1beta2',
      ].map(claim),
    },
    convert: ({ run, source, target }) => {
      if (run.to === 'right') target['ready'] = isActive(source);
    },
  },
];
