/** The status that controllers report for an instance. */
import { same } from '@capstan/convert';
import type { Claim } from '@capstan/convert';
import { optionalText } from '@capstan/convert/machine-api';
import type { MachineRule } from '@capstan/convert/machine-api';

const claims = (...paths: string[]): readonly Claim[] => paths.map((path) => ({ path, fate: 'derived' }));

/** The provider status of a machine, and the status of its GCPMachine, which has no conditions. */
export const status: readonly MachineRule[] = [
  same('instanceState', optionalText),
  {
    claims: {
      // The id of the instance is in the cloud alone: GCPMachines know it by its name.
      left: claims('metadata', 'instanceId', 'conditions'),
      right: claims('addresses', 'failureMessage', 'failureReason', 'ready'),
    },
    convert: ({ run, source, target }) => {
      if (run.from === 'left' && run.to === 'right') target['ready'] = source['instanceState'] === 'RUNNING';
    },
  },
];
