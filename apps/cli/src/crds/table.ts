import { stringifyJson } from '@capstan/meta';
import { placeOf } from '@capstan/crd-compat';
import type { Checked, Finding } from '@capstan/crd-compat';
import { oneLine } from '../errors.js';
import { columnWidths, tableLine } from '../text-table.js';

/** As wide as a table may be: logs of builds cut what is wider. */
export const TABLE_WIDTH = 120;
const INDENT = '  ';
const HEAD = ['SEVERITY', 'WHERE', 'RULE', 'REQUIRED', 'LIVE'];
/** What a column takes at most; the last has the rest. */
const WIDEST = [8, 42, 28, 15, 15];

/** Findings by CRD and requirement: where, by which rule, what was and what is, and below each what it means. */
export function findingsTable(checked: readonly Checked[]): string {
  return checked
    .filter(({ report }) => report.findings.length > 0)
    .map((each) => `${heading(each)}${rowsOf(each.report.findings)}\n`)
    .join('');
}

const VERDICTS = {
  Compatible: 'compatible',
  CompatibleWithWarnings: 'compatible with warnings',
  Incompatible: 'incompatible',
};

function heading({ definition, report, requirement, source }: Checked): string {
  return wrapped(`${definition} (${source}) for ${requirement}: ${VERDICTS[report.verdict]}`, '');
}

function rowsOf(findings: readonly Finding[]): string {
  const rows = [HEAD, ...findings.map(cells)];
  const widths = columnWidths(rows);
  return rows
    .map((row, at) => {
      const finding = findings[at - 1];
      return `${tableLine(row, widths)}${finding === undefined ? '' : wrapped(meaning(finding), INDENT)}`;
    })
    .join('');
}

function cells(finding: Finding): string[] {
  const { live, required, rule, severity } = finding;
  const texts = [severity, oneLine(placeOf(finding)), rule, valueText(required), valueText(live)];
  return texts.map((text, at) => (at === 1 ? cutLeft(text, WIDEST[at] ?? 0) : cut(text, WIDEST[at] ?? 0)));
}

function valueText(value: unknown): string {
  if (value === undefined) return '-';
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : stringifyJson(value);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** A path is cut at its start: its end matters most. */
function cutLeft(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(1 - width)}`;
}

function meaning({ message, proof }: Finding): string {
  return proof === 'cannot be proved' ? `${message} (cannot be proved)` : message;
}

/** A text in lines that are no wider than the table, as far as its words allow. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    const longer = line.trim() === '' ? `${indent}${word}` : `${line} ${word}`;
    if (longer.length > TABLE_WIDTH && line.trim() !== '') {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  // A word of its own that is too wide, such as a pattern, is broken.
  return [...lines, line]
    .flatMap((each) => pieces(each))
    .map((each) => `${each}\n`)
    .join('');
}

function pieces(line: string): string[] {
  const all: string[] = [];
  for (let at = 0; at < line.length; at += TABLE_WIDTH) all.push(line.slice(at, at + TABLE_WIDTH));
  return all;
}
