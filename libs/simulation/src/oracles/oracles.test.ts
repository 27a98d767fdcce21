import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { isWork } from '../run/run.js';
import type { Oracle, RunRecord } from '../scenario.js';
import { SimulationState } from '../scenario.js';
import { oneActor } from '../scenarios/leaders.js';
import type { CommitEvent, FrameEvent, SendEvent, SimulationEvent } from '../engine/event-log.js';
import { collectedOracles } from './general.js';
import { foldIsState, noLostUpdate, revisionOrder } from './history.js';
import { eventuallyQuiet, idempotent, noHotLoop, stepsSucceed } from './liveness.js';
import { finalizersHonoured, livingOwners, singleController } from './ownership.js';
import { watchesArePrefixes } from './watches.js';

const PATH = '/api/v1/namespaces/n/configmaps';

function object(name: string, revision: number, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  const own = { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: String(revision) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...own, ...metadata } };
}

function commit(change: CommitEvent['change'], written: KubeObject, more: Partial<CommitEvent> = {}): CommitEvent {
  const { name = '', resourceVersion } = written.metadata;
  return {
    type: 'commit',
    at: 0,
    process: 'p',
    effect: 1,
    change,
    method: 'PUT',
    resource: 'configmaps',
    namespace: 'n',
    name,
    revision: Number(resourceVersion),
    object: written,
    previous: undefined,
    isBlindReplace: false,
    userAgent: '',
    seen: undefined,
    ...more,
  };
}

const send = (target: string, more: Partial<SendEvent> = {}): SendEvent => ({
  type: 'send',
  at: 0,
  process: 'p',
  effect: 1,
  method: 'GET',
  target,
  ...more,
});

const frame = (type: string, revision: number, isInitialEnd = false): FrameEvent => ({
  type: 'frame',
  at: 0,
  process: 'p',
  effect: 1,
  frame: type,
  revision: String(revision),
  isInitialEnd,
});

const state = (...objects: KubeObject[]): SimulationState => new SimulationState(new Map([['configmaps', objects]]));

function record(more: Partial<RunRecord> & { readonly events?: readonly SimulationEvent[] }): RunRecord {
  return {
    events: [],
    initial: state(),
    final: state(),
    calmFrom: 0,
    endedAt: 600_000,
    isWork,
    quietMs: 300_000,
    rehearsedFrom: undefined,
    unmet: [],
    failedSteps: [],
    ...more,
  };
}

const owner = (name: string, controller = true) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `uid-${name}`,
  controller,
});
const watched = (from: number, more = ''): SendEvent => send(`${PATH}?watch=true&resourceVersion=${from}${more}`);
const three = [1, 2, 3].map((revision) => commit('update', object('a', revision)));
const hot = (count: number): SimulationEvent[] => Array.from({ length: count }, (_, at) => send('/x', { at: at * 10 }));
const lease = (holderIdentity: string): CommitEvent => {
  const written = { ...object('leader', 1), spec: { holderIdentity } };
  return commit('update', written, { resource: 'coordination.k8s.io/leases' });
};
const work = (process: string): SendEvent =>
  send('/api/v1/namespaces/default/configmaps/work', { process, method: 'PATCH' });

/** What an oracle must let pass, and what it must find, in which words. */
const cases: readonly [Oracle, string, Partial<RunRecord>, Partial<RunRecord>, string][] = [
  [
    revisionOrder,
    'a revision left out',
    { events: three },
    { events: [three[0], three[2]] as CommitEvent[] },
    'revision 3 follows 1',
  ],
  [
    revisionOrder,
    'a watch that goes back',
    { events: [frame('MODIFIED', 2), frame('MODIFIED', 3), frame('BOOKMARK', 3)] },
    { events: [frame('MODIFIED', 3), frame('MODIFIED', 2)] },
    'p #1 is shown 2 after 3',
  ],
  [
    foldIsState,
    'a write that is not in the state',
    { events: three, final: state(object('a', 3)) },
    { events: three, final: state(object('a', 2)) },
    'configmaps n/a is uid-a@2, its history has uid-a@3',
  ],
  [
    foldIsState,
    'an object that nobody deleted',
    { events: [...three, commit('delete', object('a', 4))] },
    { events: three },
    'configmaps n/a is gone, its history has uid-a@3',
  ],
  [
    watchesArePrefixes,
    'an event left out of a watch',
    { events: [watched(1), ...three, frame('MODIFIED', 2), frame('BOOKMARK', 2), frame('MODIFIED', 3)] },
    { events: [watched(1), ...three, frame('MODIFIED', 3)] },
    'p #1 is shown MODIFIED 3 where MODIFIED 2 comes next',
  ],
  [
    watchesArePrefixes,
    'an event of another kind',
    { events: [watched(1), ...three, frame('MODIFIED', 2)] },
    { events: [watched(1), ...three, frame('DELETED', 2)] },
    'p #1 is shown DELETED 2 where MODIFIED 2 comes next',
  ],
  [
    watchesArePrefixes,
    'an event that was never written',
    { events: [watched(3), ...three] },
    { events: [watched(3), ...three, frame('MODIFIED', 4)] },
    'p #1 is shown MODIFIED 4, which was never written',
  ],
  [
    watchesArePrefixes,
    'an event missed after the state a watch began with',
    {
      events: [
        watched(0, '&sendInitialEvents=true'),
        ...three,
        frame('ADDED', 1),
        frame('BOOKMARK', 1, true),
        frame('MODIFIED', 2),
      ],
    },
    {
      events: [
        watched(0, '&sendInitialEvents=true'),
        ...three,
        frame('ADDED', 1),
        frame('BOOKMARK', 1, true),
        frame('MODIFIED', 3),
      ],
    },
    'p #1 is shown MODIFIED 3 where MODIFIED 2 comes next',
  ],
  [
    noLostUpdate,
    'a change that is undone',
    {
      events: [
        commit('create', { ...object('a', 1), data: { x: '1' } }),
        commit('update', { ...object('a', 2), data: { x: '2' } }),
        commit(
          'update',
          { ...object('a', 3), data: { x: '1' } },
          { seen: '2', isBlindReplace: true, previous: object('a', 2) },
        ),
      ],
    },
    {
      events: [
        commit('create', { ...object('a', 1), data: { x: '1' } }),
        commit('update', { ...object('a', 2), data: { x: '2' } }),
        commit(
          'update',
          { ...object('a', 3), data: { x: '1' } },
          { seen: '1', isBlindReplace: true, previous: { ...object('a', 2), data: { x: '2' } } },
        ),
      ],
    },
    'p wrote configmaps n/a from version 1 over 2 and undid .data.x',
  ],
  [
    singleController,
    'two controllers',
    { events: [commit('create', object('a', 1, { ownerReferences: [owner('x'), owner('y', false)] }))] },
    { events: [commit('create', object('a', 1, { ownerReferences: [owner('x'), owner('y')] }))] },
    'configmaps n/a has two controllers',
  ],
  [
    singleController,
    'an object taken from an owner that lives',
    {
      events: [
        commit('update', object('a', 2, { ownerReferences: [owner('y')] }), {
          previous: object('a', 1, { ownerReferences: [owner('x')] }),
        }),
      ],
    },
    {
      initial: state(object('x', 1)),
      events: [
        commit('update', object('a', 2, { ownerReferences: [owner('y')] }), {
          previous: object('a', 1, { ownerReferences: [owner('x')] }),
        }),
      ],
    },
    'configmaps n/a was taken by p from x, for y',
  ],
  [
    finalizersHonoured,
    'a deletion past a finalizer',
    { events: [commit('delete', object('a', 1, { finalizers: ['f'] }), { method: 'PATCH' })] },
    { events: [commit('delete', object('a', 1, { finalizers: ['f'] }), { method: 'DELETE' })] },
    'configmaps n/a is gone, though held by f',
  ],
  [
    finalizersHonoured,
    'a finalizer given to what is going',
    { events: [commit('update', object('a', 2, { finalizers: ['f'] }), { previous: object('a', 1) })] },
    {
      events: [
        commit('update', object('a', 2, { finalizers: ['f'] }), {
          previous: object('a', 1, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
        }),
      ],
    },
    'configmaps n/a is going and was given f',
  ],
  [stepsSucceed, 'a step that failed', {}, { failedSteps: ['create a: no'] }, 'create a: no'],
  [eventuallyQuiet, 'a goal that is not met', {}, { unmet: ['it is not so'] }, 'it is not so'],
  [
    eventuallyQuiet,
    'a writer that never rests',
    { events: [commit('update', object('a', 1), { at: 200_000 })] },
    { events: [commit('update', object('a', 1), { at: 400_000 })] },
    'p still writes 10 minutes after the last fault',
  ],
  [
    idempotent,
    'a write where nothing was to be done',
    {
      rehearsedFrom: 100,
      events: [
        send('/x', { at: 99, method: 'PUT' }),
        send('/x', { at: 101 }),
        send('/apis/coordination.k8s.io/v1/namespaces/n/leases/l', { at: 101, method: 'PUT' }),
      ],
    },
    { rehearsedFrom: 100, events: [send('/x', { at: 100, method: 'PUT' })] },
    'p restarted when nothing was to be done, and sent PUT /x',
  ],
  [noHotLoop, 'a hot loop', { events: hot(99) }, { events: hot(100) }, 'p GET /x 100 times in less than 10 s'],
  [
    livingOwners,
    'an object whose owners are gone',
    { final: state(object('x', 1), object('a', 2, { ownerReferences: [owner('x')] })) },
    { final: state(object('a', 2, { ownerReferences: [owner('x')] })) },
    'configmaps a is still there, its owners are not: ConfigMap x',
  ],
  [
    oneActor,
    'an act of who does not lead',
    { events: [lease('a_1'), work('a'), lease('b_1'), work('b'), work('user')] },
    { events: [lease('a_1'), lease('b_1'), work('a')] },
    'a acts while b leads',
  ],
  [oneActor, 'an act while nobody leads', { events: [] }, { events: [work('a')] }, 'a acts while nobody leads'],
];

describe('an oracle', () => {
  it.each(cases.map(([oracle, what, good, bad, message]) => ({ oracle, what, good, bad, message })))(
    '$oracle.name finds $what and nothing else',
    ({ oracle, good, bad, message }) => {
      expect(oracle.check(record(good))).toEqual([]);
      expect(oracle.check(record(bad))).toMatchObject([{ oracle: oracle.name, message }]);
    },
  );

  it('that is general is tried here, each one', () => {
    const tried = new Set(cases.map(([oracle]) => oracle.name));
    expect(collectedOracles.filter(({ name }) => !tried.has(name))).toEqual([]);
  });
});
