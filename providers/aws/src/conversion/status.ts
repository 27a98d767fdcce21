/** The status that controllers report for an instance. */
import { getAt, same, setAt } from '@capstan/convert';
import type { Claim } from '@capstan/convert';
import { creationCondition, optionalText, providerIdOf } from '@capstan/convert/machine-api';
import type { MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { instanceIdOf } from './provider-id.js';

const claim = (path: string): readonly Claim[] => [{ path, fate: 'derived' }];
const isRunning = (status: JsonObject): boolean => status['instanceState'] === 'running';

const instanceId: MachineRule = {
  claims: { left: claim('instanceId'), right: [] },
  convert: (scope) => {
    const id = scope.run.to === 'left' ? providerIdOf(scope.run.root) : undefined;
    const read = id === undefined ? undefined : instanceIdOf(id);
    if (read !== undefined && 'value' in read) setAt(scope.target, ['instanceId'], read.value);
  },
};

const SPOT = ['spec', 'providerSpec', 'value', 'spotMarketOptions'];

/** Fields that Cluster API reports too, as far as they follow from those of Machine API. */
const derivations: readonly MachineRule[] = [
  {
    claims: { left: [], right: [...claim('ready'), ...claim('interruptible')] },
    convert: (scope) => {
      if (scope.run.to !== 'right') return;
      scope.target['ready'] = isRunning(scope.source);
      if (getAt(scope.run.root, SPOT) !== undefined) scope.target['interruptible'] = true;
    },
  },
  // Addresses and failures of a machine are written by core, from the machine itself.
  {
    claims: {
      left: [],
      right: ['addresses', 'failureReason', 'failureMessage'].flatMap((path) => claim(path)),
    },
    convert: () => undefined,
  },
];

/** The provider status of a machine, and the status of its infrastructure machine. */
export const status: readonly MachineRule[] = [
  same('instanceState', optionalText),
  same('dedicatedHost.id', optionalText),
  instanceId,
  creationCondition(['Ready', 'InstanceReady'], isRunning),
  ...derivations,
];
