import type { StoreSnapshot } from '@capstan/apiserver';
import type { ProcessDefinition } from '../engine/process.js';
import type { Simulation } from '../engine/simulation.js';
import type { RehearsalOracle, SimulationState } from '../scenario.js';

/** One run of a scenario, by what makes it different from other runs. */
export interface RehearsalPass {
  readonly seed: number;
  /** Whether connections break and processes crash. */
  readonly isFaulty: boolean;
  /** The step that fails; its procedure sees to that. */
  readonly failAt?: string | undefined;
}

/** What a run begins with. */
export interface RehearsalCopy {
  readonly snapshot: StoreSnapshot;
  /** When the copy was as it is, in milliseconds since the epoch: objects carry times, and controllers decide by them. */
  readonly atMs?: number | undefined;
}

/**
 * What is rehearsed: the copy of a server, what is carried out on it, and what must hold. A migration is one scenario, a
 * handover of machines or of a platform another; all of them run, repeat and report alike.
 */
export interface RehearsalScenario {
  /** It is not changed, and may be used again; or how to get it, which is asked before each run. */
  readonly copy: RehearsalCopy | (() => Promise<RehearsalCopy>);
  /** Called once for each run, so that no two runs share a memory. */
  begin(context: RehearsalContext): RehearsalScript;
}

/** What a script is written for. */
export interface RehearsalContext {
  readonly simulation: Simulation;
  readonly pass: RehearsalPass;
  readonly initial: SimulationState;
}

/** What happens in one run. */
export interface RehearsalScript {
  /** Controllers and clouds that the procedure depends on, besides the server and its garbage collector. */
  readonly standIns: readonly ProcessDefinition[];
  /** One after another, as long as each succeeds: the procedure, then the way back. */
  readonly actions: readonly RehearsalAction[];
  readonly oracles: readonly RehearsalOracle[];
  /** What the copy cannot show, and what happened on it before, for the user. */
  readonly notes?: readonly string[] | undefined;
}

/** How an action has ended by itself. */
export type ActionEnd =
  | { readonly result: 'done' }
  | { readonly result: 'undone'; readonly reason: string; readonly message: string };

/** Something that is carried out, and that ends as it should or is undone. */
export interface RehearsalAction {
  readonly name: string;
  /** Start with the action, and go on after it. */
  readonly processes: readonly ProcessDefinition[];
  /** How long it may take; virtual time, as everything here. */
  readonly limitMs: number;
  /** How it has ended; undefined while it goes on. */
  endOf(state: SimulationState): ActionEnd | undefined;
  /** When it began to work, in milliseconds of the simulation. Default: when its processes were started. */
  beganAtMs?(): number | undefined;
  /** Where it is and why it waits, for one that does not end. */
  waitsFor?(state: SimulationState): { readonly step: string; readonly message: string };
  /**
   * What is not as it was before the first action, a line each, once it has ended like that. Asked again while there is
   * something, for some minutes: what controllers have yet to write is no difference.
   */
  differences(states: {
    readonly before: SimulationState;
    readonly after: SimulationState;
    readonly end: ActionEnd;
  }): readonly string[];
}

/** How a run has ended. */
export interface RehearsalOutcome {
  /** `done`: every action; `undone`: an action was, and nothing is carried out after it; `stuck`: one did not end. */
  readonly result: 'done' | 'undone' | 'stuck';
  /** Why it was undone, or the step it is stuck at. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Virtual time of the first action. */
  readonly durationMs: number;
  /** What differs from before, and what the oracles have found. */
  readonly differences: readonly string[];
  /** As the script gave them. */
  readonly notes: readonly string[];
}
