import { createHash } from 'node:crypto';
import { errorText, sleep, systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { FaultSource, PlannedFault } from '../faults/fault.js';
import { DrawnFaults, listedFaults } from '../faults/sources.js';
import type { CommitEvent, SimulationEvent } from '../engine/event-log.js';
import { resourceName } from '../engine/resource-name.js';
import type { SometimesLedger } from '../engine/sometimes-ledger.js';
import { Simulation } from '../engine/simulation.js';
import type { RunRecord, Scenario, Violation } from '../scenario.js';
import { SimulationState } from '../scenario.js';

/** What of a scenario is run, and with what. */
export interface RunOptions {
  readonly seed: number;
  /** Exactly these instead of those the seed draws. */
  readonly faults?: readonly PlannedFault[] | undefined;
  /** Steps left out, by name. */
  readonly withoutSteps?: ReadonlySet<string> | undefined;
  /** Processes left out, by name. */
  readonly withoutProcesses?: ReadonlySet<string> | undefined;
}

export interface RunResult {
  readonly scenario: string;
  readonly options: RunOptions;
  /** The digest of everything that happened, in order. */
  readonly hash: string;
  readonly events: readonly SimulationEvent[];
  /** The faults that struck; given to another run they strike again. */
  readonly faults: readonly PlannedFault[];
  readonly violations: readonly Violation[];
  /** How far virtual time got. */
  readonly elapsedMs: number;
  /** The hooks in controllers that were passed. */
  readonly hooks: SometimesLedger;
}

/** How long the steps may take before the scenario is given up. */
const MAX_STEPS_MS = 3_600_000;
const LOOK_EVERY_MS = 15_000;
/** How long the restarted processes have to find something to do. */
const REHEARSAL_MS = 120_000;

const HEARTBEATS: ReadonlySet<string> = new Set(['coordination.k8s.io/leases', 'events', 'events.k8s.io/events']);

/** Everything counts as work but leases, events and the heartbeats of nodes. */
export function isWork(event: CommitEvent): boolean {
  return !HEARTBEATS.has(event.resource) && !(event.resource === 'nodes' && event.change === 'update');
}

/** Runs a scenario once, from its seed, and checks it. */
export async function runOnce(written: Scenario, options: RunOptions): Promise<RunResult> {
  const { seed, withoutProcesses } = options;
  const snapshot = await written.snapshot?.();
  const simulation = new Simulation({
    seed,
    faults: faultSource(written, options),
    faultsUntilMs: written.faultsForMs,
    ...(snapshot === undefined ? {} : { snapshot }),
  });
  const initial = stateOf(simulation);
  const scenario = { ...written, ...written.fixture?.(simulation) };
  for (const process of scenario.processes) if (withoutProcesses?.has(process.name) !== true) simulation.spawn(process);
  const progress = runScenario(simulation, scenario, options);
  while (!progress.isOver && simulation.elapsed < MAX_STEPS_MS)
    await simulation.runUntil(simulation.elapsed + LOOK_EVERY_MS);
  if (!progress.isOver) progress.failed.push('the steps did not come to an end');
  await simulation.runUntil(Math.max(simulation.elapsed, scenario.faultsForMs));
  const calmFrom = simulation.elapsed;
  const unmet = await converge(simulation, scenario, calmFrom);
  const rehearsedFrom = unmet.length === 0 ? await rehearse(simulation) : undefined;
  simulation.end();
  const record: RunRecord = {
    events: simulation.log.events,
    initial,
    final: stateOf(simulation),
    calmFrom,
    endedAt: simulation.elapsed,
    isWork: scenario.isWork ?? isWork,
    quietMs: scenario.quietMs,
    rehearsedFrom,
    unmet,
    failedSteps: progress.failed,
  };
  return {
    scenario: scenario.name,
    options,
    hash: simulation.log.digest,
    events: simulation.log.events,
    faults: struck(simulation.log.events),
    violations: scenario.oracles.flatMap((oracle) => oracle.check(record)),
    elapsedMs: simulation.elapsed,
    hooks: simulation.hooks,
  };
}

function faultSource(scenario: Scenario, { seed, faults }: RunOptions): FaultSource {
  if (faults !== undefined) return listedFaults(faults);
  return new DrawnFaults(systemRandom(`faults ${seed}`), scenario.faults);
}

interface Progress {
  isOver: boolean;
  readonly failed: string[];
}

function runScenario(simulation: Simulation, scenario: Scenario, options: RunOptions): Progress {
  const progress: Progress = { isOver: false, failed: [] };
  const steps = scenario.steps.filter(({ name }) => options.withoutSteps?.has(name) !== true);
  simulation.spawn({
    name: 'user',
    isReliable: true,
    start: async ({ client, clock, random }) => {
      for (const step of steps) {
        // By name, so that leaving one out moves the others as little as can be.
        const chance = random.split(step.name);
        await sleep(clock, chance.split('gap').below(scenario.stepGapMs));
        simulation.log.add({ type: 'step', at: simulation.elapsed, process: 'user', detail: step.name });
        try {
          await step.run({ client, clock, random: chance, simulation });
        } catch (error) {
          progress.failed.push(`${step.name}: ${errorText(error)}`);
        }
      }
      progress.isOver = true;
    },
  });
  return progress;
}

/** Runs the simulation until the goal is met and nothing is written, or time is up; returns what is still unmet. */
async function converge(simulation: Simulation, scenario: Scenario, calmFrom: number): Promise<readonly string[]> {
  const counts = scenario.isWork ?? isWork;
  const { events } = simulation.log;
  let looked = 0;
  let lastWork = calmFrom;
  for (;;) {
    for (; looked < events.length; looked += 1) {
      const event = events[looked];
      if (event?.type === 'commit' && counts(event)) lastWork = Math.max(lastWork, event.at);
    }
    const isLate = simulation.elapsed >= calmFrom + scenario.convergeWithinMs + scenario.quietMs;
    const isQuiet = simulation.elapsed - lastWork >= scenario.quietMs;
    if (isLate || isQuiet) {
      const unmet = scenario.goal(stateOf(simulation));
      if (isLate || unmet.length === 0) return unmet;
    }
    await simulation.runUntil(simulation.elapsed + LOOK_EVERY_MS);
  }
}

/** Once the goal is met, every process restarts and should find nothing to do. Returns when. */
async function rehearse(simulation: Simulation): Promise<number> {
  const from = simulation.elapsed;
  simulation.restartProcesses();
  await simulation.runUntil(from + REHEARSAL_MS);
  return from;
}

/** Everything a server holds now. */
export function stateOf(simulation: Pick<Simulation, 'server'>): SimulationState {
  const { store } = simulation.server;
  const objects = new Map<string, readonly KubeObject[]>();
  for (const resource of store.resources())
    objects.set(
      resourceName(resource),
      store.list(resource).items.map((stored) => stored.object()),
    );
  return new SimulationState(objects);
}

function struck(events: readonly SimulationEvent[]): PlannedFault[] {
  return events.flatMap((event) => (event.type === 'fault' ? [event.fault] : []));
}

/** One digest for many runs, in order. */
export function combinedHash(hashes: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const each of hashes) hash.update(each);
  return hash.digest('hex').slice(0, 16);
}
