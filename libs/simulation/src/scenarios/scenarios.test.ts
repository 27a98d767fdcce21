import { describe, expect, it } from 'vitest';
import { failureText } from '../run/report.js';
import { runOnce } from '../run/run.js';
import { requireSame, sweep } from '../run/sweep.js';
import { scenarios } from './index.js';

/** Seeds per scenario: a slice of what the command runs. */
const SEEDS: Readonly<Record<string, number>> = {
  deployments: 10,
  'two-leaders': 4,
  namespaces: 40,
  garbage: 40,
  leaders: 30,
  operator: 20,
  'cluster-api': 3,
  'machine-api': 10,
  autoscaler: 5,
  machines: 20,
};

/** Seeds that once found something wrong. */
const REMEMBERED: readonly (readonly [scenario: string, seed: number])[] = [
  // Pods were made for a ReplicaSet that was gone, and collected, as fast as both could.
  ['deployments', 36],
  ['two-leaders', 37],
  // An old replica showed what was before the world began.
  ['namespaces', 164],
  // Time stood still for who waited for the rest of a period: a millionth of a nanosecond.
  ['machines', 7],
  // Conflicts while a watch was late made a provider wait for a quarter of an hour.
  ['machines', 202],
  ['machines', 453],
  // An approver took a conflict for somebody else's approval, and looked no more.
  ['machines', 30],
  // An instance was ended that its machine had never heard of, and its node stayed.
  ['machine-api', 5],
  // Every machine asked by itself, as fast as it could, whether its kind knows who acts.
  ['machine-api', 62],
  // An operator made again, from an old state, what the garbage collector deleted, as fast as both could.
  ['operator', 23],
  // Half of a discovery failed while a kind came: nobody ever followed it, so nothing of it was collected.
  ['operator', 184],
];

it.each(REMEMBERED)('the scenario %s holds for seed %i', { timeout: 60_000 }, async (name, firstSeed) => {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  const swept = await sweep(scenario, { firstSeed, seeds: 1, repeatEvery: 1 });
  expect(swept.failure === undefined ? '' : failureText(swept.failure)).toBe('');
});

describe.each(scenarios)('the scenario $name', (scenario) => {
  it('holds for every seed', { timeout: 120_000 }, async () => {
    const seeds = SEEDS[scenario.name] ?? 0;
    expect(seeds).toBeGreaterThan(0);
    const swept = await sweep(scenario, { firstSeed: 1, seeds, repeatEvery: seeds });
    expect(swept.failure === undefined ? '' : failureText(swept.failure)).toBe('');
    // A sweep in which nothing goes wrong proves nothing.
    expect(swept.faults).toBeGreaterThan(seeds);
  });

  it('is the same run for the same seed, and another for another', { timeout: 60_000 }, async () => {
    const first = await runOnce(scenario, { seed: 11 });
    await requireSame(scenario, first);
    expect((await runOnce(scenario, { seed: 12 })).hash).not.toBe(first.hash);
  });
});
