import { oneLine } from '../errors.js';
import { humanDuration, maxOf } from '@capstan/meta';
import { isOpen } from './state.js';
import type { MigrationStatus } from './state.js';
import { cut, elapsed } from './table.js';

/** What a migration is expected to take before one was observed: the middle of 5 to 15 minutes. */
const EXPECTED_MS = 600_000;
const BAR = 20;
/** Clusters that are shown one by one, so that the whole stays on a small terminal. */
const MOST_CLUSTERS = 12;

/** Remembers how long migrations took while they were watched. */
export class Durations {
  readonly #started = new Map<string, number>();
  readonly #ended: number[] = [];

  /** Takes note of what is under way, and of what has ended since the last call. */
  observe(rows: readonly MigrationStatus[], nowMs: number): void {
    for (const { name, namespace, startedAt, state } of rows) {
      const key = `${namespace}/${name}`;
      const since = this.#started.get(key);
      if (state === 'InProgress' && startedAt !== undefined) this.#started.set(key, Date.parse(startedAt));
      else {
        this.#started.delete(key);
        if (since !== undefined && state === 'Migrated') this.#ended.push(nowMs - since);
      }
    }
  }

  /** How long one is expected to take. */
  get expectedMs(): number {
    const total = this.#ended.reduce((sum, each) => sum + each, 0);
    return this.#ended.length === 0 ? EXPECTED_MS : total / this.#ended.length;
  }
}

/** How long the clusters that are left are expected to take, one after the other. */
export function timeLeftMs(rows: readonly MigrationStatus[], expectedMs: number): number {
  return rows.filter(isOpen).reduce((sum, { share }) => sum + (1 - share) * expectedMs, 0);
}

const ORDER: readonly MigrationStatus['state'][] = [
  'InProgress',
  'RollingBack',
  'Failed',
  'ForeignLock',
  'BothGroups',
  'Pending',
];

/** Lines for a terminal: a bar for each cluster that matters now, and one for the fleet. */
export function progressLines(
  rows: readonly MigrationStatus[],
  { columns, expectedMs, nowMs }: { readonly columns: number; readonly expectedMs: number; readonly nowMs: number },
): readonly string[] {
  const shown = ORDER.flatMap((state) => rows.filter((row) => row.state === state));
  const width = maxOf(
    shown.slice(0, MOST_CLUSTERS).map(({ name, namespace }) => `${namespace}/${name}`.length),
    5,
  );
  const lines = shown.slice(0, MOST_CLUSTERS).map((row) => {
    const where = row.step === undefined ? oneLine(row.message) : `${row.progress} ${row.step}`;
    const since = row.startedAt === undefined ? '' : `  ${elapsed(row.startedAt, nowMs)}`;
    return `${`${row.namespace}/${row.name}`.padEnd(width)}  ${bar(row.share)}  ${row.state}  ${where}${since}`;
  });
  const rest = shown.length - lines.length;
  if (rest > 0) lines.push(`and ${rest} more`);
  return [...lines, `${'total'.padEnd(width)}  ${totalText(rows, expectedMs)}`].map((line) => cut(line, columns));
}

function totalText(rows: readonly MigrationStatus[], expectedMs: number): string {
  const count = (...states: MigrationStatus['state'][]): number =>
    rows.filter(({ state }) => states.includes(state)).length;
  const all = rows.length - count('New', 'OutOfScope');
  const migrated = count('Migrated');
  const failed = count('Failed', 'RollingBack');
  const parts = [`${migrated} of ${all} migrated`];
  if (failed > 0) parts.push(`${failed} failed`);
  const leftMs = timeLeftMs(rows, expectedMs);
  if (leftMs > 0) parts.push(`about ${humanDuration(leftMs)} left`);
  const share = all === 0 ? 1 : rows.reduce((sum, row) => sum + shareOfTotal(row), 0) / all;
  return `${bar(share)}  ${parts.join(', ')}`;
}

function shareOfTotal({ share, state }: MigrationStatus): number {
  if (state === 'Migrated') return 1;
  return state === 'InProgress' ? share : 0;
}

/** `[#####---------------]` */
export function bar(share: number): string {
  const done = Math.round(Math.min(1, Math.max(0, share)) * BAR);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR - done)}]`;
}
