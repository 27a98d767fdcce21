/** anyOf, oneOf, allOf and not of two nodes. */
import { canonicalJson } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import type { Pair, SchemaComparison } from './schemas.js';
import { type Site, shownPath } from './site.js';

type Branches = ReadonlyMap<string, SchemaNode>;

/** The customary way to spell out what int-or-string says already. */
const integerOrString = canonicalJson([{ type: 'integer' }, { type: 'string' }]);

function isIntegerOrString(branches: readonly SchemaNode[]): boolean {
  return canonicalJson(branches.map(({ raw }) => raw)) === integerOrString;
}

function branchesOf(node: SchemaNode, keyword: 'allOf' | 'anyOf' | 'oneOf'): Branches {
  let branches = node[keyword];
  if (node.intOrString && keyword === 'anyOf' && isIntegerOrString(branches)) branches = [];
  if (node.intOrString && keyword === 'allOf') {
    branches = branches.filter(({ anyOf, raw }) => !(isIntegerOrString(anyOf) && Object.keys(raw).length === 1));
  }
  return new Map(branches.map((branch) => [canonicalJson(branch.raw), branch]));
}

function contains(outer: Branches, inner: Branches): boolean {
  return [...inner.keys()].every((key) => outer.has(key));
}

type Change = 'loosened' | 'same' | 'stricter';

function changeOf(keyword: 'allOf' | 'anyOf' | 'oneOf', wanted: Branches, given: Branches): Change {
  if (contains(wanted, given) && contains(given, wanted)) return 'same';
  if (given.size === 0) return 'loosened';
  if (keyword === 'anyOf' && wanted.size > 0 && contains(given, wanted)) return 'loosened';
  return keyword === 'allOf' && contains(wanted, given) ? 'loosened' : 'stricter';
}

function repeats({ oneOf }: SchemaNode): boolean {
  return new Set(oneOf.map(({ raw }) => canonicalJson(raw))).size !== oneOf.length;
}

/** A oneOf with the same branch twice is another than with it once; the maps above do not tell them apart. */
function isRepeated(required: SchemaNode, live: SchemaNode, keyword: string): boolean {
  if (keyword !== 'oneOf' || required.oneOf.length === live.oneOf.length) return false;
  return live.oneOf.length > 0 && (repeats(required) || repeats(live));
}

function raws(branches: Branches): readonly unknown[] | undefined {
  return branches.size === 0 ? undefined : [...branches.values()].map(({ raw }) => raw);
}

/** Whether alternatives look at members that are filled in by default, or count members. */
function countsFilled(node: SchemaNode, filled: readonly Site[]): boolean {
  if (filled.length === 0) return false;
  const text = canonicalJson(
    [node.allOf, node.anyOf, node.oneOf, node.not === undefined ? [] : [node.not]].map((list) =>
      list.map(({ raw }) => raw),
    ),
  );
  if (text.includes('Properties"') || text.includes('"enum"')) return true;
  return filled.some((site) => {
    const last = site.at(-1);
    return last?.kind === 'property' && text.includes(JSON.stringify(last.name));
  });
}

/** Compares alternatives; `filled` are objects below that get members by default. */
export function compareJunctors(walk: SchemaComparison, pair: Pair, filled: readonly Site[]): void {
  const { required, live, place } = pair;
  const { site } = place;
  const at = shownPath(site);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (required[keyword].length === 0 && live[keyword].length === 0) continue;
    const wanted = branchesOf(required, keyword);
    const given = branchesOf(live, keyword);
    const change = isRepeated(required, live, keyword) ? 'stricter' : changeOf(keyword, wanted, given);
    if (change === 'same') continue;
    const rule = change === 'stricter' ? 'alternatives-changed' : 'alternatives-loosened';
    const message = change === 'stricter' ? `${keyword} of ${at} differs` : `${keyword} of ${at} permits more`;
    walk.add({
      rule,
      site,
      message,
      required: raws(wanted),
      live: raws(given),
      ...(change === 'stricter' && { trials: [] }),
    });
  }
  compareNot(walk, pair);
  if (countsFilled(live, filled)) {
    const message = `alternatives of ${at} look at new fields that have defaults`;
    walk.add({ rule: 'alternatives-changed', site, message, trials: [] });
  }
}

function compareNot(walk: SchemaComparison, { required, live, place }: Pair): void {
  const wanted = required.not?.raw;
  const given = live.not?.raw;
  if (
    wanted === given ||
    (wanted !== undefined && given !== undefined && canonicalJson(wanted) === canonicalJson(given))
  )
    return;
  const { site } = place;
  const at = shownPath(site);
  const values = { required: wanted, live: given };
  if (given === undefined)
    walk.add({ rule: 'alternatives-loosened', site, message: `not of ${at} is gone`, ...values });
  else walk.add({ rule: 'alternatives-changed', site, message: `not of ${at} differs`, ...values, trials: [] });
}
