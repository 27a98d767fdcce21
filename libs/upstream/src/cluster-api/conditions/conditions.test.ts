import { describe, expect, it } from 'vitest';
import type { Conditioned } from '../types.js';
import { foreignConditions, mark, mirrored } from './conditions.js';
import { aggregate, summarize } from './merge.js';
import { indented, shortList } from './messages.js';
import { markOld, oldAggregate, oldFalse, oldMirror, oldSummary, oldTrue } from './old-conditions.js';

const NOW = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T01:00:00Z';

function object(name: string, conditions: object[] = [], more: object = {}): Conditioned {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, generation: 3, ...more },
    status: { conditions: conditions as never },
  };
}

const condition = (type: string, status: string, message = '', reason = 'R'): object => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: NOW,
});

describe('a condition on an object', () => {
  it('stands in its place, for the generation the object has, since its status changed', () => {
    const own = object('a', [condition('Deleting', 'False')]);
    mark(own, { type: 'Ready', status: 'True', reason: 'Ready' }, NOW);
    mark(own, { type: 'Custom', status: 'True', reason: 'X' }, NOW);
    mark(own, { type: 'Ready', status: 'True', reason: 'Other' }, LATER);
    mark(own, { type: 'Deleting', status: 'True', reason: 'D' }, LATER);
    expect(
      own.status?.conditions?.map(({ type, lastTransitionTime, observedGeneration }) => [
        type,
        lastTransitionTime,
        observedGeneration,
      ]),
    ).toEqual([
      ['Ready', NOW, 3],
      ['Custom', NOW, 3],
      ['Deleting', LATER, 3],
    ]);
  });

  it('of a provider is read in either place, and refused where it makes no sense', () => {
    const of = (status: object): ReturnType<typeof foreignConditions> =>
      foreignConditions({ apiVersion: 'x/v1', kind: 'X', metadata: {}, status });
    expect(of({ v1beta2: { conditions: [{ type: 'Ready', status: 'True' }] }, conditions: [] })).toMatchObject([
      { type: 'Ready', reason: 'NoReasonReported' },
    ]);
    expect(of({ conditions: [{ type: 'Ready', status: 'Maybe' }] })).toEqual({
      problem:
        'failed to convert status.conditions from X to []metav1.Condition: status for the Ready condition must be one of True, False, Unknown',
    });
    expect(of({})).toEqual([]);
  });

  it('mirrors the condition of a provider, or the fallback while the provider reports none', () => {
    const mirror = {
      from: 'Ready',
      to: 'InfrastructureReady',
      fallback: { status: 'False', reason: 'NotReady' },
      trueReason: 'Ready',
    } as const;
    const of = (conditions: object[]): unknown =>
      mirrored({ apiVersion: 'x/v1', kind: 'X', metadata: {}, status: { conditions } }, mirror);
    expect(of([])).toEqual({ type: 'InfrastructureReady', status: 'False', reason: 'NotReady' });
    expect(of([{ type: 'Ready', status: 'True' }])).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(of([{ type: 'Ready', status: 'False', reason: 'Boom', message: 'm' }])).toMatchObject({
      reason: 'Boom',
      message: 'm',
    });
  });
});

describe('many conditions as one', () => {
  const reasons = { issue: 'NotReady', unknown: 'ReadyUnknown', info: 'Ready' };
  const ready = (name: string, status: string, message = '', more: object = {}): Conditioned =>
    object(name, [condition('Ready', status, message)], more);

  it.each<[string, Conditioned[], string, string, string]>([
    ['all are well', [ready('a', 'True'), ready('b', 'True')], 'True', 'Ready', ''],
    ['one is not', [ready('a', 'True'), ready('b', 'False', 'broken')], 'False', 'NotReady', '* Machine b: broken'],
    [
      'two say the same',
      [ready('b', 'False', 'broken'), ready('a', 'False', 'broken')],
      'False',
      'NotReady',
      '* Machines a, b: broken',
    ],
    [
      'many say the same',
      ['a', 'b', 'c', 'd', 'e'].map((name) => ready(name, 'False', 'broken')),
      'False',
      'NotReady',
      '* Machines a, b, c, ... (2 more): broken',
    ],
    ['one has not reported', [object('a')], 'Unknown', 'ReadyUnknown', '* Machine a: Condition Ready not yet reported'],
    [
      'there is too much to say',
      ['a', 'b', 'c', 'd', 'e'].map((name) => ready(name, 'False', `broken ${name}`)),
      'False',
      'NotReady',
      '* Machine a: broken a\n* Machine b: broken b\n* Machine c: broken c\nAnd 2 Machines with other issues',
    ],
    [
      'control planes come first',
      [ready('a', 'False', 'x'), ready('z', 'False', 'y', { labels: { 'cluster.x-k8s.io/control-plane': '' } })],
      'False',
      'NotReady',
      '* Machine z: y\n* Machine a: x',
    ],
    [
      'a list within a list',
      [ready('a', 'False', '* NodeHealthy: x\n* Other: y')],
      'False',
      'NotReady',
      '* Machine a:\n  * NodeHealthy: x\n  * Other: y',
    ],
  ])('%s', (...[, objects, status, reason, message]) => {
    expect(aggregate(objects, { from: 'Ready', to: 'MachinesReady', reasons })).toEqual({
      type: 'MachinesReady',
      status,
      reason,
      message,
    });
  });

  it('True is bad news of those with negative polarity', () => {
    const moving = [
      object('a', [condition('ScalingUp', 'True', 'from 1 to 2')]),
      object('b', [condition('ScalingUp', 'False')]),
    ];
    const found = aggregate(moving, {
      from: 'ScalingUp',
      to: 'ScalingUp',
      reasons: { issue: 'ScalingUp', unknown: 'U', info: 'NotScalingUp' },
      isNegative: true,
    });
    expect(found).toEqual({
      type: 'ScalingUp',
      status: 'True',
      reason: 'ScalingUp',
      message: '* Machine a: from 1 to 2',
    });
  });

  it('those of one object are listed in their order, without the healthy ones', () => {
    const own = object('a', [
      condition('Deleting', 'True', 'going'),
      condition('NodeHealthy', 'False', 'ill'),
      condition('Ready', 'True', 'fine'),
    ]);
    const found = summarize(own, {
      to: 'Available',
      of: ['NodeHealthy', 'Deleting', 'Ready', 'Missing', 'Ignored'],
      reasons,
      negative: ['Deleting'],
      ignoredWhenMissing: ['Ignored'],
    });
    expect(found).toEqual({
      type: 'Available',
      status: 'False',
      reason: 'NotReady',
      message: '* NodeHealthy: ill\n* Deleting: going\n* Missing: Condition not yet reported',
    });
  });

  it('lines are indented under their subject', () => {
    expect(indented('one line')).toBe(' one line');
    expect(indented('plain\n* bullet')).toBe('\n  * plain\n    * bullet');
    expect(shortList(['a', 'b', 'c'], 2)).toBe('a, b, ... (1 more)');
  });
});

describe('conditions of the old style', () => {
  const own = (...conditions: object[]): Conditioned => ({
    ...object('a'),
    status: { deprecated: { v1beta1: { conditions: conditions as never } } },
  });

  it('have Ready first, and a time that moves with any change', () => {
    const one = own();
    markOld(one, oldFalse('Zed', 'R', 'Info'), NOW);
    markOld(one, oldTrue('Ready'), NOW);
    markOld(one, oldFalse('Zed', 'R', 'Info', 'more'), LATER);
    expect(one.status?.deprecated?.v1beta1?.conditions).toEqual([
      { type: 'Ready', status: 'True', lastTransitionTime: NOW },
      { type: 'Zed', status: 'False', severity: 'Info', reason: 'R', message: 'more', lastTransitionTime: LATER },
    ]);
  });

  it.each<[string, Conditioned, object | undefined]>([
    ['nothing is known', own(), undefined],
    ['all is well', own(oldTrue('A'), oldTrue('B')), { type: 'Ready', status: 'True' }],
    [
      'the worst counts',
      own(oldFalse('A', 'RA', 'Info'), oldFalse('B', 'RB', 'Error', 'boom')),
      { type: 'Ready', status: 'False', severity: 'Error', reason: 'RB', message: 'boom' },
    ],
    [
      'of equals the first asked for',
      own(oldFalse('A', 'RA', 'Info'), oldFalse('B', 'RB', 'Info')),
      { type: 'Ready', status: 'False', severity: 'Info', reason: 'RB' },
    ],
  ])('as one: %s', (_, one, wanted) => {
    expect(oldSummary(one, ['B', 'A'])).toEqual(wanted);
  });

  it('count steps while something is being made', () => {
    const one = own(oldTrue('A'), oldFalse('B', 'RB', 'Info'));
    expect(oldSummary(one, ['A', 'B'], { only: ['A', 'B'] })?.message).toBe('1 of 2 completed');
  });

  it('of many objects name the one they are from', () => {
    const machines = [own(oldFalse('Ready', 'Boom', 'Warning')), own(oldTrue('Ready'))];
    expect(oldAggregate(machines, 'MachinesReady')).toEqual({
      type: 'MachinesReady',
      status: 'False',
      severity: 'Warning',
      reason: 'Boom @ Machine/a',
      message: '1 of 2 completed',
    });
  });

  it('mirror the Ready of a provider', () => {
    const provider = {
      apiVersion: 'x/v1',
      kind: 'X',
      metadata: {},
      status: { conditions: [{ type: 'Ready', status: 'False', reason: 'R' }] },
    };
    expect(oldMirror(provider, 'InfrastructureReady', oldTrue('x'))).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      reason: 'R',
    });
    expect(oldMirror({ ...provider, status: {} }, 'InfrastructureReady', oldTrue('x'))).toEqual({
      type: 'InfrastructureReady',
      status: 'True',
    });
  });
});
