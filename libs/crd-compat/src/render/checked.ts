import type { CompatibilityReport, Finding } from '../report.js';

/** One requirement, one CRD, and what was found between them. */
export interface Checked {
  /** Name of the requirement, or of the file it is in. */
  readonly requirement: string;
  readonly definition: string;
  /** Where the CRD comes from: a file, or the cluster. */
  readonly source: string;
  /** Where in that file it begins. */
  readonly line?: number | undefined;
  readonly report: CompatibilityReport;
}

/** `v1beta1 spec.replicas`, or the path alone where the finding is about the whole CRD. */
export function placeOf({ path, version }: Finding): string {
  return version === undefined ? path : `${version} ${path}`;
}

/** How many errors and warnings there are in all. */
export function countOf(checked: readonly Checked[]): { readonly errors: number; readonly warnings: number } {
  const findings = checked.flatMap(({ report }) => report.findings);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

/** `1 error, 2 warnings` */
export function countText(checked: readonly Checked[]): string {
  const { errors, warnings } = countOf(checked);
  const of = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `${of(errors, 'error')}, ${of(warnings, 'warning')}`;
}
