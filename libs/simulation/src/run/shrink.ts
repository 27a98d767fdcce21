import { stepsSucceed } from '../oracles/liveness.js';
import type { RunOptions, RunResult } from './run.js';
import { runOnce } from './run.js';
import type { Scenario } from '../scenario.js';

/** A failure made as small as it could be. */
export interface Shrunk {
  readonly result: RunResult;
  /** Runs it took. */
  readonly runs: number;
  readonly droppedFaults: number;
  readonly droppedSteps: number;
  readonly droppedProcesses: number;
}

const DEFAULT_RUNS = 150;

/** Leaves out faults, steps and processes as long as the same oracle still finds fault. */
export async function shrink(scenario: Scenario, failed: RunResult, maxRuns = DEFAULT_RUNS): Promise<Shrunk> {
  const shrinker = new Shrinker(scenario, failed, maxRuns);
  await shrinker.shrinkSteps();
  await shrinker.shrinkProcesses();
  await shrinker.shrinkFaults();
  // With fewer faults more can often be spared.
  await shrinker.shrinkSteps();
  await shrinker.shrinkProcesses();
  const { result, runs } = shrinker;
  return {
    result,
    runs,
    droppedFaults: failed.faults.length - result.faults.length,
    droppedSteps: result.options.withoutSteps?.size ?? 0,
    droppedProcesses: result.options.withoutProcesses?.size ?? 0,
  };
}

class Shrinker {
  readonly #scenario: Scenario;
  readonly #oracles: ReadonlySet<string>;
  readonly #maxRuns: number;
  result: RunResult;
  runs = 0;

  constructor(scenario: Scenario, failed: RunResult, maxRuns: number) {
    this.#scenario = scenario;
    const oracles = new Set(failed.violations.map(({ oracle }) => oracle));
    // A step fails by itself when one before it is left out: where there is more to look for, that is not it.
    if (oracles.size > 1) oracles.delete(stepsSucceed.name);
    this.#oracles = oracles;
    this.#maxRuns = maxRuns;
    this.result = { ...failed, options: { ...failed.options, faults: failed.faults } };
  }

  async shrinkSteps(): Promise<void> {
    if (this.#oracles.has(stepsSucceed.name)) return;
    await this.#dropOneByOne(this.#scenario.steps, 'withoutSteps');
  }

  shrinkProcesses(): Promise<void> {
    const spare = this.#scenario.processes.filter(({ isSpare }) => isSpare === true);
    return this.#dropOneByOne(spare, 'withoutProcesses');
  }

  /** Halves first, then smaller parts, then one by one. */
  async shrinkFaults(): Promise<void> {
    let size = Math.ceil(this.result.faults.length / 2);
    while (size >= 1 && this.result.faults.length > 0) {
      let from = 0;
      while (from < this.result.faults.length) {
        const fewer = this.result.faults.toSpliced(from, size);
        if (!(await this.#try({ faults: fewer }))) from += size;
      }
      if (size === 1) return;
      size = Math.ceil(size / 2);
    }
  }

  async #dropOneByOne(
    parts: readonly { readonly name: string }[],
    option: 'withoutSteps' | 'withoutProcesses',
  ): Promise<void> {
    for (const { name } of parts) {
      const without = this.result.options[option] ?? new Set<string>();
      if (!without.has(name)) await this.#try({ [option]: new Set([...without, name]) });
    }
  }

  /** Keeps the smaller run when it fails in the same way. */
  async #try(change: Partial<RunOptions>): Promise<boolean> {
    if (this.runs >= this.#maxRuns) return false;
    this.runs += 1;
    const result = await runOnce(this.#scenario, { ...this.result.options, faults: this.result.faults, ...change });
    if (!result.violations.some(({ oracle }) => this.#oracles.has(oracle))) return false;
    // Faults that had nothing left to strike are gone from the list of those that struck.
    this.result = { ...result, options: { ...result.options, faults: result.faults } };
    return true;
  }
}
