import type { StoreSnapshot } from '@capstan/apiserver';
import { conversionPlatforms } from '@capstan/cli/platforms';
import type { ConversionPlatforms } from '@capstan/provider';
import { drawnFaults, HANDOVERS, syncSnapshot, tryHandover } from '@capstan/tools/handover';
import { beforeAll, describe, expect, it } from 'vitest';

let start: { readonly snapshot: StoreSnapshot; readonly platforms: ConversionPlatforms };
beforeAll(async () => {
  start = { snapshot: await syncSnapshot(), platforms: await conversionPlatforms() };
}, 120_000);

/** As many others as wanted: `npm run simulate -- --scenario handover --seeds 5000`. */
const SEEDS = [1, 2, 3];
const FAULTS_FOR_MS = 180_000;

describe('Machines that are handed over in simulation', () => {
  it.each(HANDOVERS)(
    'keep their instances, and one side that acts: $name',
    async (variant) => {
      expect((await tryHandover(start, { seed: 1, variant })).problems).toEqual([]);
    },
    120_000,
  );

  it.each(SEEDS)(
    'keep their instances while requests fail and processes crash, from seed %i',
    async (seed) => {
      const variant = HANDOVERS[seed % HANDOVERS.length];
      if (variant === undefined) throw new Error('no such handover');
      const trial = { seed, variant, faults: drawnFaults(seed), faultsForMs: FAULTS_FOR_MS };
      const { faults, problems } = await tryHandover(start, trial);
      expect(problems).toEqual([]);
      expect(faults).toBeGreaterThan(10);
    },
    120_000,
  );
});
