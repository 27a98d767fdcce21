import { placeOf } from '@capstan/crd-compat';
import type { Checked, Finding } from '@capstan/crd-compat';
import { printable } from '../errors.js';
import { fileOf } from './place.js';

/** A text as workflow commands write it. */
function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A finding as a workflow command of GitHub Actions, which shows it at the changed line. */
export function githubCommand(checked: Checked, finding: Finding, line: number | undefined): string {
  const { definition, requirement, source } = checked;
  const file = fileOf(source);
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`, ...(line === undefined ? [] : [`line=${line}`])]),
    `title=${property(finding.rule)}`,
  ];
  const message = `${definition} for ${requirement}: ${placeOf(finding)}: ${finding.message}. See capstan crd explain ${finding.rule}`;
  return `::${finding.severity} ${properties.join(',')}::${data(message)}\n`;
}
