import { pushAll } from '@capstan/meta';
import { printable } from '../../errors.js';
import { formatObject } from '../../output.js';
import { tableText } from '../../text-table.js';
import type { ClusterReport } from './report.js';

export type ReportFormat = 'json' | 'table' | 'yaml';

const MOST_FAILED = 3;

/** The report as text. */
export function formatReport(reports: readonly ClusterReport[], format: ReportFormat): Promise<string> {
  if (format !== 'table') return formatObject({ clusters: reports }, format);
  return Promise.resolve(printable(`${table(reports)}${details(reports)}`));
}

function table(reports: readonly ClusterReport[]): string {
  const rows = reports.map(({ cluster, expectedSeconds, objects, rehearsals, verdict, blockedBy }) => {
    const { failed, migrated, rolledBack, run } = rehearsals;
    const duration = expectedSeconds === undefined ? '-' : durationText(expectedSeconds);
    const counts =
      run === 0 ? '-' : `${run} (${migrated} migrated, ${rolledBack} rolled back, ${failed.length} failed)`;
    return [cluster, verdict, String(objects), duration, counts, blockedBy?.reason ?? '-'];
  });
  return tableText([['CLUSTER', 'VERDICT', 'OBJECTS', 'DURATION', 'REHEARSALS', 'BLOCKED BY'], ...rows]);
}

function durationText(seconds: number): string {
  const rest = seconds % 60;
  return seconds < 60 ? `${rest}s` : `${Math.floor(seconds / 60)}m${rest}s`;
}

function details(reports: readonly ClusterReport[]): string {
  return reports.map(detail).join('');
}

function detail({ blockedBy, cluster, leftOut, rehearsals }: ClusterReport): string {
  const lines: string[] = [];
  if (blockedBy !== undefined) lines.push(`blocked: ${blockedBy.message}`, `to do: ${blockedBy.remedy}`);
  for (const { problems, replay, what } of rehearsals.failed.slice(0, MOST_FAILED)) {
    pushAll(lines, [`failed when ${what}:`, ...problems.map((each) => `  ${each}`), `  again: ${replay}`]);
  }
  const more = rehearsals.failed.length - MOST_FAILED;
  if (more > 0) lines.push(`and ${more} more failed: see -o json`);
  if (leftOut.length > 0) lines.push(`not in the copy: ${leftOut.join('; ')}`);
  return lines.length === 0 ? '' : `\n${cluster}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
