import { systemRandom } from '@capstan/kube';
import { pushAll } from '@capstan/meta';
import { Simulation } from '../engine/simulation.js';
import type { SimulationEvent } from '../engine/event-log.js';
import type { FaultKind } from '../faults/fault.js';
import { DrawnFaults } from '../faults/sources.js';
import { stateOf } from '../run/run.js';
import type { RehearsalOracle, SimulationState } from '../scenario.js';
import { collectorProcess } from '../scenarios/processes.js';
import type {
  ActionEnd,
  RehearsalAction,
  RehearsalCopy,
  RehearsalOutcome,
  RehearsalPass,
  RehearsalScenario,
  RehearsalScript,
} from './scenario.js';

/**
 * What goes wrong: connections that are lost before and after the effect, answers that come late, conflicts and overloaded
 * servers, crashes between any two requests. Requests that arrive after the client has given up are no part of it: of two
 * that are under way, no client can know which is carried out last.
 */
const FAULTS: readonly FaultKind[] = ['lost-before', 'lost-after', 'delay', 'status', 'crash', 'pause', 'watch-cut'];
const FAULT_RATE = 0.03;
const FAULTS_FOR_MS = 600_000;
const LOOK_EVERY_MS = 2_000;
/** For the garbage collector and other controllers to end what they do. */
const REST_MS = 10_000;
/**
 * How long after the last fault controllers may take to write what they always do: some of it depends on the age of objects,
 * and is written at the next resync, which is every ten minutes.
 */
const LATE_MS = 660_000;
/** An oracle that finds the same again and again fills no memory. */
const MOST_FOUND = 50;

/** Carries a scenario out on its copy, in virtual time. The same pass gives the same outcome. */
export async function rehearse(
  scenario: RehearsalScenario,
  pass: RehearsalPass,
  signal?: AbortSignal,
): Promise<RehearsalOutcome> {
  const copy = typeof scenario.copy === 'function' ? await scenario.copy() : scenario.copy;
  const run = new Run({ ...scenario, copy }, pass, signal);
  try {
    return await run.outcome();
  } finally {
    run.end();
  }
}

type Resolved = Pick<RehearsalScenario, 'begin'> & { readonly copy: RehearsalCopy };

class Run {
  readonly #simulation: Simulation;
  readonly #initial: SimulationState;
  readonly #script: RehearsalScript;
  readonly #signal: AbortSignal | undefined;
  readonly #found = new Set<string>();
  #oracles: readonly RehearsalOracle[] = [];

  constructor({ begin, copy }: Resolved, pass: RehearsalPass, signal: AbortSignal | undefined) {
    const { isFaulty, seed } = pass;
    const faults = new DrawnFaults(systemRandom(`faults ${seed}`), { kinds: FAULTS, rate: FAULT_RATE });
    this.#signal = signal;
    this.#simulation = new Simulation({
      seed,
      snapshot: copy.snapshot,
      startAtMs: copy.atMs,
      // Rehearsals are many: their events are looked at as they happen, and not kept.
      onEvent: (event) => this.#check(event),
      ...(isFaulty ? { faults, faultsUntilMs: FAULTS_FOR_MS } : {}),
    });
    this.#initial = stateOf(this.#simulation);
    this.#script = begin({ simulation: this.#simulation, pass, initial: this.#initial });
    this.#oracles = this.#script.oracles;
    this.#simulation.spawn({ ...collectorProcess(), isReliable: true });
    for (const process of this.#script.standIns) this.#simulation.spawn(process);
  }

  async outcome(): Promise<RehearsalOutcome> {
    const differences: string[] = [];
    let durationMs: number | undefined;
    for (const action of this.#script.actions) {
      const { end, state, tookMs } = await this.#carryOut(action);
      durationMs ??= tookMs;
      if (end === undefined) return this.#closed({ ...this.#stuck(action, state), durationMs, differences }, state);
      const isFirst = action === this.#script.actions[0];
      const found = await this.#remaining((after) => action.differences({ before: this.#initial, after, end }), state);
      pushAll(differences, isFirst ? found : found.map((each) => `after ${action.name}: ${each}`));
      if (end.result === 'undone') return this.#closed({ ...end, durationMs, differences }, state);
    }
    return this.#closed({ result: 'done', durationMs: durationMs ?? 0, differences }, stateOf(this.#simulation));
  }

  end(): void {
    this.#simulation.end();
  }

  /** Until it ends, and a while longer for others to end what they do; no end where it takes longer than its limit. */
  async #carryOut(
    action: RehearsalAction,
  ): Promise<{ readonly end: ActionEnd | undefined; readonly state: SimulationState; readonly tookMs: number }> {
    const simulation = this.#simulation;
    const began = simulation.elapsed;
    for (const process of action.processes) simulation.spawn(process);
    let end = action.endOf(stateOf(simulation));
    while (end === undefined && simulation.elapsed < began + action.limitMs) {
      this.#signal?.throwIfAborted();
      await simulation.runUntil(Math.min(began + action.limitMs, simulation.elapsed + LOOK_EVERY_MS));
      end = action.endOf(stateOf(simulation));
    }
    const tookMs = simulation.elapsed - (action.beganAtMs?.() ?? began);
    if (end !== undefined) await simulation.runUntil(simulation.elapsed + REST_MS);
    return { end, state: stateOf(simulation), tookMs };
  }

  /** What differs and stays so: controllers that were just started have not written yet what they will. */
  async #remaining(
    differencesIn: (state: SimulationState) => readonly string[],
    state: SimulationState,
  ): Promise<readonly string[]> {
    const simulation = this.#simulation;
    const until = Math.max(simulation.elapsed, FAULTS_FOR_MS) + LATE_MS;
    let found = differencesIn(state);
    while (found.length > 0 && simulation.elapsed < until) {
      this.#signal?.throwIfAborted();
      await simulation.runUntil(simulation.elapsed + REST_MS);
      found = differencesIn(stateOf(simulation));
    }
    return found;
  }

  #stuck(
    action: RehearsalAction,
    state: SimulationState,
  ): Pick<RehearsalOutcome, 'result'> & { readonly reason: string; readonly message: string } {
    const { message, step } = action.waitsFor?.(state) ?? { step: action.name, message: 'no message' };
    return { result: 'stuck', reason: step, message };
  }

  #closed(outcome: Omit<RehearsalOutcome, 'notes'>, state: SimulationState): RehearsalOutcome {
    const atEnd = this.#oracles.flatMap((oracle) =>
      (oracle.atEnd?.(state) ?? []).map((each) => `${oracle.name}: ${each}`),
    );
    const differences = [...outcome.differences, ...this.#found, ...atEnd];
    return { ...outcome, differences, notes: this.#script.notes ?? [] };
  }

  #check(event: SimulationEvent): void {
    for (const oracle of this.#oracles) {
      const problem = oracle.onEvent?.(event);
      if (problem !== undefined && this.#found.size < MOST_FOUND) this.#found.add(`${oracle.name}: ${problem}`);
    }
  }
}
