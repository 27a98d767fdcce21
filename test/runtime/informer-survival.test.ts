import { ApiServer } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { BadWay, describeSurvival } from './bad-way.js';

/** More than the longest time an informer waits before it asks again. */
const LONG_MS = 15 * 60_000;

async function play(seed: number, watchList: boolean): Promise<void> {
  const clock = new ManualClock();
  const random = systemRandom(seed);
  let server = new ApiServer({ clock, random: random.split('server') });
  const way = new BadWay(server, random.split('way'));
  await describeSurvival({
    clock,
    random,
    way,
    namespace: 'default',
    watchList,
    restart: (step) => {
      // Without its history: whatever was seen before has expired.
      const snapshot = server.store.snapshot({ history: false });
      way.cut(1);
      way.server = server = new ApiServer({ clock, random: random.split(`server ${step}`), snapshot });
    },
    pass: (ms) => clock.advance(ms),
    settle: () => clock.advance(LONG_MS),
  });
}

describe('an informer on a bad way', () => {
  it.each([true, false])('misses nothing in the end (initial events: %s)', async (watchList) => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 });
    await fc.assert(
      fc.asyncProperty(seeds, (seed) => play(seed, watchList)),
      { numRuns: 15 },
    );
  });
});
