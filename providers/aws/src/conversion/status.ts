/** What the controllers tell of an instance. */
import { getAt, isRecord, same, setAt } from '@capstan/convert';
import type { Claim, Scope } from '@capstan/convert';
import { optionalText, providerIdOf } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { instanceIdOf } from './provider-id.js';

const claim = (path: string): readonly Claim[] => [{ path, fate: 'derived' }];
const isRunning = (status: JsonObject): boolean => status['instanceState'] === 'running';

function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  const { conditions } = status;
  return Array.isArray(conditions) ? conditions.filter(isRecord).find((each) => each['type'] === type) : undefined;
}

const CREATION = 'MachineCreation';

/** A running instance is ready; of any other nobody can tell. The moment is the only one that Machine API knows. */
function toClusterApi(scope: Scope<MachineContext>): void {
  const { source, target } = scope;
  const creation = conditionOf(source, CREATION);
  if (creation?.['lastTransitionTime'] === undefined) return;
  const { lastTransitionTime } = creation;
  const state = isRunning(source)
    ? { status: 'True' }
    : { status: 'Unknown', severity: 'Error', ...said(creation['message']) };
  target['conditions'] = ['Ready', 'InstanceReady'].map((type) => ({ type, ...state, lastTransitionTime }));
}

const said = (message: unknown): JsonObject | undefined =>
  typeof message === 'string' && message !== '' ? { message } : undefined;

function toMachineApi({ source, target }: Scope<MachineContext>): void {
  const ready = conditionOf(source, 'Ready');
  if (ready?.['lastTransitionTime'] === undefined) return;
  const { lastTransitionTime, message } = ready;
  const isTrue = ready['status'] === 'True';
  target['conditions'] = [
    {
      type: CREATION,
      status: isTrue ? 'True' : 'False',
      reason: isTrue ? 'MachineCreationSucceeded' : 'MachineCreationFailed',
      message: typeof message === 'string' ? message : '',
      lastTransitionTime,
    },
  ];
}

const conditions: MachineRule = {
  claims: { left: claim('conditions'), right: claim('conditions') },
  convert: (scope) => {
    if (scope.run.from === scope.run.to) return;
    if (scope.run.to === 'right') toClusterApi(scope);
    else toMachineApi(scope);
  },
};

const instanceId: MachineRule = {
  claims: { left: claim('instanceId'), right: [] },
  convert: (scope) => {
    const id = scope.run.to === 'left' ? providerIdOf(scope.run.root) : undefined;
    const read = id === undefined ? undefined : instanceIdOf(id);
    if (read !== undefined && 'value' in read) setAt(scope.target, ['instanceId'], read.value);
  },
};

const SPOT = ['spec', 'providerSpec', 'value', 'spotMarketOptions'];

/** Fields that Cluster API tells besides, as far as they follow from what Machine API tells. */
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
  conditions,
  ...derivations,
];
