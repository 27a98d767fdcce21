import { describe, expect, it } from 'vitest';
import { SimulationError } from '../../errors.js';
import { failureText } from '../../run/report.js';
import type { Scenario } from '../../scenario.js';
import { sweep } from '../../run/sweep.js';
import { scenarios } from '../index.js';

/** What of a scenario is tried in tests. */
export interface Trial {
  readonly scenario: string;
  /** How many seeds: a slice of what the command runs. */
  readonly seeds: number;
  /** Seeds that once found something wrong. */
  readonly remembered?: readonly number[];
}

function named(name: string): Scenario {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined) throw new SimulationError('BAD_ARGUMENT', `no scenario is named ${name}`);
  return scenario;
}

/** Asserts that scenarios hold for every seed, and that a seed gives the very same run each time. */
export function expectToHold(trials: readonly Trial[]): void {
  describe.each(trials)('the scenario $scenario', ({ remembered = [], scenario: name, seeds }) => {
    it('holds for every seed', { timeout: 300_000 }, async () => {
      const hashes = new Set<string>();
      const onRun = ({ hash }: { readonly hash: string }): unknown => hashes.add(hash);
      const swept = await sweep(named(name), { firstSeed: 1, seeds, repeatEvery: seeds, onRun });
      expect(swept.failure === undefined ? '' : failureText(swept.failure)).toBe('');
      expect(hashes.size).toBe(seeds);
      // A sweep in which nothing goes wrong proves nothing.
      expect(swept.faults).toBeGreaterThan(seeds);
    });

    it.each(remembered)('holds for seed %i', { timeout: 180_000 }, async (firstSeed) => {
      const swept = await sweep(named(name), { firstSeed, seeds: 1, repeatEvery: 1 });
      expect(swept.failure === undefined ? '' : failureText(swept.failure)).toBe('');
    });
  });
}
