import { stringifyJson } from '@capstan/meta';
import { countText, placeOf } from './checked.js';
import type { Checked } from './checked.js';

/** The result as a page, for a review or a pull request. */
export function markdownReport(checked: readonly Checked[]): string {
  const head = ['# Compatibility of CRDs', '', `${countText(checked)}.`, ''];
  return [...head, ...checked.flatMap(section)].join('\n');
}

function section({ definition, report, requirement, source }: Checked): string[] {
  const title = `## ${definition} (${source}) for ${requirement}: ${report.verdict}`;
  if (report.findings.length === 0) return [title, ''];
  const rows = report.findings.map(
    (finding) =>
      `| ${finding.severity} | ${cell(placeOf(finding))} | ${cell(finding.message)} | ${finding.rule} | ${cell(value(finding.required))} | ${cell(value(finding.live))} |`,
  );
  return [title, '', '| severity | where | what | rule | required | live |', '|---|---|---|---|---|---|', ...rows, ''];
}

function value(of: unknown): string {
  return of === undefined ? '' : stringifyJson(of);
}

/** Bars end a cell, and line breaks a row. */
function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, '<br>');
}
