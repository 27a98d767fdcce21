import type { HostedCluster } from '@capstan/api/hypershift';
import {
  controlPlaneNamespace,
  isPrivate,
  lockOf,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
} from '@capstan/hosting';
import { isForProxies } from '@capstan/hypershift';
import type { MigrationSettings } from '@capstan/hypershift';
import {
  compareStates,
  MachinesCopy,
  migrationRehearsalOracles,
  OPERATOR_STAND_INS,
  OTHER_STAND_INS,
} from '@capstan/simulation';
import type {
  ActionEnd,
  RehearsalAction,
  RehearsalContext,
  RehearsalScenario,
  SimulationState,
} from '@capstan/simulation';
import type { KubeObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { readGroupPairs } from '../../crds/settings.js';
import type { ScenarioFactory } from '../../rehearsal/runner.js';
import { settledOnce, standInsOf } from './cast.js';
import type { ClusterCopy } from './cluster-copy.js';
import { migrationProcess, rollbackRequest, USER } from './procedure.js';
import type { Observation } from './procedure.js';
import { ignoredIn, withoutTraces } from './traces.js';
import type { TraceOptions } from './traces.js';

/** What every migration of a command needs; plain data, so that it can be sent to a thread. */
export interface RehearsedMigrations {
  readonly copies: readonly ClusterCopy[];
  readonly groupPairs: readonly string[];
  readonly settings: Partial<MigrationSettings>;
}

/** With every wait of the migration at its limit, it ends sooner than this. */
const LIMIT_MS = 4 * 3_600_000;
const SLOWEST_MS = 60_000;
const USUAL_MS = 10_000;
const HOSTED_CLUSTERS = 'hypershift.openshift.io/hostedclusters';

/** One scenario for each copy. */
export const scenariosOf: ScenarioFactory<RehearsedMigrations> = ({ copies, groupPairs, settings }) => {
  const mapping = readGroupPairs(groupPairs);
  return copies.map((copy) => migrationScenario(copy, mapping, settings));
};

/** Migrates the copy, compares, takes it back, and compares again; at every event the oracles of a migration look. */
export function migrationScenario(
  copy: ClusterCopy,
  mapping: GroupMapping,
  settings: Partial<MigrationSettings> = {},
): RehearsalScenario {
  const { name = '', namespace = '' } = copy.hostedCluster.metadata;
  const cluster = { namespace, name, controlPlane: controlPlaneNamespace(namespace, name) };
  const settled = settledOnce(copy, cluster, mapping);
  const carried = new Set(copy.controllers.carried);
  return {
    copy: async () => (await settled()).copy,
    begin: ({ initial, pass: { failAt, isFaulty }, simulation }: RehearsalContext) => {
      const observation: Observation = { steps: new Map(), lastError: undefined, problem: undefined, hasFailed: false };
      const play: Play = { mapping, observation, carried, remembered: new WeakMap() };
      const { isQuiet, kept } = settled.last();
      const machines = new MachinesCopy(simulation, simulation.random.split('machines'), kept.state);
      const migration = migrationProcess({ namespace, name, mapping, settings, failAt, observation });
      return {
        standIns: standInsOf(
          { copy, cluster, machines, mapping, simulation },
          isFaulty ? SLOWEST_MS : USUAL_MS,
          (problem) => {
            observation.problem = problem;
          },
        ),
        actions: [
          { ...migrate(play), processes: [migration] },
          { ...rollBack(play), processes: [rollbackRequest(namespace, name)] },
        ],
        oracles: migrationRehearsalOracles(
          {
            cloud: machines.cloud,
            mapping,
            hostedCluster: copy.id,
            namespace: cluster.controlPlane,
            others: [migration.name, USER, 'garbage-collector', 'server', ...OTHER_STAND_INS],
            operators: OPERATOR_STAND_INS,
          },
          initial,
        ),
        notes: [...kept.calls, ...(isQuiet ? [] : ['the controllers of the copy did not settle before'])],
      };
    },
  };
}

/** One run: what it observes, and what it compares by. */
interface Play extends TraceOptions {
  readonly remembered: WeakMap<KubeObject, unknown>;
  readonly observation: Observation;
}

function migrate(play: Play): Omit<RehearsalAction, 'processes'> {
  return {
    name: 'the migration',
    limitMs: LIMIT_MS,
    endOf: (state) => endOfMigration(state, play.observation),
    beganAtMs: () => play.observation.steps.get('acknowledge'),
    waitsFor: (state) => waiting(state, play.observation),
    differences: ({ after, before, end }) =>
      differing(before, after, end.result === 'done' ? 'private' : 'standard', play),
  };
}

function rollBack(play: Play): Omit<RehearsalAction, 'processes'> {
  return {
    name: 'the rollback',
    limitMs: LIMIT_MS,
    endOf: (state) => (isReleased(state) && !isPrivate(clusterIn(state)) ? { result: 'done' } : undefined),
    waitsFor: (state) => waiting(state, play.observation),
    differences: ({ after, before }) => differing(before, after, 'standard', play),
  };
}

function clusterIn(state: SimulationState): HostedCluster {
  return state.of(HOSTED_CLUSTERS)[0] as HostedCluster;
}

function isReleased(state: SimulationState): boolean {
  return lockOf(clusterIn(state)).holder === 'nobody';
}

function endOfMigration(state: SimulationState, { problem }: Observation): ActionEnd | undefined {
  if (!isReleased(state)) return undefined;
  const cluster = clusterIn(state);
  if (isPrivate(cluster)) return { result: 'done' };
  const { annotations = {} } = cluster.metadata;
  const reason = annotations[MIGRATION_FAILED_ANNOTATION];
  if (reason === undefined) return undefined;
  const recorded = annotations[MIGRATION_FAILURE_ANNOTATION] ?? 'no message was recorded';
  return { result: 'undone', reason, message: problem === undefined ? recorded : `${recorded}; ${problem}` };
}

function waiting(
  state: SimulationState,
  { lastError, problem, steps }: Observation,
): { readonly step: string; readonly message: string } {
  const [step = 'start'] = [...steps.keys()].slice(-1);
  const { status } = clusterIn(state);
  const conditions = (status?.conditions ?? []) as readonly { readonly type: string; readonly message?: string }[];
  const shown = conditions.find(({ type }) => type === 'PrivateCAPIMigration')?.message;
  return { step, message: lastError ?? problem ?? shown ?? 'no message' };
}

function differing(
  before: SimulationState,
  after: SimulationState,
  side: 'private' | 'standard',
  { carried, mapping, remembered }: Play,
): readonly string[] {
  const differences = compareStates(before, after, {
    mapping,
    side,
    remembered,
    withoutTraces: (object) => withoutTraces(object, { carried, mapping }),
    ignores: (resource, object) => ignoredIn(resource, object, mapping),
  });
  return side === 'private' ? differences : [...differences, ...leftOfProxies(after)];
}

/** On standard types there is no proxy, and nothing for one. */
function leftOfProxies(after: SimulationState): readonly string[] {
  return [...after.entries()].flatMap(([, objects]) =>
    objects.filter(isForProxies).map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''} is left of a proxy`),
  );
}
