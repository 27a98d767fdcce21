import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, lockOf } from '@capstan/hosting';
import type { Controller, Manager, Result } from '@capstan/kube';
import { isConflict } from '@capstan/meta';
import { unreadableKinds, unreadableText } from '@capstan/migration';
import { announceMigrations } from './announce.js';
import { holdAfterNext, isPreferred, readFleetOrder } from './fleet.js';
import { MigrationMetrics } from './metrics.js';
import type { MigrationParts } from './model.js';
import { continueMigration, MigrationProgress, nextCluster, startMigration, subjectOf } from './reconcile.js';

export interface MigrationControllerOptions extends MigrationParts {
  /** Of the operator, where users hold and order the migration. */
  readonly namespace: string;
  /** Whether the operators from before the upgrade have ended: they would not acknowledge a lock. */
  readonly mayAct: (signal: AbortSignal) => Promise<boolean>;
}

/** Every HostedCluster is one and the same request: migrations run one at a time. */
const FLEET = { namespace: '', name: 'fleet' } as const;
/** Between two looks at a fleet of which nothing is to be migrated. */
const IDLE_MS = 60_000;
const CONFLICT_MS = 1_000;
const TOO_EARLY_MS = 5_000;

/** Moves HostedClusters to private Cluster API types, one at a time. */
export function addMigrationController(manager: Manager, options: MigrationControllerOptions): Controller {
  const { cache } = manager;
  const clusters = cache.informer<HostedCluster>(HOSTED_CLUSTERS);
  const metrics = new MigrationMetrics({ clusters: () => clusters.store.list(), metrics: manager.metrics });
  const progress = new MigrationProgress((ended) => metrics.succeeded(ended));
  return manager
    .controller({
      name: 'MigrationController',
      maxConcurrent: 1,
      reconcile: (_, { signal }) => reconcileFleet(options, [...clusters.store.list()], { progress, signal }),
    })
    .watches<HostedCluster>(HOSTED_CLUSTERS, () => [FLEET]);
}

/** Goes on with the HostedCluster that is locked, or locks the next one. */
async function reconcileFleet(
  options: MigrationControllerOptions,
  clusters: readonly HostedCluster[],
  { progress, signal }: { readonly progress: MigrationProgress; readonly signal: AbortSignal },
): Promise<Result> {
  const { client, clock, namespace } = options;
  if (!(await options.mayAct(signal))) return { requeueAfterMs: TOO_EARLY_MS };
  const order = await readFleetOrder(client, namespace, signal);
  await announceMigrations(options, clusters, { isHeld: order.isHeld, signal });
  const locked = clusters.find((cluster) => lockOf(cluster).holder === 'migration');
  if (locked !== undefined) {
    // Also where the process that locked it ended before it could.
    if (order.isHeldAfterNext) await holdAfterNext(client, namespace, signal);
    // From the server: a cache that is behind would have steps decided by what was.
    const { name = '', namespace: at } = locked.metadata;
    const current = await client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: at, signal });
    return continueMigration(options, current, { memory: progress, signal });
  }
  if (order.isHeld) return { requeueAfterMs: IDLE_MS };
  const nowMs = clock.now();
  const next = nextCluster(clusters, { nowMs, isPreferred: (cluster) => isPreferred(order, cluster) });
  if (next === undefined || !(await isReadable(options, next, signal))) return { requeueAfterMs: IDLE_MS };
  try {
    const started = await startMigration(options, next, signal);
    if (order.isHeldAfterNext) await holdAfterNext(client, namespace, signal);
    return await continueMigration(options, started, { memory: progress, signal });
  } catch (error) {
    // Written meanwhile: the next look decides by what it is now.
    if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
    throw error;
  }
}

/**
 * Whether every kind may be listed that objects of a cluster may have: what is not seen would be left behind, and a cluster
 * that is locked before that is known would be rolled back for it.
 */
async function isReadable(
  { client, discovery, logger, mapping, recorder }: MigrationControllerOptions,
  cluster: HostedCluster,
  signal: AbortSignal,
): Promise<boolean> {
  const { name = '', namespace: at = '' } = cluster.metadata;
  const namespace = controlPlaneNamespace(at, name);
  for (const side of ['standard', 'private'] as const) {
    const names = await unreadableKinds({ client, discovery, mapping, side, namespace, signal });
    if (names.length === 0) continue;
    const message = unreadableText(names, namespace);
    logger.warn('No migration is started', { namespace: at, name, message });
    recorder.record(subjectOf(cluster), { type: 'Warning', reason: 'MigrationNotStarted', message });
    return false;
  }
  return true;
}
