import { tableText } from '../text-table.js';
import { API_NAMES } from './model.js';
import { aroundLines } from './print-around.js';
import { totalsText } from './report.js';
import type { Report, ReportedIssue, ReportedObject } from './report.js';

/** How a report is printed. */
export type ReportFormat = 'table' | 'json' | 'markdown';

/** A report in the form that was asked for. */
export function printReport(report: Report, format: ReportFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'markdown':
      return markdown(report);
    case 'table':
      return table(report);
  }
}

const RESULTS: Readonly<Record<ReportedObject['result'], string>> = {
  converted: 'yes',
  refused: 'no',
  skipped: 'left out',
};

function nothing(text: string): string {
  return text === '' ? '-' : text;
}

const HEAD = ['KIND', 'NAME', 'PLATFORM', 'CONVERTIBLE', 'MAPPED', 'DERIVED', 'WARNED', 'REFUSED', 'SOURCE'];

function row(object: ReportedObject): string[] {
  const { derived, kind, mapped, name, platform = '', refusals, result, source, warnings } = object;
  const numbers = [mapped, derived, warnings, refusals].map(({ length }) => String(length));
  return [nothing(kind), nothing(name), nothing(platform), RESULTS[result], ...numbers, source];
}

/** The field, with the object it is of where that is another. */
function place({ object, path }: ReportedIssue): string {
  return [object, path].filter((part) => part !== undefined && part !== '').join(' ') || 'the object';
}

function details({ kind, name, reason, refusals, source, warnings }: ReportedObject): string {
  const lines = [
    ...refusals.map((each) => `  refused  ${place(each)}: ${each.message}\n           to do: ${each.change}\n`),
    ...warnings.map((each) => `  warning  ${place(each)}: ${each.message}\n`),
    ...(reason === undefined ? [] : [`  left out: ${reason}\n`]),
  ];
  const title = name === '' ? source : `${nothing(kind)} ${name}`;
  return lines.length === 0 ? '' : `\n${title}\n${lines.join('')}`;
}

function needsText({ needs }: Report): string {
  if (needs.length === 0) return '';
  return `\nSecrets that have to exist:\n${needs.map(({ name, namespace }) => `  ${namespace}/${name}\n`).join('')}`;
}

function linesText(report: Report, mark = ''): string {
  return aroundLines(report)
    .map((line) => `${mark}${line}\n`)
    .join('');
}

function table(report: Report): string {
  const { objects, to, totals } = report;
  const body = tableText([HEAD, ...objects.map(row)]);
  return `${body}${objects.map(details).join('')}${needsText(report)}\n${linesText(report)}${totalsText(totals, to)}\n`;
}

/** In a cell of a table a bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function code(paths: readonly string[]): string {
  return paths.map((path) => `\`${cell(path)}\``).join(', ');
}

function markdownRows(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows.map((cells) => cells.map(cell));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${body.map(line).join('')}`;
}

function section(object: ReportedObject): string {
  const { added, becomes, derived, kind, mapped, name, own, platform, reason, refusals, source, warnings } = object;
  const lists: readonly (readonly [string, string])[] = [
    ['becomes', becomes.join(', ')],
    ['platform', platform ?? ''],
    ['source', source],
    ['mapped', code(mapped)],
    ['derived', code(derived)],
    ['not kept', code(own)],
    ['added', code(added)],
    ['left out', reason ?? ''],
  ];
  const issues = [
    ...refusals.map((each) => ['refused', place(each), each.message, each.change]),
    ...warnings.map((each) => ['warning', place(each), each.message, '']),
  ];
  const items = lists.filter(([, text]) => text !== '').map(([title, text]) => `- ${title}: ${text}\n`);
  const found = issues.length === 0 ? '' : `\n${markdownRows([['', 'field', 'what', 'to do'], ...issues])}`;
  return `\n## ${nothing(kind)} ${nothing(name)}\n\n${items.join('')}${found}`;
}

function markdown(report: Report): string {
  const { objects, to, totals } = report;
  const overview = markdownRows([HEAD.map((word) => word.toLowerCase()), ...objects.map(row)]);
  const needs = report.needs.map(({ name, namespace }) => `- \`${namespace}/${name}\`\n`);
  const secrets = needs.length === 0 ? '' : `\n## Secrets that have to exist\n\n${needs.join('')}`;
  const around = linesText(report, '- ');
  const lines = around === '' ? '' : `${around}\n`;
  return `# Conversion to ${API_NAMES[to]}\n\n${totalsText(totals, to)}.\n\n${lines}${overview}${objects.map(section).join('')}${secrets}`;
}
