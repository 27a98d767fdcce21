import type { StoreSnapshot } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { ALL_FAULTS, DrawnFaults, handoverOracles, noFaults, stateOf } from '@capstan/simulation';
import type { FaultSource } from '@capstan/simulation';
import { MACHINE_API_CALLER, SyncFixture } from './cluster.js';
import { AWS_MACHINES } from './snapshot.js';
import type { HandoverVariant } from './variants.js';

/** What a handover is tried with. Nothing else decides what happens. */
export interface HandoverTrial {
  readonly seed: number;
  readonly variant: HandoverVariant;
  /** What goes wrong once the machines run. Default: nothing. */
  readonly faults?: FaultSource | undefined;
  /** How long it goes wrong. */
  readonly faultsForMs?: number | undefined;
}

export interface HandoverResult {
  readonly problems: readonly string[];
  readonly faults: number;
  readonly virtualMs: number;
  readonly hash: string;
}

/** Longer than leases and backoff last: each controller has reconciled once. */
const CALM_MS = 300_000;

/** Faults from a seed, of the controllers alone: nodes and the cloud work. */
export function drawnFaults(seed: number): FaultSource {
  const drawn = new DrawnFaults(systemRandom(`faults of handover ${seed}`), { rate: 0.08, kinds: ALL_FAULTS });
  const struck = /^(?:machine-api|cluster-api|infrastructure)/u;
  return {
    strike: (effect, point, likelihood) =>
      struck.test(effect.process) ? drawn.strike(effect, point, likelihood) : undefined,
  };
}

/** Faults from when machines run until they are stopped. */
class Gate implements FaultSource {
  isOpen = false;
  struck = 0;
  readonly #faults: FaultSource;

  constructor(faults: FaultSource) {
    this.#faults = faults;
  }

  strike: FaultSource['strike'] = (effect, point, likelihood) => {
    const action = this.isOpen ? this.#faults.strike(effect, point, likelihood) : undefined;
    if (action !== undefined) this.struck += 1;
    return action;
  };
}

/** What a handover begins with. */
export interface HandoverStart {
  readonly snapshot: StoreSnapshot;
  readonly platforms: ConversionPlatforms;
}

/** Hands machines over once. */
export async function tryHandover(
  { platforms, snapshot }: HandoverStart,
  trial: HandoverTrial,
): Promise<HandoverResult> {
  const { faults = noFaults, faultsForMs = 0, seed, variant } = trial;
  const gate = new Gate(faults);
  const fixture = new SyncFixture(snapshot, platforms, { seed, faults: gate });
  const { cloud, simulation } = fixture;
  const initial = stateOf(simulation);
  const problems: string[] = [];
  let since = 0;
  let calmFrom = 0;
  try {
    await fixture.begin(2);
    since = simulation.elapsed;
    gate.isOpen = true;
    await variant.run(fixture);
    await fixture.pass(faultsForMs);
    gate.isOpen = false;
    calmFrom = simulation.elapsed;
    await fixture.settled(variant.ends);
    await fixture.pass(CALM_MS);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const calls = fixture.cloudCalls(since);
  if (!deepEqual(calls, variant.calls))
    problems.push(`cloud calls ${JSON.stringify(calls)}, expected ${JSON.stringify(variant.calls)}`);
  const record = {
    events: simulation.log.events,
    initial,
    final: stateOf(simulation),
    calmFrom,
    endedAt: simulation.elapsed,
    isWork: () => true,
    quietMs: 0,
    rehearsedFrom: undefined,
    unmet: [],
    failedSteps: [],
  };
  const infrastructure = `${AWS_MACHINES.group}/${AWS_MACHINES.plural}`;
  for (const oracle of handoverOracles({ cloud, infrastructure, machineApiCaller: MACHINE_API_CALLER }))
    problems.push(...oracle.check(record).map(({ message }) => `${oracle.name}: ${message}`));
  fixture.end();
  return { problems, faults: gate.struck, virtualMs: simulation.elapsed, hash: simulation.log.digest };
}
