/** anyOf, oneOf, allOf and not of two nodes. */
import { canonicalJson } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { resourceNames, restOf } from '../drafts/any.js';
import { type Seen, presenceOf, seenAt } from './presence.js';
import type { Filled, Pair, Place, SchemaComparison } from './schemas.js';
import { type Trial, pathOf, shownPath } from '../drafts/site.js';

type Branches = ReadonlyMap<string, SchemaNode>;

/** The customary way to spell out what int-or-string implies. */
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

/** Whether no object of the requirement has the member: neither side describes it, or only the live one does. */
function isAbsent(seen: Seen, name: string): boolean {
  const { excluded, live, required, resource } = seen;
  if (live.properties?.has(name) === true) return presenceOf(seen, name) === 'never';
  if (required.properties?.has(name) === true || excluded?.has(name) === true) return false;
  if (resource && resourceNames.has(name)) return false;
  return restOf(required) === undefined && restOf(live) === undefined;
}

/** Whether no object of the requirement satisfies a branch, because it asks for a member that none of them has. */
function isNever(branch: SchemaNode, seen: Seen): boolean {
  const { allOf, anyOf, not, oneOf, required } = branch;
  if (required.some((name) => isAbsent(seen, name)) || allOf.some((each) => isNever(each, seen))) return true;
  if ([anyOf, oneOf].some((list) => list.length > 0 && list.every((each) => isNever(each, seen)))) return true;
  return not !== undefined && isAlways(not, seen);
}

/** Whether every object of the requirement satisfies a branch: it only denies what none of them has. */
function isAlways({ not, raw }: SchemaNode, seen: Seen): boolean {
  return Object.keys(raw).length === 1 && not !== undefined && isNever(not, seen);
}

/** The branches that some object of the requirement may satisfy. */
function possible(branches: Branches, seen: Seen): Branches {
  return new Map([...branches].filter(([, branch]) => !isNever(branch, seen)));
}

/** Whether alternatives ask for nothing that an object of the requirement may lack. */
function isVacuous(keyword: 'allOf' | 'anyOf' | 'oneOf', pair: Pair, given: Branches, seen: Seen): boolean {
  if (keyword === 'oneOf' || given.size === 0) return false;
  const branches = [...given.values()];
  if (keyword === 'allOf') return branches.every((branch) => isAlways(branch, seen));
  if (branches.some((branch) => isAlways(branch, seen))) return true;
  // Of what satisfies exactly one of some branches one is among these.
  const one = branchesOf(pair.required, 'oneOf');
  return one.size > 0 && contains(given, possible(one, seen));
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

/** The change as objects of the requirement see it. */
function changeBetween(
  { minor, pair }: { readonly minor: number; readonly pair: Pair },
  keyword: 'allOf' | 'anyOf' | 'oneOf',
  wanted: Branches,
  given: Branches,
): Change {
  const { live, required } = pair;
  const change = isRepeated(required, live, keyword) ? 'stricter' : changeOf(keyword, wanted, given);
  if (change !== 'stricter') return change;
  const seen = seenAt(pair, minor);
  if (isVacuous(keyword, pair, given, seen)) return wanted.size === 0 ? 'same' : 'loosened';
  if (keyword === 'allOf' || repeats(required) || repeats(live)) return change;
  const [before, after] = [possible(wanted, seen), possible(given, seen)];
  // Without any branch that is possible nothing passes.
  return before.size === 0 || after.size === 0 ? change : changeOf(keyword, before, after);
}

function raws(branches: Branches): readonly unknown[] | undefined {
  return branches.size === 0 ? undefined : [...branches.values()].map(({ raw }) => raw);
}

/** Whether alternatives or an enumeration look at members that are there now, or count members. */
function countsFilled(node: SchemaNode, filled: readonly Filled[]): boolean {
  if (filled.length === 0) return false;
  if (node.enum !== undefined) return true;
  const text = canonicalJson(
    [node.allOf, node.anyOf, node.oneOf, node.not === undefined ? [] : [node.not]].map((list) =>
      list.map(({ raw }) => raw),
    ),
  );
  if (text.includes('Properties"') || text.includes('"enum"')) return true;
  return filled.some(({ site }) => {
    const last = site.at(-1);
    return last?.kind === 'property' && text.includes(JSON.stringify(last.name));
  });
}

/** The ways from a place to members that may be null now, as far as they lead through named members alone. */
export function nullsBelow(place: Place, filled: readonly Filled[]): readonly (readonly string[])[] {
  return filled.flatMap(({ isNull, site }) => {
    const steps = site.slice(place.site.length);
    const names = steps.flatMap((step) => (step.kind === 'property' ? [step.name] : []));
    return isNull && names.length === steps.length ? [names] : [];
  });
}

/** Compares alternatives; `filled` are members below that are there now. */
export function compareJunctors(walk: SchemaComparison, pair: Pair, filled: readonly Filled[]): void {
  const { required, live, place } = pair;
  const { site } = place;
  const at = shownPath(site);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (required[keyword].length === 0 && live[keyword].length === 0) continue;
    const wanted = branchesOf(required, keyword);
    const given = branchesOf(live, keyword);
    const change = changeBetween({ pair, minor: walk.minor }, keyword, wanted, given);
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
    const nulls = nullsBelow(place, filled);
    const what = nulls.length === 0 ? 'fields whose defaults differ' : 'members that may be null now';
    const message = `alternatives or the enum of ${at} look at ${what}`;
    const trials: Trial[] = nulls.map((way) => ({ kind: 'sample', hint: { nulls: [way] } }));
    const extent = filled.map((each) => [pathOf(each.site), each.isNull]);
    walk.add({ rule: 'alternatives-changed', site, message, extent, trials });
  }
}

function compareNot(walk: SchemaComparison, { required, live, place }: Pair): void {
  const wanted = required.not?.raw;
  const given = live.not?.raw;
  if (
    live.not !== undefined &&
    wanted === undefined &&
    isNever(live.not, seenAt({ required, live, place }, walk.minor))
  )
    return;
  if (
    wanted === given ||
    (wanted !== undefined && given !== undefined && canonicalJson(wanted) === canonicalJson(given))
  )
    return;
  const { site } = place;
  const at = shownPath(site);
  const values = { required: wanted, live: given };
  if (given === undefined)
    walk.add({ rule: 'alternatives-loosened', site, message: `not of ${at} was removed`, ...values });
  else walk.add({ rule: 'alternatives-changed', site, message: `not of ${at} differs`, ...values, trials: [] });
}
