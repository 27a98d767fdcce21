import type { StoreSnapshot } from '@capstan/apiserver';
import { ENDINGS, fleetSnapshot, IN_FLIGHT, tryMigration } from '@capstan/tools/migration';
import { beforeAll, describe, expect, it } from 'vitest';

let snapshot: StoreSnapshot;
beforeAll(async () => {
  snapshot = await fleetSnapshot();
}, 120_000);

const [success] = ENDINGS;
const [nothing, ...underWay] = IN_FLIGHT;
const timeout = ENDINGS.find(({ name }) => name === 'health-check-timeout');

/** Of the others, `npm run simulate -- --scenario migration --seeds 300` takes as many as wanted. */
const SEEDS = [5, 6, 9];

describe('A fleet in simulation', () => {
  it.each([
    ...ENDINGS.map((ending) => ({ ending, inFlight: nothing })),
    ...underWay.map((inFlight) => ({ ending: success, inFlight })),
    ...underWay.map((inFlight) => ({ ending: timeout, inFlight })),
  ])(
    'keeps every machine through $ending.name with $inFlight.name under way',
    async ({ ending, inFlight }) => {
      if (ending === undefined || inFlight === undefined) throw new Error('no such trial');
      const { problems } = await tryMigration(snapshot, { seed: 1, ending, inFlight, hasFaults: false });
      expect(problems).toEqual([]);
    },
    300_000,
  );

  it.each(SEEDS)(
    'keeps every machine while requests fail and processes crash, from seed %i',
    async (seed) => {
      const [ending, inFlight] = [ENDINGS[seed % ENDINGS.length], IN_FLIGHT[seed % IN_FLIGHT.length]];
      if (ending === undefined || inFlight === undefined) throw new Error('no such trial');
      const { faults, problems } = await tryMigration(snapshot, { seed, ending, inFlight, hasFaults: true });
      expect(problems).toEqual([]);
      expect(faults).toBeGreaterThan(10);
    },
    300_000,
  );
});
