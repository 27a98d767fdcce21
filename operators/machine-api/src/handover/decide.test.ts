import { describe, expect, it } from 'vitest';
import { decideHandover } from './decide.js';
import type { HandoverDecision, HandoverState } from './decide.js';

const none = { all: false, any: false };
const all = { all: true, any: true };
/** A machine of Machine API, mirrored and at rest. */
const AT_REST: HandoverState = {
  wanted: 'MachineAPI',
  current: 'MachineAPI',
  from: 'MachineAPI',
  isDeleting: false,
  isWhole: true,
  isSynchronized: true,
  isMachineApiPaused: false,
  clusterApi: { isHeld: true, hasOwnPause: true, isPaused: true, isReportStale: false, isWatched: true },
  instance: 'settled',
  host: 'none',
  finalizers: { MachineAPI: all, ClusterAPI: none },
};
const free = { isHeld: false, hasOwnPause: false, isPaused: false, isReportStale: false, isWatched: true };
const held = AT_REST.clusterApi;
const asked: HandoverState = { ...AT_REST, wanted: 'ClusterAPI' };
const toClusterApi: HandoverState = { ...asked, current: 'Migrating', isMachineApiPaused: true };
const inClusterApi: HandoverState = {
  ...AT_REST,
  wanted: 'ClusterAPI',
  current: 'ClusterAPI',
  from: 'ClusterAPI',
  isMachineApiPaused: true,
  clusterApi: free,
  finalizers: { MachineAPI: none, ClusterAPI: all },
};
const askedBack: HandoverState = { ...inClusterApi, wanted: 'MachineAPI' };
const toMachineApi: HandoverState = { ...askedBack, current: 'Migrating', clusterApi: held };
const moved = { MachineAPI: all, ClusterAPI: none };

const waits = (reason: string): object => ({ do: 'wait', reason, message: expect.any(String) as string });

describe('The next thing to do about authority', () => {
  it.each<[string, HandoverState, object]>([
    ['nothing, in Machine API', AT_REST, { do: 'rest' }],
    ['to hold what another client let go', { ...AT_REST, clusterApi: free }, { do: 'hold' }],
    ['nothing, in Cluster API', inClusterApi, { do: 'rest' }],
    ['to let Cluster API act', { ...inClusterApi, clusterApi: held }, { do: 'let-go' }],
    [
      'nothing for a machine that is half created',
      { ...inClusterApi, clusterApi: held, isWhole: false },
      { do: 'rest' },
    ],
    [
      'to wait for Machine API before Cluster API may act',
      { ...inClusterApi, clusterApi: held, isMachineApiPaused: false },
      waits('WaitingForMachineAPI'),
    ],
    ['to begin', asked, { do: 'begin' }],
    [
      'to wait for a controller that would act in Cluster API',
      { ...asked, clusterApi: { ...held, isWatched: false } },
      waits('WaitingForClusterAPI'),
    ],
    ['to wait for the copies', { ...asked, isSynchronized: false }, waits('WaitingForSynchronization')],
    ['to wait for the counterpart', { ...asked, isWhole: false }, waits('WaitingForSynchronization')],
    ['to wait for the instance', { ...asked, instance: 'pending' }, waits('WaitingForInstance')],
    ['to stay with a machine that failed', { ...asked, instance: 'failed' }, waits('MachineFailed')],
    ['to stay while it is being deleted', { ...asked, isDeleting: true }, waits('BeingDeleted')],
    ['to hold Cluster API first', { ...asked, clusterApi: free }, { do: 'hold' }],
    [
      'to wait for a report that can be believed',
      { ...asked, isMachineApiPaused: true },
      waits('WaitingForMachineAPIToResume'),
    ],
    ['to begin the way back', askedBack, { do: 'begin' }],
    ['to wait for Machine API', { ...toClusterApi, isMachineApiPaused: false }, waits('WaitingForMachineAPI')],
    ['to wait for the last changes', { ...toClusterApi, isSynchronized: false }, waits('WaitingForSynchronization')],
    ['to add finalizers', toClusterApi, { do: 'add-finalizers', to: 'ClusterAPI' }],
    [
      'to remove finalizers',
      { ...toClusterApi, finalizers: { MachineAPI: all, ClusterAPI: all } },
      { do: 'remove-finalizers', from: 'MachineAPI' },
    ],
    [
      'to give the host to the new side, when no finalizer holds the old one',
      { ...toClusterApi, host: 'MachineAPI', finalizers: { MachineAPI: none, ClusterAPI: all } },
      { do: 'give-host', to: 'ClusterAPI' },
    ],
    ['to stay with a host of another machine', { ...asked, host: 'other' }, waits('HostInUse')],
    [
      'to commit when the host names the new side',
      { ...toClusterApi, host: 'ClusterAPI', finalizers: { MachineAPI: none, ClusterAPI: all } },
      { do: 'commit', to: 'ClusterAPI' },
    ],
    [
      'to give the host back of a cancelled handover',
      { ...toClusterApi, wanted: 'MachineAPI', host: 'ClusterAPI', finalizers: { MachineAPI: all, ClusterAPI: none } },
      { do: 'give-host', to: 'MachineAPI' },
    ],
    [
      'to commit',
      { ...toClusterApi, finalizers: { MachineAPI: none, ClusterAPI: all } },
      { do: 'commit', to: 'ClusterAPI' },
    ],
    [
      'to give back what may have an instance nobody knows',
      { ...toClusterApi, instance: 'pending' },
      { do: 'commit', to: 'MachineAPI' },
    ],
    ['to give back what is being deleted', { ...toClusterApi, isDeleting: true }, { do: 'commit', to: 'MachineAPI' }],
    [
      'to finish what is being deleted',
      { ...toClusterApi, isDeleting: true, finalizers: { MachineAPI: none, ClusterAPI: all } },
      { do: 'commit', to: 'ClusterAPI' },
    ],
    ['to cancel', { ...toClusterApi, wanted: 'MachineAPI' }, { do: 'commit', to: 'MachineAPI' }],
    [
      'to cancel after finalizers were moved',
      { ...toClusterApi, wanted: 'MachineAPI', finalizers: { MachineAPI: none, ClusterAPI: all } },
      { do: 'add-finalizers', to: 'MachineAPI' },
    ],
    ['to hold Cluster API', { ...toMachineApi, clusterApi: free }, { do: 'hold' }],
    [
      'to wait until Cluster API has seen that it was let go',
      { ...toMachineApi, clusterApi: { ...free, isReportStale: true } },
      waits('WaitingForClusterAPIToResume'),
    ],
    [
      'to wait for Cluster API and its provider',
      { ...toMachineApi, clusterApi: { ...held, isPaused: false } },
      waits('WaitingForClusterAPI'),
    ],
    ['to add the finalizer back', toMachineApi, { do: 'add-finalizers', to: 'MachineAPI' }],
    ['to commit the way back', { ...toMachineApi, finalizers: moved }, { do: 'commit', to: 'MachineAPI' }],
    ['to cancel the way back', { ...toMachineApi, wanted: 'ClusterAPI' }, { do: 'commit', to: 'ClusterAPI' }],
  ])('is %s', (_, state, expected) => {
    expect(decideHandover(state)).toEqual(expected);
  });
});

/** Every combination of the values given for each field. */
function combinations(fields: Readonly<Record<string, readonly unknown[]>>): Readonly<Record<string, unknown>>[] {
  return Object.entries(fields).reduce<Record<string, unknown>[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

const both = [false, true];
const sides = [none, all, { all: false, any: true }];

function everyState(): HandoverState[] {
  const places = ['MachineAPI', 'ClusterAPI'].flatMap((from) => [
    { current: from, from },
    { current: 'Migrating', from },
  ]);
  const pauses = combinations({ isHeld: both, isPaused: both }).map(({ isHeld, isPaused }) => ({
    isHeld,
    hasOwnPause: isHeld,
    isPaused,
    isReportStale: isHeld === false && isPaused === true,
    isWatched: true,
  }));
  const every = combinations({
    wanted: ['MachineAPI', 'ClusterAPI'],
    place: places,
    isDeleting: both,
    isSynchronized: both,
    isMachineApiPaused: both,
    instance: ['settled', 'pending', 'failed'],
    clusterApi: pauses,
    finalizers: combinations({ MachineAPI: sides, ClusterAPI: sides }),
  });
  return every.map(({ place, ...rest }) => ({ isWhole: true, ...rest, ...(place as object) }) as HandoverState);
}

/** What must not be in any state; nothing when the decision is sound. */
function fault(state: HandoverState, decision: HandoverDecision): string | undefined {
  const { clusterApi, current, from, isDeleting, isMachineApiPaused, isSynchronized } = state;
  const isAcknowledged = from === 'MachineAPI' ? isMachineApiPaused : clusterApi.isHeld && clusterApi.isPaused;
  switch (decision.do) {
    case 'let-go':
      return current === 'ClusterAPI' && isMachineApiPaused ? undefined : 'Cluster API acts next to Machine API';
    case 'begin':
      return current !== 'Migrating' && isSynchronized && !isDeleting ? undefined : 'begins too early';
    case 'commit':
      if (current !== 'Migrating') return 'commits what was not begun';
      if (decision.to !== from && !isDeleting && !(isAcknowledged && isSynchronized)) return 'nobody has acknowledged';
      return undefined;
    case 'remove-finalizers':
      return state.finalizers[decision.from === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI'].all
        ? undefined
        : 'no finalizer is left';
    case 'wait':
      return current === 'Migrating' && from === state.wanted ? 'cannot be cancelled' : undefined;
    default:
      return undefined;
  }
}

it('never lets both act, loses the last finalizer, or refuses to be cancelled, in any state', () => {
  let count = 0;
  const faults: string[] = [];
  for (const state of everyState()) {
    count += 1;
    const found = fault(state, decideHandover(state));
    if (found !== undefined) faults.push(`${found}: ${JSON.stringify(state)}`);
  }
  expect([count, faults]).toEqual([6912, []]);
});
