import { Simulation } from '../engine/simulation.js';
import { stateOf } from '../run/run.js';
import type { SimulationState } from '../scenario.js';
import type { ProcessDefinition } from '../engine/process.js';
import { collectorProcess } from '../scenarios/processes.js';
import type { RehearsalCopy } from './scenario.js';

/** Who acts on a copy before anything is rehearsed on it. */
export interface SettleOptions<T> {
  readonly copy: RehearsalCopy;
  /** Sets up a run: what its stand-ins share, and the stand-ins. */
  begin(
    simulation: Simulation,
    initial: SimulationState,
  ): { readonly kept: T; readonly standIns: readonly ProcessDefinition[] };
}

/** A copy whose controllers have nothing left to do. */
export interface SettledCopy<T> {
  readonly copy: RehearsalCopy;
  readonly kept: T;
  /** Whether they came to rest before the limit. */
  readonly isQuiet: boolean;
}

const LOOK_EVERY_MS = 10_000;
const QUIET_MS = 60_000;
const LIMIT_MS = 900_000;
/** Written again and again, whatever happens. */
const RECORDS: ReadonlySet<string> = new Set(['coordination.k8s.io/leases', 'events', 'events.k8s.io/events']);

/**
 * Lets the controllers of a copy act until they write no more. What they do of their own is done then, and whatever differs
 * after a rehearsal is the doing of what was rehearsed.
 */
export async function settle<T>({ copy, ...options }: SettleOptions<T>): Promise<SettledCopy<T>> {
  let wroteAt = 0;
  const simulation: Simulation = new Simulation({
    seed: 0,
    snapshot: copy.snapshot,
    startAtMs: copy.atMs,
    onEvent: (event) => {
      if (event.type === 'commit' && !RECORDS.has(event.resource)) wroteAt = event.at;
    },
  });
  const rest = async (): Promise<void> => {
    const until = simulation.elapsed + LIMIT_MS;
    wroteAt = simulation.elapsed;
    while (simulation.elapsed - wroteAt < QUIET_MS && simulation.elapsed < until)
      await simulation.runUntil(simulation.elapsed + LOOK_EVERY_MS);
  };
  try {
    const { kept, standIns } = options.begin(simulation, stateOf(simulation));
    for (const each of [{ ...collectorProcess(), isReliable: true }, ...standIns]) simulation.spawn(each);
    await rest();
    // What controllers write only when they start they have written as well then.
    simulation.restartProcesses();
    await rest();
    return {
      copy: { snapshot: simulation.server.store.snapshot({ history: false }), atMs: simulation.timeline.clock().now() },
      kept,
      isQuiet: simulation.elapsed - wroteAt >= QUIET_MS,
    };
  } finally {
    simulation.end();
  }
}
