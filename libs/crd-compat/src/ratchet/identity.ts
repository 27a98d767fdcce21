/** When two findings are the same, and when one is a milder form of the other. */
import { canonicalJson, deepEqual } from '@capstan/meta';
import { draftOf } from '../drafts/evidence.js';
import type { Finding } from '../report.js';

/** What makes two findings the same: whatever decides which objects break belongs to it, so a worse limit is another finding. */
export function identityOf(finding: Finding): string {
  const { rule, severity, version, path, required, live } = finding;
  const draft = draftOf(finding);
  // A loss by conversion is reported by its path alone.
  const source = draft === undefined || draft.rule === rule ? null : [draft.rule, draft.live ?? null];
  return canonicalJson([
    rule,
    severity,
    version ?? null,
    path,
    required ?? null,
    live ?? null,
    draft?.extent ?? null,
    source,
  ]);
}

function siteOf({ rule, version, path }: Finding): string {
  return `${rule} ${version ?? ''} ${path}`;
}

/** Findings whose live value is a list of what is still permitted or kept. */
const lists: ReadonlySet<string> = new Set([
  'enum-added',
  'enum-value-removed',
  'map-became-struct',
  'unknown-fields-pruned',
]);

/** Whether a finding with other values is no worse than the one before: a limit that gave way, values or keys that came back. */
function isMilder(after: Finding, before: Finding): boolean {
  if (!deepEqual(after.required, before.required)) return false;
  if (!deepEqual(draftOf(after)?.extent, draftOf(before)?.extent)) return false;
  const a = after.live;
  const b = before.live;
  if (typeof a === 'number' && typeof b === 'number') {
    if (after.rule.startsWith('max')) return a >= b;
    return after.rule.startsWith('min') && a <= b;
  }
  if (!Array.isArray(a) || !Array.isArray(b) || !lists.has(after.rule)) return false;
  return b.every((value) => a.some((other) => deepEqual(other, value)));
}

/** The findings of `after` that `before` had neither in the same nor in a worse form at the same place. */
export function unknownBefore(before: readonly Finding[], after: readonly Finding[]): readonly Finding[] {
  const known = new Set(before.map(identityOf));
  return after.filter((finding) => {
    if (known.has(identityOf(finding))) return false;
    return !before.some((other) => siteOf(other) === siteOf(finding) && isMilder(finding, other));
  });
}
