import { deepFreeze } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { mergeStatus } from './merge-status.js';

const [before, now] = ['2026-01-02T03:04:05Z', '2026-02-02T03:04:05Z'];
const condition = (type: string, status: string, lastTransitionTime = before): JsonObject => ({
  type,
  status,
  reason: 'Because',
  message: '',
  lastTransitionTime,
});
const owned = [['phase'], ['initialization']];
const merge = (existing: JsonObject | undefined, converted: JsonObject): JsonObject =>
  mergeStatus(existing === undefined ? undefined : (deepFreeze(existing) as JsonObject), converted, { now, owned });

describe('a converted status over the existing one', () => {
  it('is the existing object itself when nothing changed', () => {
    const existing = {
      phase: 'Running',
      other: 1,
      conditions: [condition('Ready', 'True'), condition('Paused', 'True')],
    };
    expect(merge(existing, { phase: 'Running', conditions: [condition('Ready', 'True', now)] })).toBe(existing);
  });

  it.each<[string, JsonObject, string]>([
    ['is kept when the status is the same', condition('Ready', 'True'), before],
    ['is kept when only the reason differs', { ...condition('Ready', 'True'), reason: 'Other' }, before],
    ['moves with the status', condition('Ready', 'False'), now],
    ['in the future is replaced', condition('Ready', 'True', '2027-01-01T00:00:00Z'), now],
    ['that is missing is set', { type: 'Ready', status: 'True' }, now],
  ])('the time of a transition %s', (_what, existing, expected) => {
    const { conditions } = merge({ conditions: [existing] }, { conditions: [condition('Ready', 'True', now)] });
    expect(conditions).toEqual([condition('Ready', 'True', expected)]);
  });

  it('keeps conditions of others, and the order', () => {
    const { conditions } = merge(
      { conditions: [condition('Paused', 'True'), condition('Ready', 'False')] },
      { conditions: [condition('Available', 'True'), condition('Ready', 'False')] },
    );
    expect((conditions as JsonObject[]).map(({ type }) => type)).toEqual(['Paused', 'Ready', 'Available']);
  });

  it('merges conditions wherever they are', () => {
    const { deprecated } = merge(
      { deprecated: { v1beta1: { conditions: [condition('Ready', 'True')] } } },
      { deprecated: { v1beta1: { conditions: [condition('Ready', 'True', now)] } } },
    );
    expect(deprecated).toEqual({ v1beta1: { conditions: [condition('Ready', 'True')] } });
  });

  it('removes what is its own and no longer there, and nothing else', () => {
    expect(
      merge({ phase: 'Running', initialization: { a: true }, synchronizedGeneration: 3 }, { nodeRef: { name: 'n' } }),
    ).toEqual({ synchronizedGeneration: 3, nodeRef: { name: 'n' } });
  });

  it('of an object without a status is what was converted', () => {
    expect(merge(undefined, { phase: 'Running' })).toEqual({ phase: 'Running' });
  });
});
