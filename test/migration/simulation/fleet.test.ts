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
});
