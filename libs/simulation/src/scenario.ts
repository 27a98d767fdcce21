import type { StoreSnapshot } from '@capstan/apiserver';
import type { Client } from '@capstan/kube';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { FaultProfile } from './faults/sources.js';
import type { CommitEvent, SimulationEvent } from './engine/event-log.js';
import type { ProcessDefinition } from './engine/process.js';
import type { Simulation } from './engine/simulation.js';

/** All objects of a simulation at one time. */
export class SimulationState {
  readonly #objects: ReadonlyMap<string, readonly KubeObject[]>;

  constructor(objects: ReadonlyMap<string, readonly KubeObject[]>) {
    this.#objects = objects;
  }

  /** The objects of a resource by its group and plural (`apps/deployments`, `pods`), in order of namespace and name. */
  of<T extends KubeObject = KubeObject>(resource: string): readonly T[] {
    return (this.#objects.get(resource) ?? []) as readonly T[];
  }

  entries(): Iterable<readonly [string, readonly KubeObject[]]> {
    return this.#objects;
  }
}

/** What a step of the scenario may use. Nothing goes wrong with its requests. */
export interface StepContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly simulation: Simulation;
}

/** A change of the simulation from outside. Steps come one after another; any may be left out to make a failure smaller. */
export interface Step {
  readonly name: string;
  run(context: StepContext): Promise<unknown>;
}

/** The result of a run: the evidence that oracles check. */
export interface RunRecord {
  readonly events: readonly SimulationEvent[];
  readonly initial: SimulationState;
  readonly final: SimulationState;
  /** Virtual time at which the last fault and the last step were over. */
  readonly calmFrom: number;
  readonly endedAt: number;
  /** Whether a commit counts as work; heartbeats do not. */
  readonly isWork: (event: CommitEvent) => boolean;
  readonly quietMs: number;
  /** Virtual time from which on everything was well and every process restarted. */
  readonly rehearsedFrom: number | undefined;
  /** What is not as it should be at the end, by the scenario's own goal. */
  readonly unmet: readonly string[];
  /** Steps that failed. */
  readonly failedSteps: readonly string[];
}

/** Something that must not be. */
export interface Violation {
  readonly oracle: string;
  readonly message: string;
  /** Where in the events it shows. */
  readonly event?: SimulationEvent | undefined;
}

/** A check: finds in the record of a run what must not be. */
export interface Oracle {
  readonly name: string;
  check(record: RunRecord): readonly Violation[];
}

/** A check of everything that happens while a rehearsal is carried out. */
export interface RehearsalOracle {
  readonly name: string;
  /** What must not be, in one line; undefined where the event is as it should be. */
  onEvent?(event: SimulationEvent): string | undefined;
  /** What must not be at the end of a run, a line each. */
  atEnd?(state: SimulationState): readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly snapshot?: (() => Promise<StoreSnapshot>) | undefined;
  readonly processes: readonly ProcessDefinition[];
  readonly steps: readonly Step[];
  readonly oracles: readonly Oracle[];
  /** What each run has of its own (a cloud, other clusters); what it gives goes before what is written here. */
  readonly fixture?:
    | ((simulation: Simulation) => Partial<Pick<Scenario, 'processes' | 'steps' | 'oracles' | 'goal'>>)
    | undefined;
  readonly faults?: FaultProfile | undefined;
  /** How long things go wrong. */
  readonly faultsForMs: number;
  /** Longest pause between two steps. */
  readonly stepGapMs: number;
  /** Within how long after the last fault and the last step all must be well and quiet. */
  readonly convergeWithinMs: number;
  /** How long nothing may be written for the simulation to count as quiet. */
  readonly quietMs: number;
  readonly isWork?: ((event: CommitEvent) => boolean) | undefined;
  /** What is not (yet) as it should be. Must hold whichever steps were left out. */
  goal(state: SimulationState): readonly string[];
}
