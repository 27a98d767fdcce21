/** Findings put in order. */
import { canonicalJson, compareBytes } from '@capstan/meta';
import { identityOf } from './ratchet/identity.js';
import type { CompatibilityReport, Finding } from './report.js';

function order(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  return (
    compareBytes(a.version ?? '', b.version ?? '') ||
    compareBytes(a.path, b.path) ||
    compareBytes(a.rule, b.rule) ||
    compareBytes(a.message, b.message) ||
    compareBytes(canonicalJson(a.live ?? null), canonicalJson(b.live ?? null))
  );
}

/** A report: findings sorted, equal ones once, and the verdict they come to. */
export function reportOf(found: readonly Finding[]): CompatibilityReport {
  const distinct = new Map<string, Finding>();
  for (const finding of found) {
    const identity = `${identityOf(finding)} ${finding.message}`;
    const known = distinct.get(identity);
    // A proved finding is preferred to one without proof.
    if (known === undefined || known.proof === 'cannot be proved') distinct.set(identity, finding);
  }
  const findings = [...distinct.values()].sort(order);
  const verdict = findings.some(({ severity }) => severity === 'error')
    ? 'Incompatible'
    : findings.length > 0
      ? 'CompatibleWithWarnings'
      : 'Compatible';
  return { verdict, findings };
}
