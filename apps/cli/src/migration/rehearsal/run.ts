import { availableParallelism } from 'node:os';
import { DEFAULT_MIGRATION_SETTINGS, MIGRATION_LIMITS } from '@capstan/hypershift';
import type { MigrationSettings } from '@capstan/hypershift';
import type { KubeObject } from '@capstan/meta';
import { listPasses } from '@capstan/simulation';
import type { RehearsalPass } from '@capstan/simulation';
import { NoVerdictError, UsageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { durationMs } from '../../options.js';
import type { ClusterOptions } from '../../options.js';
import { readGroupPairs } from '../../crds/settings.js';
import { withCluster } from '../../hosted/cluster-access.js';
import { rehearseAll } from '../../rehearsal/plan.js';
import type { SubjectResults } from '../../rehearsal/plan.js';
import { progressOn } from '../../rehearsal/progress.js';
import type { RehearsalProgress } from '../../rehearsal/progress.js';
import { startRunner } from '../../rehearsal/runner.js';
import type { Runner } from '../../rehearsal/runner.js';
import { quoted } from '../../rehearsal/summary.js';
import { clusterName } from '../clusters.js';
import { readSelector } from '../selector.js';
import { copyOfCluster } from './cluster-copy.js';
import type { ClusterCopy } from './cluster-copy.js';
import { clusterId } from './model.js';
import type { ClusterFilter, SourceFleet } from './model.js';
import { formatReport } from './print.js';
import type { ReportFormat } from './print.js';
import { STEP_NAMES } from './procedure.js';
import { readFolder } from './read-folder.js';
import { readLive } from './read-live.js';
import { reportOf } from './report.js';
import { scenariosOf } from './scenario.js';

/** `capstan migration rehearse`, as it was typed. */
export interface RehearseOptions extends ClusterOptions {
  readonly from?: string | undefined;
  readonly cluster?: readonly string[] | undefined;
  readonly selector?: string | undefined;
  readonly seeds: number;
  readonly seed?: number | undefined;
  readonly failAt?: string | undefined;
  readonly mirror?: boolean | undefined;
  readonly limit?: readonly string[] | undefined;
  readonly threads?: number | undefined;
  readonly groupPair?: readonly string[] | undefined;
  readonly output?: ReportFormat | undefined;
}

/** More would wait for memory. */
const MOST_THREADS = 8;

/** Rehearses the migration of clusters, and prints the report; whether all would migrate. */
export async function runRehearse(options: RehearseOptions, io: Io): Promise<boolean> {
  const mapping = readGroupPairs(options.groupPair ?? []);
  const settings = readLimits(options.limit ?? []);
  const passes = passesOf(options);
  const stop = new AbortController();
  const quiet = io.onStop(() => stop.abort());
  try {
    const fleet = await readFleet(options, io, { mapping, signal: stop.signal });
    const copies = fleet.clusters.map((source) =>
      copyOfCluster(fleet, source, { mapping, mirrors: options.mirror === true, nowMs: Date.now() }),
    );
    requireAll(options, copies);
    const progress = progressOn(io, copies.length * passes.length);
    const threads = options.threads ?? Math.min(availableParallelism(), MOST_THREADS);
    const data = { copies, settings, groupPairs: options.groupPair ?? [] };
    const source = { module: new URL('./scenario.js', import.meta.url).href, data, scenariosOf };
    const runner = startRunner(source, Math.min(threads, copies.length * passes.length), stop.signal);
    const results = await rehearseWith(runner, copies, passes, progress);
    const reports = results.map(({ results: own, subject }) => reportOf(subject, own, commandOf(options)));
    progress.clear();
    io.out(await formatReport(reports, options.output ?? 'table'));
    return reports.every(({ verdict }) => verdict === 'would-migrate' || verdict === 'migrated-already');
  } catch (error) {
    if (stop.signal.aborted)
      throw new NoVerdictError('the rehearsal was stopped', 'nothing was changed; run it again for an answer', {
        cause: error,
      });
    throw error;
  } finally {
    quiet();
  }
}

async function rehearseWith(
  runner: Runner,
  copies: readonly ClusterCopy[],
  passes: readonly RehearsalPass[],
  { advance: onPass }: RehearsalProgress,
): Promise<readonly SubjectResults<ClusterCopy>[]> {
  try {
    return await rehearseAll(copies, passes, { runner, onPass });
  } finally {
    await runner.close();
  }
}

async function readFleet(
  options: RehearseOptions,
  io: Io,
  { mapping, signal }: { readonly mapping: ReturnType<typeof readGroupPairs>; readonly signal: AbortSignal },
): Promise<SourceFleet> {
  const filter = filterOf(options);
  if (options.from !== undefined) return readFolder(options.from, filter);
  return withCluster(options, io, (client) => readLive({ client, mapping, filter, signal }));
}

/** Names as they were typed, by those of the clusters: `NAME` is one in the usual namespace, as for every other command. */
function namesOf({ cluster = [] }: RehearseOptions): ReadonlyMap<string, string> {
  return new Map(
    cluster.map((text) => {
      const { name, namespace } = clusterName(text, {});
      return [`${namespace}/${name}`, text];
    }),
  );
}

function filterOf(options: RehearseOptions): ClusterFilter {
  const { cluster, selector } = options;
  const named = cluster === undefined ? undefined : namesOf(options);
  const matches = selector === undefined ? undefined : readSelector(selector);
  return (object: KubeObject) =>
    (named === undefined || named.has(clusterId(object))) && matches?.matches(object.metadata.labels ?? {}) !== false;
}

function requireAll(options: RehearseOptions, copies: readonly ClusterCopy[]): void {
  const { from } = options;
  const found = new Set(copies.map(({ id }) => id));
  const missing = [...namesOf(options).keys()].find((each) => !found.has(each));
  const place = from ?? 'this cluster';
  if (missing !== undefined)
    throw new NoVerdictError(
      `there is no HostedCluster ${missing} in ${place}`,
      'name it as NAME or NAMESPACE/NAME, and list them with capstan migration status',
    );
  if (copies.length === 0)
    throw new NoVerdictError(
      `there are no HostedClusters to rehearse in ${place}`,
      'name another cluster with --context, another folder with --from, or another --selector',
    );
}

function passesOf({ failAt, seed, seeds }: RehearseOptions): readonly RehearsalPass[] {
  if (failAt !== undefined && !STEP_NAMES.includes(failAt))
    throw new UsageError(`--fail-at ${failAt} names no step`, `choose one of ${STEP_NAMES.join(', ')}`);
  if (failAt !== undefined) return listPasses({ isCalm: false, failAt: [failAt], seeds: [] });
  if (seed !== undefined) return listPasses({ isCalm: false, failAt: [], seeds: [seed] });
  const all = Array.from({ length: seeds }, (_, at) => at + 1);
  return listPasses({ isCalm: true, failAt: seeds === 0 ? [] : STEP_NAMES, seeds: all });
}

/** `scale-up=20m` as the setting of that step. */
function readLimits(limits: readonly string[]): Partial<MigrationSettings> {
  const entries = limits.map((text) => {
    const [step = '', duration = ''] = text.split('=');
    const key = MIGRATION_LIMITS.get(step);
    if (key === undefined)
      throw new UsageError(
        `--limit ${text} names no step with a limit`,
        `choose one of ${[...MIGRATION_LIMITS.keys()].join(', ')}`,
      );
    return [key, readDuration(text, duration) || DEFAULT_MIGRATION_SETTINGS[key]] as const;
  });
  return Object.fromEntries(entries) as Partial<MigrationSettings>;
}

function readDuration(limit: string, duration: string): number {
  try {
    return durationMs(duration);
  } catch (error) {
    const hint = 'write one such as scale-up=20m, of ms, s, m and h';
    throw new UsageError(`--limit ${limit} has no duration`, hint, { cause: error });
  }
}

/** The part of the command line that selects what is rehearsed. */
function commandOf({ context, from, groupPair = [], kubeconfig, limit = [], mirror }: RehearseOptions): string {
  const words = [
    from === undefined ? [] : ['--from', from],
    kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig],
    context === undefined ? [] : ['--context', context],
    mirror === true ? ['--mirror'] : [],
    ...limit.map((each) => ['--limit', each]),
    ...groupPair.map((each) => ['--group-pair', each]),
  ].flat();
  return ['capstan migration rehearse', ...words.map(quoted)].join(' ');
}
