import { describe, expect, it } from 'vitest';
import { failureText } from './run/report.js';
import { shrink } from './run/shrink.js';
import { requireSame, sweep } from './run/sweep.js';
import { leaders } from './scenarios/leaders.js';
import { doubleOwner, lostUpdate, missedRequeue, restless } from './testing/planted.js';

const SEEDS_TO_FIND = 1000;
const SEEDS_WITHOUT_BUG = 25;

const bugs = [
  { bug: 'a lost update', oracle: 'lost-update', plant: lostUpdate, needs: 0 },
  { bug: 'a missed requeue', oracle: 'eventually-quiet', plant: missedRequeue, needs: 1 },
  { bug: 'a double owner', oracle: 'single-controller', plant: doubleOwner, needs: 0 },
  { bug: 'a write of what is there', oracle: 'idempotence', plant: restless, needs: 0 },
  { bug: 'a leader without a fence', oracle: 'one-actor', plant: leaders, needs: 1 },
];

describe('a planted bug', () => {
  it.each(bugs)('$bug is found and made small', { timeout: 60_000 }, async ({ bug, oracle, plant, needs }) => {
    const scenario = plant(false);
    const found = await sweep(scenario, { firstSeed: 1, seeds: SEEDS_TO_FIND, repeatEvery: SEEDS_TO_FIND });
    expect(found.failure?.violations.map((violation) => violation.oracle)).toContain(oracle);
    if (found.failure === undefined) return;
    const shrunk = await shrink(scenario, found.failure);
    expect(shrunk.result.violations.map((violation) => violation.oracle)).toContain(oracle);
    expect(shrunk.result.faults.length).toBeGreaterThanOrEqual(needs);
    expect(shrunk.result.faults.length).toBeLessThanOrEqual(needs + 1);
    expect(shrunk.droppedSteps + shrunk.droppedFaults).toBeGreaterThan(0);
    await requireSame(scenario, shrunk.result);
    const text = failureText(shrunk.result, shrunk);
    expect(text.split('\n').length).toBeLessThan(80);
    process.stdout.write(`${bug}: found after ${found.seeds} seeds, ${shrunk.result.events.length} events left\n`);
    expect(text).toContain(`${oracle}: `);
  });

  // The leaders without the bug are a scenario of their own.
  it.each(bugs.filter(({ plant }) => plant !== leaders))(
    '$bug is not seen where it is not',
    { timeout: 60_000 },
    async ({ plant }) => {
      const { failure } = await sweep(plant(true), { firstSeed: 1, seeds: SEEDS_WITHOUT_BUG });
      expect(failure === undefined ? '' : failureText(failure)).toBe('');
    },
  );
});
