import { describe, expect, it } from 'vitest';
import type { Cluster, Conditioned } from '../types.js';
import { applicable } from './applier.js';
import { conditionPatch } from './condition-patch.js';
import { isAtLeast } from './expectations.js';
import { pausedCondition, pausedStep } from './paused.js';

const condition = (type: string, status: string, reason = 'R'): never =>
  ({ type, status, reason, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }) as never;
const both = (...conditions: never[]): { conditions: never[]; old: never[] } => ({ conditions, old: [] });

describe('changes of conditions onto a later state', () => {
  const owned = { owned: ['Mine'], ownedOld: [] };

  it('are none when nothing changed', () => {
    expect(conditionPatch(both(condition('Mine', 'True')), both(condition('Mine', 'True')), owned)).toBeUndefined();
  });

  it.each<[string, never[], never[], never[], never[]]>([
    [
      'one of ours wins over what others wrote',
      [],
      [condition('Mine', 'True')],
      [condition('Mine', 'False')],
      [condition('Mine', 'True')],
    ],
    [
      'what others added stays',
      [],
      [condition('Mine', 'True')],
      [condition('Theirs', 'True')],
      [condition('Mine', 'True'), condition('Theirs', 'True')],
    ],
    [
      'one nobody touched since is changed',
      [condition('Shared', 'True')],
      [condition('Shared', 'False')],
      [condition('Shared', 'True')],
      [condition('Shared', 'False')],
    ],
    [
      'an equal condition is left alone',
      [condition('Shared', 'True')],
      [condition('Shared', 'False')],
      [condition('Shared', 'False')],
      [condition('Shared', 'False')],
    ],
    ['one that is gone already stays gone', [condition('Shared', 'True')], [], [], []],
    ['one of ours is taken off', [condition('Mine', 'True')], [], [condition('Mine', 'False')], []],
  ])('%s', (...[, before, after, latest, wanted]) => {
    expect(conditionPatch(both(...before), both(...after), owned)?.(both(...latest)).conditions).toEqual(wanted);
  });

  it.each<[string, never[], never[]]>([
    ['changed', [condition('Shared', 'Unknown')], [condition('Shared', 'False')]],
    ['removed', [], [condition('Shared', 'False')]],
    ['kept', [condition('Shared', 'Unknown')], []],
  ])('are refused when another client has %s a condition in the meantime', (_, latest, after) => {
    const change = conditionPatch(both(condition('Shared', 'True')), both(...after), owned);
    expect(() => change?.(both(...latest))).toThrow('by another client');
  });
});

describe('what pauses an object', () => {
  const cluster = (paused: boolean): Cluster => ({ apiVersion: 'x', kind: 'Cluster', metadata: {}, spec: { paused } });
  const object = (annotated: boolean, conditions: never[] = []): Conditioned => ({
    apiVersion: 'x',
    kind: 'Machine',
    metadata: { generation: 2, annotations: annotated ? { 'cluster.x-k8s.io/paused': '' } : {} },
    status: { conditions },
  });

  it.each<[boolean, boolean, string, string]>([
    [false, false, 'False', ''],
    [true, false, 'True', 'Cluster spec.paused is set to true'],
    [false, true, 'True', 'Machine has the cluster.x-k8s.io/paused annotation'],
    [true, true, 'True', 'Cluster spec.paused is set to true, Machine has the cluster.x-k8s.io/paused annotation'],
  ])('cluster %s, annotation %s: %s', (isPaused, isAnnotated, status, message) => {
    expect(pausedCondition(cluster(isPaused), object(isAnnotated))).toMatchObject({ status, message });
  });

  const condition = (status: string, reason: string, observedGeneration: number): never =>
    ({ type: 'Paused', status, reason, message: '', lastTransitionTime: '', observedGeneration }) as never;

  it.each<[string, never[], string, string]>([
    ['nothing was reported yet', [], 'False', 'along'],
    ['nothing was reported yet and it is paused', [], 'True', 'write'],
    ['it is reported already', [condition('False', 'NotPaused', 2)], 'False', 'none'],
    ['it was reported for an earlier generation', [condition('False', 'NotPaused', 1)], 'False', 'along'],
    ['the same of what is paused', [condition('True', 'Paused', 1)], 'True', 'write'],
    ['the opposite was reported', [condition('True', 'Paused', 2)], 'False', 'write'],
  ])('%s', (...[, conditions, status, step]) => {
    const next = { type: 'Paused', status, reason: status === 'True' ? 'Paused' : 'NotPaused', message: '' } as never;
    expect(pausedStep(object(false, conditions), next)).toBe(step);
  });
});

describe('what is written', () => {
  it('is of an applied object only what one may own', () => {
    const object = {
      apiVersion: 'x/v1',
      kind: 'X',
      metadata: {
        name: 'a',
        uid: 'u',
        resourceVersion: '7',
        generation: 1,
        creationTimestamp: 'now',
        labels: { a: 'b' },
      },
      spec: { a: 1, gone: undefined },
      status: { b: 2 },
    };
    expect(applicable(object)).toEqual({
      apiVersion: 'x/v1',
      kind: 'X',
      metadata: { name: 'a', uid: 'u', labels: { a: 'b' } },
      spec: { a: 1 },
    });
  });

  it.each<[string | undefined, string | undefined, boolean]>([
    ['10', '9', true],
    ['9', '10', false],
    ['10', '10', true],
    [undefined, '1', false],
  ])('version %s is at least %s: %s', (version, wanted, isIt) => {
    expect(isAtLeast(version, wanted)).toBe(isIt);
  });
});
