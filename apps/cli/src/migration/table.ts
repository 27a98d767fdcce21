import { humanDuration } from '@capstan/meta';
import { oneLine } from '../errors.js';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';
import type { OutputFormat } from '../options.js';
import { tableText } from '../text-table.js';
import type { MigrationStatus } from './state.js';

export const NOTHING = '<none>';
const LEAST_MESSAGE = 20;

/** Prints a table, or the rows themselves in another format. */
export async function printRows<T extends { readonly namespace: string; readonly name: string }>(
  rows: readonly T[],
  { io, output, table }: { readonly io: Io; readonly output: OutputFormat | undefined; readonly table: () => string },
): Promise<void> {
  if (output === 'json' || output === 'yaml') io.out(await formatObject(rows, output));
  else if (output === 'name')
    for (const { name, namespace } of rows) io.out(`hostedcluster.hypershift.openshift.io/${namespace}/${name}\n`);
  else if (rows.length > 0) io.out(table());
}

/** The time since a moment, as kubectl shows ages. */
export function elapsed(since: string | undefined, nowMs: number): string {
  return since === undefined ? NOTHING : humanDuration(Math.max(0, nowMs - Date.parse(since)));
}

const HEADINGS = ['NAMESPACE', 'NAME', 'STATE', 'STEP', 'PROGRESS', 'ELAPSED'];

/** The cells of a status without its message. */
function cells(row: MigrationStatus, nowMs: number): string[] {
  const { name, namespace, progress, startedAt, state, step } = row;
  return [namespace, name, state, step ?? NOTHING, progress ?? NOTHING, elapsed(startedAt, nowMs)];
}

/** The status as a table; wide adds the attempt, and a terminal cuts messages to its width. */
export function statusTable(
  rows: readonly MigrationStatus[],
  {
    columns,
    isWide = false,
    nowMs,
  }: { readonly nowMs: number; readonly isWide?: boolean; readonly columns?: number | undefined },
): string {
  const heading = [...HEADINGS, ...(isWide ? ['REASON', 'ATTEMPT'] : []), 'MESSAGE'];
  const lines = rows.map((row) => [
    ...cells(row, nowMs),
    ...(isWide ? [row.reason ?? NOTHING, row.id ?? NOTHING] : []),
    oneLine(row.message),
  ]);
  const text = tableText([heading, ...lines]);
  if (columns === undefined || isWide) return text;
  return text
    .split('\n')
    .map((line) => cut(line, columns))
    .join('\n');
}

/** A text no wider than a terminal. */
export function cut(text: string, columns: number): string {
  return text.length <= columns || columns < LEAST_MESSAGE ? text : `${text.slice(0, columns - 1)}…`;
}
