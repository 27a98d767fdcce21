import type { StoreSnapshot } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import type { ProcessDefinition } from '../engine/process.js';
import { Simulation } from '../engine/simulation.js';
import type { FaultKind } from '../faults/fault.js';
import { DrawnFaults } from '../faults/sources.js';
import { stateOf } from '../run/run.js';
import type { SimulationState } from '../scenario.js';
import { collectorProcess } from '../scenarios/processes.js';

/** What a rehearsal begins with. */
export interface RehearsalOptions {
  /** The copy of the server; it is not changed, and may be used again. */
  readonly snapshot: StoreSnapshot;
  readonly seed: number;
  /** Until when connections break and processes crash; 0 for a rehearsal in which nothing goes wrong. */
  readonly faultsForMs: number;
  /** What the procedure depends on besides the server and its garbage collector. */
  readonly standIns: (simulation: Simulation) => readonly ProcessDefinition[];
}

/**
 * What goes wrong: connections that are lost before and after the effect, answers that come late, conflicts and overloaded
 * servers, crashes between any two requests. Requests that arrive after the client has given up are no part of it: of two
 * that are under way, no client can know which is carried out last.
 */
const FAULTS: readonly FaultKind[] = ['lost-before', 'lost-after', 'delay', 'status', 'crash', 'pause', 'watch-cut'];
const FAULT_RATE = 0.03;
const LOOK_EVERY_MS = 2_000;

/** A procedure that is carried out on the copy of a server, in virtual time. The same seed gives the same rehearsal. */
export class Rehearsal {
  readonly initial: SimulationState;
  readonly #simulation: Simulation;

  constructor({ faultsForMs, seed, snapshot, standIns }: RehearsalOptions) {
    const faults = new DrawnFaults(systemRandom(`faults ${seed}`), { kinds: FAULTS, rate: FAULT_RATE });
    this.#simulation = new Simulation({
      seed,
      snapshot,
      // Rehearsals are many and their events are not looked at: the log keeps nothing.
      onEvent: () => undefined,
      ...(faultsForMs === 0 ? {} : { faults, faultsUntilMs: faultsForMs }),
    });
    this.initial = stateOf(this.#simulation);
    this.#simulation.spawn({ ...collectorProcess(), isReliable: true });
    for (const process of standIns(this.#simulation)) this.#simulation.spawn(process);
  }

  /** Virtual milliseconds since it began. */
  get elapsedMs(): number {
    return this.#simulation.elapsed;
  }

  spawn(process: ProcessDefinition): void {
    this.#simulation.spawn(process);
  }

  /** Goes on until the state is as wanted; false when that takes longer than the limit, or is aborted. */
  async until(
    isReached: (state: SimulationState) => boolean,
    { limitMs, signal }: { readonly limitMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<boolean> {
    const end = this.#simulation.elapsed + limitMs;
    while (!isReached(this.state())) {
      if (this.#simulation.elapsed >= end) return false;
      signal?.throwIfAborted();
      await this.#simulation.runUntil(Math.min(end, this.#simulation.elapsed + LOOK_EVERY_MS));
    }
    return true;
  }

  /** Lets that much time pass. */
  async run(ms: number): Promise<void> {
    await this.#simulation.runUntil(this.#simulation.elapsed + ms);
  }

  /** Everything that the server holds now. */
  state(): SimulationState {
    return stateOf(this.#simulation);
  }

  /** Nothing happens afterwards. */
  end(): void {
    this.#simulation.end();
  }
}
