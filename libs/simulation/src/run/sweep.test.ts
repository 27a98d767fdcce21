import { describe, expect, it } from 'vitest';
import type { SimulationError } from '../errors.js';
import { generalOracles } from '../oracles/general.js';
import { configMap, CONFIG_MAPS } from '../scenarios/resources.js';
import { lostUpdate } from '../testing/planted.js';
import { runOnce } from './run.js';
import type { Scenario } from '../scenario.js';
import { requireSame, sweep } from './sweep.js';

/** One step, and what it is to come to. */
function scenarioOf(name: string, changes: Partial<Scenario>): Scenario {
  return {
    name,
    about: name,
    processes: [],
    steps: [{ name: 'create', run: ({ client }) => client.create(CONFIG_MAPS, configMap('default', 'made')) }],
    oracles: generalOracles,
    faultsForMs: 1000,
    stepGapMs: 1000,
    convergeWithinMs: 60_000,
    quietMs: 60_000,
    goal: () => [],
    ...changes,
  };
}

/** A controller that knows how often it has been run: no seed can reproduce that. */
function restive(): Scenario {
  let runs = 0;
  return scenarioOf('restive', {
    steps: [
      {
        name: 'create',
        run: ({ client }) => client.create(CONFIG_MAPS, configMap('default', `made-${(runs += 1)}`)),
      },
    ],
  });
}

describe('a run', () => {
  it('is the same for the same seed, and another for another', async () => {
    const scenario = lostUpdate(true);
    const hashes = new Map<number, string>();
    for (const seed of [1, 2, 3, 4]) hashes.set(seed, (await runOnce(scenario, { seed })).hash);
    expect(new Set(hashes.values()).size).toBe(4);
    for (const [seed, hash] of hashes) expect((await runOnce(scenario, { seed })).hash).toBe(hash);
  });

  it('is found out when it is not', async () => {
    const scenario = restive();
    const result = await runOnce(scenario, { seed: 1 });
    const refused: Partial<SimulationError> = { code: 'NOT_DETERMINISTIC' };
    await expect(requireSame(scenario, result)).rejects.toMatchObject(refused);
    await expect(sweep(scenario, { firstSeed: 7, seeds: 2, repeatEvery: 5 })).rejects.toMatchObject(refused);
  });

  it('fails by a goal that is not met', async () => {
    const { violations } = await runOnce(scenarioOf('unmet', { goal: () => ['never'] }), { seed: 1 });
    expect(violations).toEqual([{ oracle: 'eventually-quiet', message: 'never' }]);
  });

  it('fails by a step that fails', async () => {
    const steps = [{ name: 'fall', run: () => Promise.reject(new Error('down')) }];
    const { violations } = await runOnce(scenarioOf('falling', { steps }), { seed: 1 });
    expect(violations).toEqual([{ oracle: 'steps-succeed', message: 'fall: down' }]);
  });

  it('fails by a step without end', async () => {
    const steps = [{ name: 'wait', run: () => new Promise<never>(() => undefined) }];
    const { violations } = await runOnce(scenarioOf('endless', { steps }), { seed: 1 });
    expect(violations).toEqual([{ oracle: 'steps-succeed', message: 'the steps did not come to an end' }]);
  });
});

describe('a sweep', () => {
  it('ends with the first seed that fails', async () => {
    const seen: number[] = [];
    const scenario = scenarioOf('third', { goal: () => (seen.length < 2 ? [] : ['the third is one too many']) });
    const onRun = ({ options }: { readonly options: { readonly seed: number } }): void => void seen.push(options.seed);
    const swept = await sweep(scenario, { firstSeed: 5, seeds: 10, repeatEvery: 100, onRun });
    expect([swept.seeds, swept.failure?.options.seed, seen]).toEqual([3, 7, [5, 6, 7]]);
  });

  it('sums up what it ran', async () => {
    const scenario = lostUpdate(true);
    const swept = await sweep(scenario, { firstSeed: 1, seeds: 3, repeatEvery: 100 });
    const runs = [];
    for (const seed of [1, 2, 3]) runs.push(await runOnce(scenario, { seed }));
    expect([swept.seeds, swept.failure]).toEqual([3, undefined]);
    expect(swept.faults).toBe(runs.reduce((sum, { faults }) => sum + faults.length, 0));
    expect(swept.virtualMs).toBe(runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0));
    const other = await sweep(scenario, { firstSeed: 2, seeds: 3, repeatEvery: 100 });
    expect(other.hash).not.toBe(swept.hash);
  });
});
