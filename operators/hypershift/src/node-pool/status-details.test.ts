import type { NodePoolStatus } from '@capstan/api/hypershift';
import { expect, it } from 'vitest';
import { nodePoolWrites, statusWaitMs } from './status-details.js';

const condition = (type: string, status: string, message: string) => ({
  type,
  status,
  message,
  lastTransitionTime: 't',
});
const status = (message: string, answer = 'False', version = '4.22.0'): NodePoolStatus => ({
  version,
  conditions: [condition('AllMachinesReady', answer, message), condition('ValidMachineConfig', 'True', '')],
});

it('delays a change of details until five seconds after the last write, and no other change', () => {
  const writes = nodePoolWrites();
  const wait = (after: NodePoolStatus, atMs: number, key = 'a'): number =>
    statusWaitMs(writes, key, { before: status('1 of 3'), after }, atMs);
  expect(wait(status('1 of 3'), 0)).toBe(0);
  expect(wait(status('2 of 3'), 1000)).toBe(0);
  expect(wait(status('3 of 3'), 3000)).toBe(3000);
  expect(wait(status('3 of 3'), 3500, 'another')).toBe(0);
  expect(wait(status('1 of 3'), 5000)).toBe(0);
  expect(wait(status('3 of 3'), 6000)).toBe(0);
  // Written: the next detail waits again.
  expect(wait(status('2 of 3'), 7000)).toBe(4000);
  expect(wait(status('2 of 3', 'True'), 8000)).toBe(0);
  expect(wait({ ...status('2 of 3'), replicas: 2 }, 9000)).toBe(4000);
  expect(wait(status('1 of 3', 'False', '4.22.1'), 9100)).toBe(0);
  // A clock that was set back does not prolong the wait.
  expect(wait(status('2 of 3'), 5000)).toBe(0);
});
