import type { HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import { differInWordsOnly, Told } from './words.js';

const status = (condition: object, more: object = {}): HostedControlPlaneStatus =>
  ({ ready: false, initialized: false, conditions: [{ type: 'Available', ...condition }], ...more }) as never;

describe('two statuses', () => {
  const before = status({ status: 'False', reason: 'ComponentsNotAvailable', message: 'a, b' });

  it.each<[string, HostedControlPlaneStatus, boolean]>([
    ['say the same', status({ status: 'False', reason: 'ComponentsNotAvailable', message: 'b' }), true],
    ['give another reason', status({ status: 'False', reason: 'NotFound', message: 'a, b' }), false],
    ['tell of a change', status({ status: 'True', reason: 'ComponentsNotAvailable', message: 'a, b' }), false],
    ['differ elsewhere', { ...before, ready: true }, false],
  ])('%s', (_, after, areWords) => {
    expect(differInWordsOnly(before, after)).toBe(areWords);
  });

  it('of which the first is none differ', () => {
    expect(differInWordsOnly(undefined, before)).toBe(false);
  });
});

it('other words wait until five seconds after the last that this program told', () => {
  const told = new Told();
  expect(told.dueMs('ns/one', 1_000)).toBeUndefined();
  told.tell('ns/one', 1_000);
  expect(told.dueMs('ns/one', 5_999)).toBe(6_000);
  expect(told.dueMs('ns/one', 6_000)).toBeUndefined();
  expect(told.dueMs('ns/two', 1_000)).toBeUndefined();
  told.forget('ns/one');
  expect(told.dueMs('ns/one', 1_000)).toBeUndefined();
});
