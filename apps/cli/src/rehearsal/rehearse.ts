import type { HostedCluster } from '@capstan/api/hypershift';
import {
  controlPlaneNamespace,
  isPrivate,
  lockOf,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
} from '@capstan/hosting';
import type { FailureReason, MigrationSettings } from '@capstan/hypershift';
import type { KubeObject } from '@capstan/meta';
import { compareStates, controlPlaneStandIns, Rehearsal } from '@capstan/simulation';
import type { SimulationState } from '@capstan/simulation';
import type { GroupMapping } from '@capstan/translate';
import type { ClusterCopy } from './cluster-copy.js';
import { migrationProcess, rollbackRequest } from './procedure.js';
import type { Observation } from './procedure.js';
import { SIDECAR } from './sidecar.js';
import { ignoredIn, withoutTraces } from './traces.js';

/** One migration of a copy, and back. */
export interface RunOptions {
  readonly mapping: GroupMapping;
  readonly seed: number;
  /** Whether connections break and the operator crashes. */
  readonly isFaulty: boolean;
  readonly failAt?: { readonly step: string; readonly reason: FailureReason } | undefined;
  readonly settings?: Partial<MigrationSettings> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How it ended. */
export interface RunOutcome {
  readonly result: 'migrated' | 'rolled-back' | 'stuck';
  /** Why it was rolled back, or where it is stuck. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Virtual time until the lock was released. */
  readonly durationMs: number;
  /** What differs from before, each in a line. */
  readonly differences: readonly string[];
}

/** With every wait of the migration at its limit, it ends sooner than this. */
const LIMIT_MS = 4 * 3_600_000;
const FAULTS_FOR_MS = 600_000;
const SLOWEST_MS = 60_000;
const USUAL_MS = 10_000;
/** For the garbage collector to end what it does. */
const REST_MS = 10_000;
const HOSTED_CLUSTERS = 'hypershift.openshift.io/hostedclusters';

/** Migrates the copy, compares, takes it back, and compares again. */
export async function rehearseOnce(copy: ClusterCopy, options: RunOptions): Promise<RunOutcome> {
  const { name = '', namespace = '' } = copy.hostedCluster.metadata;
  const { failAt, isFaulty, mapping, seed, settings } = options;
  const observation: Observation = { steps: new Map(), lastError: undefined, problem: undefined, hasFailed: false };
  const rehearsal = new Rehearsal({
    snapshot: copy.snapshot,
    seed,
    faultsForMs: isFaulty ? FAULTS_FOR_MS : 0,
    standIns: (simulation) =>
      controlPlaneStandIns({
        simulation,
        namespace,
        name,
        controlPlaneNamespace: controlPlaneNamespace(namespace, name),
        sidecar: SIDECAR,
        slowestMs: isFaulty ? SLOWEST_MS : USUAL_MS,
        onProblem: (component, message) => {
          observation.problem = `${component}: ${message}`;
        },
      }),
  });
  try {
    rehearsal.spawn(migrationProcess({ namespace, name, mapping, settings, failAt, observation }));
    return await follow(rehearsal, options, observation);
  } finally {
    rehearsal.end();
  }
}

async function follow(rehearsal: Rehearsal, options: RunOptions, observation: Observation): Promise<RunOutcome> {
  const { mapping, signal } = options;
  const wait = { limitMs: LIMIT_MS, signal };
  if (!(await rehearsal.until(isOver, wait))) return stuck(rehearsal, observation);
  const there = await settled(rehearsal);
  const isMigrated = isPrivate(there.cluster);
  const began = observation.steps.get('acknowledge') ?? 0;
  const durationMs = rehearsal.elapsedMs - REST_MS - began;
  const differences = differing(rehearsal.initial, there.state, isMigrated ? 'private' : 'standard', mapping);
  if (!isMigrated) {
    const { annotations = {} } = there.cluster.metadata;
    const reason = annotations[MIGRATION_FAILED_ANNOTATION];
    const recorded = annotations[MIGRATION_FAILURE_ANNOTATION] ?? 'no message was recorded';
    const message = observation.problem === undefined ? recorded : `${recorded}; ${observation.problem}`;
    return { result: 'rolled-back', reason, message, durationMs, differences };
  }
  const { name = '', namespace = '' } = there.cluster.metadata;
  rehearsal.spawn(rollbackRequest(namespace, name));
  if (!(await rehearsal.until(isBack, wait))) return { ...stuck(rehearsal, observation), durationMs };
  const back = await settled(rehearsal);
  const backwards = differing(rehearsal.initial, back.state, 'standard', mapping);
  return {
    result: 'migrated',
    durationMs,
    differences: [...differences, ...backwards.map((each) => `after the rollback: ${each}`)],
  };
}

async function settled(rehearsal: Rehearsal): Promise<{ state: SimulationState; cluster: HostedCluster }> {
  await rehearsal.run(REST_MS);
  const state = rehearsal.state();
  return { state, cluster: clusterIn(state) };
}

function clusterIn(state: SimulationState): HostedCluster {
  return state.of<KubeObject>(HOSTED_CLUSTERS)[0] as HostedCluster;
}

function isOver(state: SimulationState): boolean {
  const cluster = clusterIn(state);
  const isFailed = cluster.metadata.annotations?.[MIGRATION_FAILED_ANNOTATION] !== undefined;
  return lockOf(cluster).holder === 'nobody' && (isFailed || isPrivate(cluster));
}

function isBack(state: SimulationState): boolean {
  return isOver(state) && !isPrivate(clusterIn(state));
}

function stuck(rehearsal: Rehearsal, { lastError, problem, steps }: Observation): RunOutcome {
  const [step = 'start'] = [...steps.keys()].slice(-1);
  const { status } = clusterIn(rehearsal.state());
  const conditions = (status?.conditions ?? []) as readonly { readonly type: string; readonly message?: string }[];
  const shown = conditions.find(({ type }) => type === 'PrivateCAPIMigration')?.message;
  const message = lastError ?? problem ?? shown ?? 'no message';
  return { result: 'stuck', reason: step, message, durationMs: rehearsal.elapsedMs, differences: [] };
}

function differing(
  before: SimulationState,
  after: SimulationState,
  side: 'private' | 'standard',
  mapping: GroupMapping,
): readonly string[] {
  return compareStates(before, after, {
    mapping,
    side,
    withoutTraces: (object) => withoutTraces(object, mapping),
    ignores: (resource, object) => ignoredIn(resource, object, mapping),
  });
}
