/** A definition that already violates a requirement may be updated as long as it violates no more. */
import { canonicalJson } from '@capstan/meta';
import type { CompatibilityReport, Finding } from './report.js';

/** What makes two findings the same: its values belong to it, so a worse limit is another finding. */
export function identityOf({ rule, severity, version, path, required, live }: Finding): string {
  return canonicalJson([rule, severity, version ?? null, path, required ?? null, live ?? null]);
}

/** The findings of `after` that `before` did not have. */
export function ratchet(before: CompatibilityReport, after: CompatibilityReport): readonly Finding[] {
  const known = new Set(before.findings.map(identityOf));
  return after.findings.filter((finding) => !known.has(identityOf(finding)));
}
