/** What rehearsals of a switch come to. Pure. */
import { pushAll } from '@capstan/meta';
import { printable } from '../../errors.js';
import { formatObject } from '../../output.js';
import type { RehearsalOutcome } from '@capstan/simulation';
import type { PassResult } from '../../rehearsal/plan.js';
import { MOST_PROBLEMS, quoted, summaryOf } from '../../rehearsal/summary.js';
import type { FailedRehearsal } from '../../rehearsal/summary.js';
import { tableText } from '../../text-table.js';
import type { RehearsedSwitch } from './scenario.js';

/** Of one set with its machines, or of what was named. */
export interface SwitchReport {
  readonly resource: string;
  readonly verdict: 'would-switch' | 'would-not-switch' | 'switched-already';
  /** Of a switch in which nothing goes wrong. */
  readonly expectedSeconds?: number | undefined;
  readonly blockedBy?: { readonly reason: string; readonly message: string } | undefined;
  /** What is not as it was, after a switch in which nothing goes wrong and after the way back. */
  readonly differs: readonly string[];
  readonly rehearsals: { readonly run: number; readonly switched: number; readonly failed: readonly FailedRehearsal[] };
  /** What the copy lacks. */
  readonly leftOut: readonly string[];
}

export type ReportFormat = 'json' | 'table' | 'yaml';

const MOST_FAILED = 3;

/** Sums the rehearsals of a switch up; `command` is what was typed but for what switches, and for passes. */
export function reportOf(
  { id, ineligible }: RehearsedSwitch,
  results: readonly PassResult[],
  { command, leftOut }: { readonly command: string; readonly leftOut: readonly string[] },
): SwitchReport {
  const none = { run: 0, switched: 0, failed: [] };
  if (ineligible !== undefined)
    return { resource: id, verdict: 'switched-already', differs: [], rehearsals: none, leftOut };
  const { calm, done, failed, run, undone } = summaryOf(results, `${command} ${quoted(id)}`);
  const blockedBy = calm === undefined || calm.result === 'done' ? undefined : blockerOf(calm);
  // A switch is never undone by itself: what cannot move is found before anything is asked.
  const isSound = blockedBy === undefined && failed.length === 0 && undone === 0;
  return {
    resource: id,
    verdict: isSound ? 'would-switch' : 'would-not-switch',
    ...expectedOf(calm),
    ...(blockedBy === undefined ? {} : { blockedBy }),
    differs: calm?.differences.slice(0, MOST_PROBLEMS) ?? [],
    rehearsals: { run, switched: done, failed },
    leftOut: [...leftOut, ...(calm?.notes ?? [])],
  };
}

function expectedOf(calm: RehearsalOutcome | undefined): Pick<SwitchReport, 'expectedSeconds'> {
  return calm?.result === 'done' ? { expectedSeconds: Math.round(calm.durationMs / 1_000) } : {};
}

function blockerOf({ message = '', reason = '', result }: RehearsalOutcome): NonNullable<SwitchReport['blockedBy']> {
  return { reason: result === 'stuck' ? `it waits at ${reason}` : reason, message };
}

/** The report as text. */
export function formatReport(reports: readonly SwitchReport[], format: ReportFormat): Promise<string> {
  if (format !== 'table') return formatObject({ switches: reports }, format);
  return Promise.resolve(printable(`${table(reports)}${reports.map(detail).join('')}`));
}

function table(reports: readonly SwitchReport[]): string {
  const rows = reports.map(
    ({ blockedBy, expectedSeconds, rehearsals: { failed, run, switched }, resource, verdict }) => [
      resource,
      verdict,
      expectedSeconds === undefined ? '-' : `${expectedSeconds}s`,
      run === 0 ? '-' : `${run} (${switched} there and back, ${failed.length} failed)`,
      blockedBy?.reason ?? '-',
    ],
  );
  return tableText([['RESOURCE', 'VERDICT', 'DURATION', 'REHEARSALS', 'BLOCKED BY'], ...rows]);
}

function detail({ blockedBy, leftOut, rehearsals: { failed }, resource }: SwitchReport): string {
  const lines: string[] = blockedBy === undefined ? [] : [`blocked: ${blockedBy.message}`];
  for (const { problems, replay, what } of failed.slice(0, MOST_FAILED))
    pushAll(lines, [`failed when ${what}:`, ...problems.map((each) => `  ${each}`), `  again: ${replay}`]);
  if (failed.length > MOST_FAILED) lines.push(`and ${failed.length - MOST_FAILED} more failed: see -o json`);
  if (leftOut.length > 0) lines.push(`not in the copy: ${leftOut.join('; ')}`);
  return lines.length === 0 ? '' : `\n${resource}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
