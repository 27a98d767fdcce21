import { countText, markdownReport, placeOf, sarifLog } from '@capstan/crd-compat';
import type { Checked, Finding, Witness } from '@capstan/crd-compat';
import { stringifyJson } from '@capstan/meta';
import { clientVersion } from '../client-version.js';
import { formatObject } from '../output.js';
import { schemaDiff } from './diff.js';
import type { Pair } from './pair.js';

/** How a result is printed. */
export interface PrintOptions {
  readonly output?: 'json' | 'markdown' | 'sarif' | 'table' | undefined;
  /** Shows, for each error, the request that proves it. */
  readonly witness?: boolean | undefined;
  /** Shows how the schemas differ. */
  readonly diff?: boolean | undefined;
}

/** The result in the form that was asked for. */
export async function print(
  checked: readonly Checked[],
  { diff, output = 'table', witness }: PrintOptions,
  pairs: readonly Pair[] = [],
): Promise<string> {
  if (output === 'json') return formatObject({ results: checked }, 'json');
  if (output === 'sarif') return formatObject(sarifLog(checked, { name: 'capstan', version: clientVersion() }), 'json');
  const body = output === 'markdown' ? markdownReport(checked) : `${table(checked)}${countText(checked)}\n`;
  const proofs = witness === true ? await witnesses(checked) : '';
  const diffs = diff === true ? (await Promise.all(pairs.map(schemaDiff))).join('') : '';
  return `${body}${proofs}${diffs}`;
}

const HEAD = ['SEVERITY', 'DEFINITION', 'REQUIREMENT', 'WHERE', 'RULE', 'MESSAGE'];

/** As kubectl prints: columns, three spaces apart. */
function table(checked: readonly Checked[]): string {
  const rows = checked.flatMap(({ definition, report, requirement }) =>
    report.findings.map((finding) => [
      finding.severity,
      definition,
      requirement,
      placeOf(finding),
      finding.rule,
      said(finding),
    ]),
  );
  return rows.length === 0 ? '' : columns([HEAD, ...rows]);
}

function said({ message, proof }: Finding): string {
  return proof === 'cannot be proved' ? `${message} (cannot be proved)` : message;
}

/** Rows as text; every column as wide as its widest cell, the last as it is. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  return rows
    .map(
      (row) => `${row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('   ')}\n`,
    )
    .join('');
}

async function witnesses(checked: readonly Checked[]): Promise<string> {
  const parts: string[] = [];
  for (const { definition, report, requirement } of checked)
    for (const finding of report.findings)
      if (typeof finding.proof === 'object')
        parts.push(
          `\n# ${definition} for ${requirement}: ${placeOf(finding)}: ${finding.rule}\n# ${outcome(finding.proof)}\n${await formatObject(withoutOutcome(finding.proof), 'yaml')}`,
        );
  return parts.join('');
}

function outcome({ outcome: of, request }: Witness): string {
  const verb = `this ${request.verb} is fine for the requirement`;
  switch (of.kind) {
    case 'rejected':
      return `${verb}; the definition refuses it: ${of.message.replaceAll('\n', ' ')}`;
    case 'pruned':
      return `${verb}; the definition drops ${of.paths.join(', ')}`;
    case 'changed':
      return `${verb}; the definition makes ${of.path} ${stringifyJson(of.got)} instead of ${stringifyJson(of.expected)}`;
  }
}

function withoutOutcome(proof: Witness): object {
  const { outcome: _, ...rest } = proof;
  return rest;
}
