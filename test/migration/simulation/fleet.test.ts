import type { StoreSnapshot } from '@capstan/apiserver';
import { hostingPlatforms } from '@capstan/cli/platforms';
import { ENDINGS, fleetSnapshot, IN_FLIGHT, NOTHING, Trials, tryMigration } from '@capstan/tools/migration';
import type { Ending, InFlight } from '@capstan/tools/migration';
import { beforeAll, describe, expect, it } from 'vitest';

let snapshot: StoreSnapshot;
beforeAll(async () => {
  snapshot = await fleetSnapshot();
}, 120_000);

const platforms = [...(await hostingPlatforms())];
const trials = new Trials(platforms);
const underWay = IN_FLIGHT.filter((each) => each !== NOTHING);
const endingOf = (name: string): Ending => ENDINGS.find((each) => each.name === name) as Ending;
const each = (endings: readonly Ending[], all: readonly InFlight[]): { ending: Ending; inFlight: InFlight }[] =>
  endings.flatMap((ending) => all.map((inFlight) => ({ ending, inFlight })));

/** Of the others, `npm run simulate -- --scenario migration --seeds 300` takes as many as wanted. */
const SEEDS = [5, 6, 9];

describe('A fleet in simulation', () => {
  it.each([
    ...each(ENDINGS, [NOTHING]),
    // Forward, back before the commit, and back after it.
    ...each(['success', 'health-check-timeout', 'manual-rollback'].map(endingOf), underWay),
  ])(
    'keeps every machine through $ending.name with $inFlight.name under way',
    async ({ ending, inFlight }) => {
      const { problems } = await tryMigration(snapshot, { seed: 1, ending, inFlight, hasFaults: false });
      expect(problems).toEqual([]);
    },
    300_000,
  );

  it.each(platforms)(
    'is migrated and rolled back by hand on $type, scaled meanwhile where it has machines',
    async (platform) => {
      const isScaled = platform.machineTemplate !== undefined;
      const inFlight = IN_FLIGHT.find(({ name }) => name === 'scaling up');
      const { end, problems } = await tryMigration(await trials.snapshot(platform), {
        seed: 1,
        ending: endingOf('manual-rollback'),
        inFlight: isScaled && inFlight !== undefined ? inFlight : NOTHING,
        hasFaults: false,
        platform,
      });
      expect(problems).toEqual([]);
      expect(end).toBe('manual-rollback');
    },
    300_000,
  );

  it.each(SEEDS)(
    'keeps every machine while requests fail and processes crash, from seed %i',
    async (seed) => {
      const trial = trials.of(seed);
      const { faults, problems } = await tryMigration(await trials.snapshot(trial.platform), trial);
      expect(problems).toEqual([]);
      expect(faults).toBeGreaterThan(10);
    },
    300_000,
  );
});
