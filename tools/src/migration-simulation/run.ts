import type { StoreSnapshot } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import { ALL_FAULTS, DrawnFaults } from '@capstan/simulation';
import type { HostingPlatform } from '@capstan/provider';
import type { FaultSource } from '@capstan/simulation';
import { SimulatedMigration } from './fleet.js';
import { migrationProcess } from './processes.js';
import { MACHINES_AT_FIRST } from './variants.js';
import type { Ending, InFlight } from './variants.js';

/** What a migration is tried with. */
export interface Trial {
  readonly seed: number;
  readonly ending: Ending;
  readonly inFlight: InFlight;
  /** Whether requests fail and processes crash. */
  readonly hasFaults: boolean;
  /** Default: one of tests. The snapshot has its kinds. */
  readonly platform?: HostingPlatform | undefined;
}

export interface TrialResult {
  /** `migrated`, or why it was rolled back. */
  readonly end: string;
  readonly problems: readonly string[];
  readonly faults: number;
  readonly virtualMs: number;
  readonly hash: string;
}

/** What faults strike: the migration, operators, Cluster API and its provider; never what stands for the rest of a cluster. */
const STRUCK =
  /^(?:migration|operator|operator-legacy)$|\/(?:control-plane-operator|hosted-cluster-config-operator|cluster-api|capi-provider|machine-approver)\//u;
const FAULTS_FOR_MS = 600_000;
/** Longer than the leases last that controllers leave behind: each has reconciled once. */
const CALM_MS = 300_000;

/** Faults from when the fleet is up. */
class LaterFaults implements FaultSource {
  isOn = false;
  struck = 0;
  readonly #drawn: DrawnFaults;

  constructor(seed: number) {
    this.#drawn = new DrawnFaults(systemRandom(`faults of migration ${seed}`), { rate: 0.03, kinds: ALL_FAULTS });
  }

  strike: FaultSource['strike'] = (effect, point, likelihood) => {
    if (!this.isOn || !STRUCK.test(effect.process)) return undefined;
    const action = this.#drawn.strike(effect, point, likelihood);
    if (action !== undefined) this.struck += 1;
    return action;
  };
}

/** Migrates a fleet once. Nothing but the seed and the trial decides what happens. */
export async function tryMigration(snapshot: StoreSnapshot, trial: Trial): Promise<TrialResult> {
  const { ending, hasFaults, inFlight, platform, seed } = trial;
  const faults = new LaterFaults(seed);
  const options = { snapshot, seed, faults, faultsUntilMs: Number.MAX_SAFE_INTEGER };
  const fleet = await SimulatedMigration.start(options, { machines: MACHINES_AT_FIRST, platform });
  const { simulation } = fleet;
  const run: Run = { since: simulation.elapsed, end: '', failure: undefined };
  try {
    await migrate(fleet, faults, { trial, run });
  } catch (error) {
    run.failure = error instanceof Error ? error.message : String(error);
  }
  const { end, failure, since } = run;
  const problems = [...(failure === undefined ? [] : [failure]), ...fleet.violations(), ...usersProblems(fleet, trial)];
  const calls = fleet.cloudCalls(since);
  if (!deepEqual(calls, inFlight.calls))
    problems.push(`cloud calls ${JSON.stringify(calls)}, expected ${JSON.stringify(inFlight.calls)}`);
  // Faults may last longer than a step may wait.
  if (!hasFaults && end !== (ending.reason ?? 'migrated')) problems.push(`it ended as ${end}`);
  simulation.end();
  return { end, problems, faults: faults.struck, virtualMs: simulation.elapsed, hash: simulation.log.digest };
}

/** What is known of a run so far. */
interface Run {
  /** From when on the cloud is asked for what is under way alone. */
  since: number;
  end: string;
  failure: string | undefined;
}

async function migrate(
  fleet: SimulatedMigration,
  faults: LaterFaults,
  { run, trial: { ending, hasFaults, inFlight } }: { readonly trial: Trial; readonly run: Run },
): Promise<void> {
  const { platform, simulation } = fleet;
  const begin = (): void => simulation.spawn(migrationProcess({ platform, settings: ending.settings }));
  if (ending.isByHand === true) {
    begin();
    run.end = await fleet.ended();
    await fleet.settled(MACHINES_AT_FIRST);
  }
  run.since = simulation.elapsed;
  faults.isOn = hasFaults;
  await inFlight.begin(fleet);
  await ending.prepare?.(fleet);
  if (ending.isByHand !== true) begin();
  if (hasFaults) await fleet.pass(FAULTS_FOR_MS);
  faults.isOn = false;
  run.end = await fleet.ended();
  ending.relieve?.(fleet);
  await fleet.settled(inFlight.machines);
  await fleet.pass(CALM_MS);
}

/** What a user of the cluster would complain about. */
function usersProblems({ probe }: SimulatedMigration, { inFlight }: Trial): readonly string[] {
  const problems = probe.failures.map((failure) => `a user of the cluster: ${failure}`);
  const { calls, lostInstances = 0 } = inFlight;
  // A machine that goes stops before its node is deleted.
  const mayBeLost = lostInstances + (calls['terminate'] ?? 0);
  if (probe.lostNodes.size > mayBeLost) problems.push(`nodes were not ready: ${[...probe.lostNodes].join(', ')}`);
  if (probe.requests === 0) problems.push('no user asked the cluster for anything');
  return problems;
}
