import type { HostedCluster } from '@capstan/api/hypershift';
import { FLEET_CONFIG_MAP, HOSTED_CLUSTERS, isPrivate, lockOf } from '@capstan/hosting';
import { errorText, requestFor } from '@capstan/kube';
import type { Controller, Manager, Request, Result } from '@capstan/kube';
import { ignoreNotFound, isConflict } from '@capstan/meta';
import { refreshIdentities } from '@capstan/migration';
import { CONFIG_MAPS } from '../kinds.js';
import { announceMigrations } from './announce.js';
import { holdAfterNext, isPreferred, readFleetOrder } from './fleet.js';
import type { FleetOrder } from './fleet.js';
import { MigrationMetrics } from './metrics.js';
import type { MigrationParts } from './model.js';
import { MigrationProgress } from './progress.js';
import { eligibleClusters } from './queue.js';
import { isReadable } from './readable.js';
import { continueMigration, startMigration } from './reconcile.js';
import { isRefused, reportRefusal } from './refusals.js';

export interface MigrationControllerOptions extends MigrationParts {
  /** Of the operator, where users hold and order the migration. */
  readonly namespace: string;
  /** Whether the operators from before the upgrade have ended: they would not acknowledge a lock. */
  readonly mayAct: (signal: AbortSignal) => Promise<boolean>;
}

/** Which cluster is next: one question about all of them. Each that is locked is a request of its own. */
const FLEET: Request = { namespace: '', name: 'fleet' };
/** Between two looks at a fleet of which nothing is to be migrated. */
const IDLE_MS = 60_000;
const CONFLICT_MS = 1_000;
const TOO_EARLY_MS = 5_000;

/** What a reconcile has besides its options. */
interface Look {
  readonly memory: MigrationProgress;
  readonly signal: AbortSignal;
}

/**
 * Moves HostedClusters to private Cluster API types, one at a time. A rollback by hand may begin meanwhile: every cluster that is
 * locked goes on in turn, so that none waits for another, nor for what is wrong with the order or with a third one.
 */
export function addMigrationController(manager: Manager, options: MigrationControllerOptions): Controller {
  const { store } = manager.cache.informer<HostedCluster>(HOSTED_CLUSTERS);
  const metrics = new MigrationMetrics({ clusters: () => store.list(), metrics: manager.metrics });
  const memory = new MigrationProgress((ended) => metrics.succeeded(ended));
  return (
    manager
      .controller({
        name: 'MigrationController',
        maxConcurrent: 1,
        reconcile: async (request, { signal }) => {
          if (!(await options.mayAct(signal))) return { requeueAfterMs: TOO_EARLY_MS };
          if (request.namespace !== '') return reconcileLocked(options, request, { memory, signal });
          return reconcileFleet(options, [...store.list()], { memory, signal });
        },
      })
      .watches<HostedCluster>(HOSTED_CLUSTERS, (cluster) =>
        isLocked(cluster) ? [requestFor(cluster), FLEET] : [FLEET],
      )
      // Who lets migrations go on does not have to wait for the next look.
      .watches(CONFIG_MAPS, () => [FLEET], {
        namespace: options.namespace,
        fieldSelector: `metadata.name=${FLEET_CONFIG_MAP}`,
      })
  );
}

function isLocked(cluster: HostedCluster): boolean {
  return lockOf(cluster).holder === 'migration';
}

/** Goes on with a HostedCluster that is locked. */
async function reconcileLocked(
  options: MigrationControllerOptions,
  { name, namespace }: Request,
  { memory, signal }: Look,
): Promise<Result> {
  // From the server: a cache that is behind would have steps decided by what was.
  const cluster = await options.client
    .get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace, signal })
    .catch(ignoreNotFound);
  if (cluster === undefined) return {};
  const lock = lockOf(cluster);
  if (lock.holder !== 'migration') return {};
  if (lock.journal.isLast === true) await holdOthers(options, { memory, signal });
  return continueMigration(options, cluster, { memory, signal });
}

/** Also where the process that locked the last cluster ended before it could. Tried again at each look: its cluster goes on. */
async function holdOthers({ client, logger, namespace }: MigrationControllerOptions, look: Look): Promise<void> {
  const { memory, signal } = look;
  try {
    const order = await readFleetOrder(client, namespace, signal);
    if (order.isHeldAfterNext) await holdAfterNext(client, namespace, signal);
    memory.isNews('hold', undefined);
  } catch (error) {
    const text = errorText(error);
    if (memory.isNews('hold', text)) logger.warn('Order of the migrations cannot be written', { error: text });
  }
}

/** Reports how each cluster stands, and locks the next one where none is locked. */
async function reconcileFleet(
  options: MigrationControllerOptions,
  clusters: readonly HostedCluster[],
  look: Look,
): Promise<Result> {
  const { client, namespace } = options;
  const { memory, signal } = look;
  const order = await readFleetOrder(client, namespace, signal);
  reportProblem(options, order, memory);
  memory.retain(
    new Set(clusters.map(lockOf).flatMap((lock) => (lock.holder === 'migration' ? [lock.journal.id] : []))),
  );
  const held = order.isHeld ? (order.problem ?? 'migrations are held: see capstan migration resume') : undefined;
  // What fails of it must not keep a cluster from its turn; it is tried again after that.
  const announced = await announceMigrations(options, clusters, { held, memory, signal }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const isStart = !order.isHeld && mayStart(clusters, options);
  const result = isStart ? await startNext(options, order, look) : { requeueAfterMs: IDLE_MS };
  await followIdentities(options, clusters, look);
  if (announced !== undefined) throw announced.error;
  return result;
}

/** While some clusters are migrated and others are not, what users change of a shared identity is meant for both. */
async function followIdentities(
  { client, clock, discovery, logger, mapping }: MigrationControllerOptions,
  clusters: readonly HostedCluster[],
  { memory, signal }: Look,
): Promise<void> {
  const isBetween = clusters.some(isPrivate) && clusters.some((cluster) => !isPrivate(cluster));
  if (!isBetween || !memory.isDue('identities', { now: clock.monotonic(), everyMs: IDLE_MS })) return;
  try {
    await refreshIdentities({ client, discovery, mapping, signal });
    memory.isNews('identities', undefined);
  } catch (error) {
    const text = errorText(error);
    if (memory.isNews('identities', text)) logger.warn('Shared identities cannot be copied', { error: text });
  }
}

/** The order is an object of the users: what is wrong with it is reported once. */
function reportProblem(
  { logger, namespace, recorder }: MigrationControllerOptions,
  { problem }: FleetOrder,
  memory: MigrationProgress,
): void {
  if (!memory.isNews('order', problem) || problem === undefined) return;
  logger.warn('Order of the migrations is not valid', { namespace, name: FLEET_CONFIG_MAP, problem });
  const subject = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: FLEET_CONFIG_MAP, uid: '' };
  recorder.record(subject, { type: 'Warning', reason: 'InvalidMigrationOrder', message: problem });
}

function mayStart(clusters: readonly HostedCluster[], { clock }: MigrationControllerOptions): boolean {
  return !clusters.some(isLocked) && eligibleClusters(clusters, { nowMs: clock.now() }).length > 0;
}

async function startNext(options: MigrationControllerOptions, order: FleetOrder, look: Look): Promise<Result> {
  const { client, clock } = options;
  const { memory, signal } = look;
  // From the server: by a cache that has not seen the last lock, a second cluster would be locked.
  const { items } = await client.list<HostedCluster>(HOSTED_CLUSTERS, { signal });
  if (items.some(isLocked)) return { requeueAfterMs: IDLE_MS };
  const isFirst = (cluster: HostedCluster): boolean => isPreferred(order, cluster);
  for (const next of eligibleClusters(items, { nowMs: clock.now(), isPreferred: isFirst })) {
    if (!(await isReadable(options, next, look))) continue;
    try {
      await startMigration(options, next, { isLast: order.isHeldAfterNext, signal });
      // Its event brings it up; this look is for those whose event is lost with a watch.
      return { requeueAfterMs: IDLE_MS };
    } catch (error) {
      // Written meanwhile: the next look decides by what it is now.
      if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
      if (!isRefused(error)) throw error;
      reportRefusal(options, next, { error, memory, what: 'lock' });
    }
  }
  return { requeueAfterMs: IDLE_MS };
}
