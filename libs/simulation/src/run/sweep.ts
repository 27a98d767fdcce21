import { SimulationError } from '../errors.js';
import type { RunResult } from './run.js';
import { combinedHash, runOnce } from './run.js';
import { SometimesLedger } from '../engine/sometimes-ledger.js';
import type { Scenario } from '../scenario.js';

export interface SweepOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  /** Runs each seed a second time and refuses a different hash. Default: every fiftieth. */
  readonly repeatEvery?: number | undefined;
  /** Called after each seed. */
  readonly onRun?: ((result: RunResult) => void) | undefined;
}

export interface SweepResult {
  /** How many seeds were run. */
  readonly seeds: number;
  /** The first run something was wrong with; the sweep ends there. */
  readonly failure: RunResult | undefined;
  /** One digest of all runs. */
  readonly hash: string;
  readonly faults: number;
  readonly virtualMs: number;
  /** The hooks in controllers that were passed, in all runs together. */
  readonly hooks: SometimesLedger;
}

const REPEAT_EVERY = 50;

/** Runs a scenario with one seed after another, until one fails. */
export async function sweep(scenario: Scenario, options: SweepOptions): Promise<SweepResult> {
  const { firstSeed, seeds, repeatEvery = REPEAT_EVERY, onRun } = options;
  const hashes: string[] = [];
  let faults = 0;
  let virtualMs = 0;
  let failure: RunResult | undefined;
  const hooks = new SometimesLedger();
  for (let seed = firstSeed; seed < firstSeed + seeds && failure === undefined; seed += 1) {
    const result = await runOnce(scenario, { seed });
    hashes.push(result.hash);
    faults += result.faults.length;
    virtualMs += result.elapsedMs;
    hooks.merge(result.hooks);
    if ((seed - firstSeed) % repeatEvery === 0) await requireSame(scenario, result);
    if (result.violations.length > 0) failure = result;
    onRun?.(result);
  }
  return { seeds: hashes.length, failure, hash: combinedHash(hashes), faults, virtualMs, hooks };
}

/** Runs it again, from the seed and from the list of faults that struck; both must be the very same run. */
export async function requireSame(scenario: Scenario, result: RunResult): Promise<void> {
  const { seed } = result.options;
  for (const faults of [result.options.faults, result.faults]) {
    const again = await runOnce(scenario, { ...result.options, faults });
    if (again.hash !== result.hash)
      throw new SimulationError(
        'NOT_DETERMINISTIC',
        `seed ${seed} of ${scenario.name} gave ${result.hash} and then ${again.hash}`,
      );
  }
}
