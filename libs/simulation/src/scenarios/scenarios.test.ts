import { expect, it } from 'vitest';
import { scenarios } from './index.js';
import { MACHINE_TRIALS } from './testing/machine-trials.js';
import { expectToHold } from './testing/hold.js';
import type { Trial } from './testing/hold.js';

/** Slices: `npm run simulate` takes as many seeds as `--seeds` asks for. */
const TRIALS: readonly Trial[] = [
  // Pods were made for a ReplicaSet that was gone, and collected, as fast as both could.
  { scenario: 'deployments', seeds: 5, remembered: [36] },
  { scenario: 'two-leaders', seeds: 2, remembered: [37] },
  // An old replica showed what was before the simulation started.
  { scenario: 'namespaces', seeds: 20, remembered: [164] },
  { scenario: 'garbage', seeds: 20 },
  { scenario: 'leaders', seeds: 15 },
  // 23: an operator made again, from an old state, what the garbage collector deleted, as fast as both could.
  // 184: half of a discovery failed while a kind was added: it was never watched, so nothing of it was collected.
  { scenario: 'operator', seeds: 10, remembered: [23, 184] },
];

it('every scenario is tried', () => {
  const tried = [...TRIALS, ...MACHINE_TRIALS].map(({ scenario }) => scenario);
  expect(tried.toSorted()).toEqual(scenarios.map(({ name }) => name).toSorted());
});

expectToHold(TRIALS);
