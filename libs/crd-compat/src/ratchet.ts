/** A definition that already violates a requirement may be updated as long as it violates no more. */
import { canonicalJson, deepEqual } from '@capstan/meta';
import type { CompatibilityReport, Finding } from './report.js';

/** What makes two findings the same: its values belong to it, so a worse limit is another finding. */
export function identityOf({ rule, severity, version, path, required, live }: Finding): string {
  return canonicalJson([rule, severity, version ?? null, path, required ?? null, live ?? null]);
}

function siteOf({ rule, version, path }: Finding): string {
  return `${rule} ${version ?? ''} ${path}`;
}

/** Whether a finding with other values is no worse than the one before: a limit that gave way, values that came back. */
function isMilder(after: Finding, before: Finding): boolean {
  if (!deepEqual(after.required, before.required)) return false;
  const a = after.live;
  const b = before.live;
  if (typeof a === 'number' && typeof b === 'number') {
    if (after.rule.startsWith('max')) return a >= b;
    return after.rule.startsWith('min') && a <= b;
  }
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  const enumerated = after.rule === 'enum-value-removed' || after.rule === 'enum-added';
  return enumerated && b.every((value) => a.some((other) => deepEqual(other, value)));
}

/** The findings of `after` that `before` did not have, or had in a milder form. */
export function ratchet(before: CompatibilityReport, after: CompatibilityReport): readonly Finding[] {
  const known = new Set(before.findings.map(identityOf));
  const bySite = new Map(before.findings.map((finding) => [siteOf(finding), finding]));
  return after.findings.filter((finding) => {
    if (known.has(identityOf(finding))) return false;
    const other = bySite.get(siteOf(finding));
    return other === undefined || !isMilder(finding, other);
  });
}
