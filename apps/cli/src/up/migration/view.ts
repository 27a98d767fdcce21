import type { HostedCluster } from '@capstan/api/hypershift';
import {
  isPrivate,
  lockOf,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  migrationCondition,
  phaseOf,
  readStep,
} from '@capstan/hosting';
import { counted, elapsed } from '../progress.js';
import type { Stage } from '../progress.js';

/** What a fleet looks like while its clusters are moved to private types. */
export interface MigrationView {
  /** One for each cluster, and the total last. */
  readonly stages: readonly Stage[];
  /** Whether every cluster is on private types, or was rolled back. */
  readonly isOver: boolean;
  readonly clusters: number;
  /** Those that were rolled back. */
  readonly failed: readonly string[];
  readonly sinceMs: number;
}

const BAR = 20;
/** With more clusters than these, only those under way and those that were rolled back are shown one by one. */
const MOST_ROWS = 6;
const TOTAL = 'migration';

/** The progress of a migration that began so long ago. */
export function migrationView(clusters: readonly HostedCluster[], sinceMs: number): MigrationView {
  const rows = clusters.map(stageOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const over = rows.filter(({ state }) => state === 'done' || state === 'failed').length;
  const isOver = over === rows.length;
  const shown = rows.length > MOST_ROWS ? rows.filter(({ state }) => state === 'working' || state === 'failed') : rows;
  const total: Stage = {
    name: TOTAL,
    state: isOver ? 'done' : 'working',
    detail: `${counted(over, rows.length, 'clusters')}${isOver ? '' : remaining({ over, of: rows.length, sinceMs })}`,
  };
  const failed = rows.filter(({ state }) => state === 'failed').map(({ name }) => name);
  return { stages: [...shown.slice(0, MOST_ROWS), total], isOver, clusters: rows.length, failed, sinceMs };
}

/** Clusters are migrated one after the other: those that are left take as long as those before. */
function remaining({
  of,
  over,
  sinceMs,
}: {
  readonly over: number;
  readonly of: number;
  readonly sinceMs: number;
}): string {
  if (over === 0) return '';
  return `, about ${elapsed((sinceMs / over) * (of - over))} left`;
}

function stageOf(cluster: HostedCluster): Stage {
  const { annotations = {}, name = '' } = cluster.metadata;
  const failure = annotations[MIGRATION_FAILED_ANNOTATION];
  const { holder } = lockOf(cluster);
  if (holder === 'migration') return { name, state: 'working', detail: under(cluster) };
  if (failure !== undefined)
    return {
      name,
      state: 'failed',
      detail: `rolled back, ${failure}: ${annotations[MIGRATION_FAILURE_ANNOTATION] ?? 'no cause recorded'}`,
    };
  if (holder === 'foreign') return { name, state: 'waiting', detail: 'locked by another client' };
  if (isPrivate(cluster)) return { name, state: 'done', detail: 'on private types' };
  return { name, state: 'waiting', detail: 'on standard types' };
}

/** A cluster that is being migrated. */
function under(cluster: HostedCluster): string {
  const step = readStep(migrationCondition(cluster)?.message ?? '');
  const phase = phaseOf(cluster);
  const back = phase === 'rollback' ? 'rolling back, ' : '';
  if (step === undefined) return `${back}begins`;
  const { at, of, title } = step;
  const filled = phase === 'finish' ? BAR : Math.round((BAR * (at - 1)) / of);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${back}${at}/${of} ${title}`;
}
