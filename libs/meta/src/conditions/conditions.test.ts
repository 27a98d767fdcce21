import { describe, expect, it } from 'vitest';
import {
  getCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
  type Condition,
} from './conditions.js';

const ready: Condition = { type: 'Ready', status: 'True', lastTransitionTime: 'ago', reason: 'R', message: 'm' };
const synced: Condition = { type: 'Synced', status: 'False', lastTransitionTime: 'ago', reason: 'S', message: 'm' };
const list = [ready, synced];

describe('conditions', () => {
  it('are found by type', () => {
    expect(getCondition(list, 'Synced')).toBe(synced);
    expect(getCondition(undefined, 'Synced')).toBeUndefined();
    expect([isConditionTrue(list, 'Ready'), isConditionTrue(list, 'Synced'), isConditionTrue(list, 'X')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isConditionFalse(list, 'Ready'), isConditionFalse(list, 'Synced'), isConditionFalse(list, 'X')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('are appended when new, with the time given or now', () => {
    expect(setCondition(undefined, { type: 'A', status: 'True', reason: 'R', message: '' }, 'now')).toEqual([
      { type: 'A', status: 'True', lastTransitionTime: 'now', reason: 'R', message: '' },
    ]);
    expect(
      setCondition(list, { ...ready, type: 'A', lastTransitionTime: 'then' }, 'now').at(-1)?.lastTransitionTime,
    ).toBe('then');
  });

  it('keep their transition time and place while the status stays', () => {
    const next = setCondition(
      list,
      { type: 'Ready', status: 'True', reason: 'New', message: 'm2', observedGeneration: 4 },
      'now',
    );
    expect(next).toEqual([{ ...ready, reason: 'New', message: 'm2', observedGeneration: 4 }, synced]);
    expect(list[0]).toBe(ready);
  });

  it('move their transition time when the status changes', () => {
    expect(
      setCondition(list, { ...ready, status: 'False', lastTransitionTime: '' }, 'now')[0]?.lastTransitionTime,
    ).toBe('now');
    expect(
      setCondition(list, { ...ready, status: 'Unknown', lastTransitionTime: 'then' }, 'now')[0]?.lastTransitionTime,
    ).toBe('then');
  });

  it('have never come to be so in the future', () => {
    const later = [{ ...ready, lastTransitionTime: 'zzz' }];
    expect(setCondition(later, ready, 'now')).toEqual([{ ...ready, lastTransitionTime: 'now' }]);
  });

  it('give back the very same list when nothing changes, even with another time', () => {
    expect(setCondition(list, { ...ready, lastTransitionTime: 'other' }, 'now')).toBe(list);
    expect(setCondition(list, { ...ready, observedGeneration: 0 }, 'now')).toBe(list);
    expect(setCondition(list, { ...ready, observedGeneration: 1 }, 'now')).not.toBe(list);
  });

  it('are removed by type', () => {
    expect(removeCondition(list, 'Ready')).toEqual([synced]);
    expect(removeCondition(list, 'X')).toBe(list);
    expect(removeCondition(undefined, 'X')).toEqual([]);
  });
});
