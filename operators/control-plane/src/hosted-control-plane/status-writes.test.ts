import type { HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import { differInMessagesOnly, statusWrites, writtenVersion } from './status-writes.js';

const status = (condition: object, more: object = {}): HostedControlPlaneStatus =>
  ({ ready: false, initialized: false, conditions: [{ type: 'Available', ...condition }], ...more }) as never;

describe('two statuses differ in messages only', () => {
  const before = status({ status: 'False', reason: 'ComponentsNotAvailable', message: 'a, b' });

  it.each<[string, HostedControlPlaneStatus, boolean]>([
    [
      'when another list is counted down',
      status({ status: 'False', reason: 'ComponentsNotAvailable', message: 'b' }),
      true,
    ],
    ['not when the reason changes', status({ status: 'False', reason: 'NotFound', message: 'a, b' }), false],
    [
      'not when a condition changes',
      status({ status: 'True', reason: 'ComponentsNotAvailable', message: 'a, b' }),
      false,
    ],
    ['not when another field differs', { ...before, ready: true }, false],
  ])('%s', (_, after, inMessagesOnly) => {
    expect(differInMessagesOnly(before, after)).toBe(inMessagesOnly);
  });

  it('not when there was none before', () => {
    expect(differInMessagesOnly(undefined, before)).toBe(false);
  });
});

it('writes of messages only are spaced by five seconds', () => {
  const writes = statusWrites();
  writes.startInterval('ns/one', 1_000);
  expect(writes.waitMs('ns/one', 5_999)).toBe(1);
  expect(writes.waitMs('ns/one', 6_000)).toBe(0);
  expect(writes.waitMs('ns/two', 1_000)).toBe(0);
});

it('remembers the versions last written for the same control plane, unless the outcome of a write is unknown', () => {
  const writes = statusWrites();
  const version = { observedGeneration: 2 };
  const hcp = (uid: string): HostedControlPlane =>
    ({ metadata: { namespace: 'ns', name: 'one', uid }, status: { controlPlaneVersion: version } }) as never;
  expect(writtenVersion(writes, 'ns/one', hcp('u'))).toBeUndefined();
  writes.record(hcp('u'));
  expect(writtenVersion(writes, 'ns/one', hcp('u'))).toEqual(version);
  expect(writtenVersion(writes, 'ns/one', hcp('another'))).toBeUndefined();
  writes.discard('ns/one');
  expect(writtenVersion(writes, 'ns/one', hcp('u'))).toBeUndefined();
});
