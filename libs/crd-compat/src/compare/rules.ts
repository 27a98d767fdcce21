/** CEL rules of two nodes. */
import { type SchemaNode, StructuralSchema, sameExpression } from '@capstan/schema';
import { seenAt } from './presence.js';
import { holdsBy } from './rule-implication.js';
import { valuesOf } from './scalars.js';
import type { Pair, Place, SchemaComparison } from './schemas.js';
import { type Site, pathOf, shownPath } from '../drafts/site.js';

type Rule = SchemaNode['rules'][number];

/** Whether a rule is among others. Nearly always it is there word for word, which is seen without parsing any of them. */
function isAmong(rule: Rule, others: readonly Rule[]): boolean {
  const optional = rule.optionalOldSelf ?? false;
  const alike = others.filter((other) => (other.optionalOldSelf ?? false) === optional);
  return (
    alike.some((other) => other.rule === rule.rule) || alike.some((other) => sameExpression(other.rule, rule.rule))
  );
}

function mentions(rule: Rule, name: string): boolean {
  return new RegExp(`(?<![\\w])${name.replaceAll(/[^\w]/g, '.')}(?![\\w])`).test(rule.rule);
}

/** Whether the rule looks at a value as a whole, and so at everything in it. */
function looksAtAll(rule: Rule): boolean {
  return /\b(?:self|oldSelf)\b(?!\s*\??\.\s*[a-z_A-Z]\w*(?!\s*\()|\s*\[)/.test(rule.rule);
}

/** Whether a rule of a node may look at a site below. */
function maySee(rule: Rule, place: Place, site: Site): boolean {
  const [step] = site.slice(place.site.length);
  if (step === undefined || step.kind !== 'property') return true;
  return mentions(rule, step.name) || looksAtAll(rule);
}

function excludedNames(place: Place): readonly string[] {
  return [...(place.excluded ?? [])].flatMap(([name, tree]) => (tree === undefined ? [name] : []));
}

function isExcludedSite(place: Place, site: Site): boolean {
  let tree = place.excluded;
  for (const step of site.slice(place.site.length)) {
    if (step.kind !== 'property') continue;
    if (tree?.has(step.name) !== true) return false;
    tree = tree.get(step.name);
    if (tree === undefined) return true;
  }
  return false;
}

function addStricter(walk: SchemaComparison, place: Place, rule: Rule, gone: readonly Rule[]): void {
  const { site } = place;
  const names = excludedNames(place).filter((name) => mentions(rule, name));
  const about = { site, live: rule.rule, trials: [], hints: rule.rule };
  const at = shownPath(site);
  if (names.length > 0) {
    const message = `a new rule of ${at} looks at the excluded field ${names.join(', ')}: ${rule.rule}`;
    walk.add({ rule: 'rule-excluded-field', message, ...about });
  } else if (gone.length === 0) {
    walk.add({ rule: 'rule-added', message: `${at} must satisfy a new rule: ${rule.rule}`, ...about });
  } else {
    const texts = gone.map((each) => each.rule);
    const required = texts.length === 1 ? texts[0] : texts;
    walk.add({ rule: 'rule-changed', message: `${at} must satisfy another rule: ${rule.rule}`, ...about, required });
  }
}

/** A rule that reads the same but may answer differently. */
function addSuspicious(walk: SchemaComparison, place: Place, rule: Rule, retyped: readonly Site[]): void {
  const seen = retyped.filter((site) => maySee(rule, place, site));
  if (seen.length === 0) return;
  const { site } = place;
  const extent = seen.map((other) => pathOf(other)).toSorted();
  const about = { site, required: rule.rule, live: rule.rule, extent, trials: [], hints: rule.rule };
  const at = shownPath(site);
  if (seen.some((other) => isExcludedSite(place, other))) {
    const message = `a rule of ${at} looks at an excluded field that differs: ${rule.rule}`;
    walk.add({ rule: 'rule-excluded-field', message, ...about });
  } else {
    const message = `a rule of ${at} sees values of other types: ${rule.rule}`;
    walk.add({ rule: 'rule-sees-other-types', message, ...about });
  }
}

function looksBack({ rule }: Rule): boolean {
  return /\boldSelf\b/.test(rule);
}

/** The rules of the requirement that another may follow from: those that are evaluated whenever it is, on the same values. */
function premisesFor(rule: Rule, { place, required }: Pair, retyped: readonly Site[]): readonly string[] {
  return required.rules
    .filter((given) => !retyped.some((site) => maySee(given, place, site)))
    .filter((given) => !looksBack(given) || (looksBack(rule) && isSameMoment(given, rule)))
    .map((given) => given.rule);
}

function isSameMoment(a: Rule, b: Rule): boolean {
  return (a.optionalOldSelf ?? false) === (b.optionalOldSelf ?? false);
}

/** Whether a rule holds for everything good: by what is there, by other rules, or for all values where they can be listed. */
function holdsForAll(walk: SchemaComparison, pair: Pair, rule: Rule, retyped: readonly Site[]): boolean {
  if (holdsBy(seenAt(pair, walk.minor), rule.rule, premisesFor(rule, pair, retyped))) return true;
  const { live, required } = pair;
  const values = valuesOf(required);
  if (values === undefined || required.nullable || looksBack(rule)) return false;
  const { type, format } = live.raw;
  const raw = { type, ...(format !== undefined && { format }), 'x-kubernetes-validations': [rule] };
  const schema = new StructuralSchema(raw, { minor: walk.minor });
  return values.every((value) => schema.validate(value).errors.length === 0);
}

/** Compares the rules of two nodes; `retyped` are the sites at and below the node whose types differ. */
export function compareRules(walk: SchemaComparison, pair: Pair, retyped: readonly Site[]): void {
  const { required, live, place } = pair;
  if (required.rules.length === 0 && live.rules.length === 0) return;
  const gone = required.rules.filter((rule) => !isAmong(rule, live.rules));
  let stricter = false;
  for (const rule of live.rules) {
    if (isAmong(rule, required.rules)) addSuspicious(walk, place, rule, retyped);
    else {
      stricter = true;
      if (!holdsForAll(walk, pair, rule, retyped)) addStricter(walk, place, rule, gone);
    }
  }
  // A rule that was replaced by a stricter one is reported with that one.
  if (stricter) return;
  const { site } = place;
  for (const rule of gone) {
    const message = `${shownPath(site)} need not satisfy a rule any more: ${rule.rule}`;
    walk.add({ rule: 'rule-removed', site, message, required: rule.rule });
  }
}
