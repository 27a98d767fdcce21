import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { isWork } from '../run/run.js';
import { SimulationState } from '../scenario.js';
import type { CommitEvent, SendEvent, SimulationEvent } from '../engine/event-log.js';
import { changesNothingAgain } from './cluster-api-again.js';

const REHEARSED_FROM = 1000;
const STATUS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machinesets/s/status';

/** A set that reports the number of its ready machines in the fields of both versions. */
function set(ready: number, oldReady: number, revision: number): KubeObject {
  const v1beta1 = { readyReplicas: oldReady, conditions: [{ type: 'Resized', lastTransitionTime: `${revision}` }] };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 's', namespace: 'n', uid: 'uid-s', resourceVersion: String(revision) },
    status: { readyReplicas: ready, deprecated: { v1beta1 } },
  };
}

function patch(effect: number, previous: KubeObject, object: KubeObject, target = STATUS): SimulationEvent[] {
  const at = REHEARSED_FROM + effect;
  const send: SendEvent = { type: 'send', at, process: 'manager', effect, method: 'PATCH', target };
  const commit: CommitEvent = {
    type: 'commit',
    at,
    process: 'manager',
    effect,
    change: 'update',
    method: 'PATCH',
    resource: 'cluster.x-k8s.io/machinesets',
    namespace: 'n',
    name: 's',
    revision: Number(object.metadata.resourceVersion),
    object,
    previous,
    isBlindReplace: false,
    userAgent: '',
    seen: undefined,
  };
  return [send, commit];
}

const refused: SendEvent = { type: 'send', at: 2000, process: 'manager', effect: 9, method: 'PATCH', target: STATUS };

it.each<[string, readonly SimulationEvent[], number]>([
  ['nothing', [], 0],
  [
    'old counts that fall and rise again',
    [...patch(1, set(2, 2, 1), set(2, 0, 2)), ...patch(2, set(2, 0, 2), set(2, 2, 3))],
    0,
  ],
  [
    'old counts that fall and rise again, and once too often',
    [...patch(1, set(2, 2, 1), set(2, 0, 2)), ...patch(2, set(2, 0, 2), set(2, 2, 3)), refused],
    0,
  ],
  [
    'old counts that fall and rise again, and something else',
    [
      ...patch(1, set(2, 2, 1), set(2, 0, 2)),
      ...patch(2, set(2, 0, 2), set(2, 2, 3)),
      ...patch(3, set(2, 2, 3), set(1, 2, 4)),
    ],
    2,
  ],
  ['old counts that stay fallen', patch(1, set(2, 2, 1), set(2, 0, 2)), 2],
  [
    'counts that fall and rise again',
    [...patch(1, set(2, 2, 1), set(0, 2, 2)), ...patch(2, set(0, 2, 2), set(2, 2, 3))],
    4,
  ],
  ['a status that nobody took', [refused], 1],
  ['something applied that was there', [{ ...refused, target: '/machines/m?fieldManager=capi-machineset' }], 0],
  ['something applied that was not', patch(1, set(2, 2, 1), set(1, 2, 2), '/machines/m?fieldManager=capi-x'), 1],
])('a restarted process that writes %s is reported when it should be', (_what, events, faults) => {
  const violations = changesNothingAgain.check({
    events,
    initial: new SimulationState(new Map()),
    final: new SimulationState(new Map()),
    calmFrom: 0,
    endedAt: 10_000,
    isWork,
    quietMs: 1,
    rehearsedFrom: REHEARSED_FROM,
    unmet: [],
    failedSteps: [],
  });
  expect(violations).toHaveLength(faults);
});
