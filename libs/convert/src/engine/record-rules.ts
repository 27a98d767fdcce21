/** Rules about records, and one object that is several on the other side. */
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike } from './path.js';
import { StepsBehind, claimPath, getAt, isRecord, parsePath, setAt } from './path.js';
import type { Claim, Rule, Scope, Side } from './rule.js';
import { addError, addWarning } from './rule.js';

/** Where a rule's field is on either side. */
export type Paths = Readonly<Record<Side, Path>>;

function joined(prefix: string, rest: string): string {
  if (prefix === '' || rest === '') return prefix + rest;
  return rest.startsWith('[') || rest.startsWith('{') ? prefix + rest : `${prefix}.${rest}`;
}

/** The claims of inner rules, seen from outside. */
function outward<C>(rules: readonly Rule<C>[], side: Side, prefixes: Readonly<Record<Side, string>>): Claim[] {
  const other = side === 'left' ? 'right' : 'left';
  return rules.flatMap((rule) =>
    rule.claims[side].map((claim) => {
      const path = joined(prefixes[side], claim.path);
      if (claim.copiedTo === undefined) return { ...claim, path };
      return { ...claim, path, copiedTo: joined(prefixes[other], claim.copiedTo) };
    }),
  );
}

/** The claims of inner rules on both sides. */
export function bothOutward<C>(rules: readonly Rule<C>[], prefixes: Readonly<Record<Side, string>>): Rule<C>['claims'] {
  return { left: outward(rules, 'left', prefixes), right: outward(rules, 'right', prefixes) };
}

/** Runs rules on one pair of records and gives the target. */
export function runRules<C>(rules: readonly Rule<C>[], scope: Scope<C>): JsonObject {
  for (let at = 0; at < rules.length; at++) (rules[at] as Rule<C>).convert(scope);
  return scope.target;
}

/** Whether a record has no fields. */
export function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _ in record) return false;
  return true;
}

/** A record inside a record. Several rules may share one; what would be empty is left out. */
export function nested<C = unknown>(left: PathLike, right: PathLike, rules: readonly Rule<C>[]): Rule<C> {
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const claims = bothOutward(rules, { left: claimPath(paths.left), right: claimPath(paths.right) });
  const steps = { left: new StepsBehind(paths.left), right: new StepsBehind(paths.right) };
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const source = getAt(scope.source, paths[from]) ?? {};
    if (!isRecord(source)) {
      addError(scope, paths[from], 'must be an object');
      return;
    }
    const there = paths[to].length === 0 ? scope.target : getAt(scope.target, paths[to]);
    const target = isRecord(there) ? there : {};
    const restored = getAt(scope.restored, paths[to]);
    runRules(rules, { run: scope.run, source, target, restored, at: steps[from].from(scope.at) });
    if (there === undefined && !isEmpty(target)) setAt(scope.target, paths[to], target);
  };
  return { claims, convert };
}

/**
 * A record whose rules run only when the source names something: what they fill in must not make a record out of
 * nothing. A record that names nothing is dropped with a warning.
 */
export function reference<C = unknown>(
  left: PathLike,
  right: PathLike,
  namesSomething: Readonly<Record<Side, (record: JsonObject) => boolean>>,
  rules: readonly Rule<C>[],
): Rule<C> {
  const inner = nested(left, right, rules);
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const convert = (scope: Scope<C>): void => {
    const { from } = scope.run;
    const source = getAt(scope.source, paths[from]);
    if (source === undefined || (isRecord(source) && isEmpty(source))) return;
    if (!isRecord(source) || namesSomething[from](source)) inner.convert(scope);
    else addWarning(scope, paths[from], 'names nothing, and is dropped');
  };
  return { claims: inner.claims, convert };
}

/** A record whose rules run only when the source has it: what they fill in must not make one out of nothing. */
export function optionalNested<C = unknown>(left: PathLike, right: PathLike, rules: readonly Rule<C>[]): Rule<C> {
  const inner = nested(left, right, rules);
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const convert = (scope: Scope<C>): void => {
    const source = getAt(scope.source, paths[scope.run.from]);
    if (source === undefined || (isRecord(source) && isEmpty(source))) return;
    inner.convert(scope);
  };
  return { claims: inner.claims, convert };
}

/**
 * One object on the left, several on the right: each part's rules read the one object, and write the object of that
 * name. The way back joins them.
 */
export function split<C = unknown>(parts: Readonly<Record<string, readonly Rule<C>[]>>): Rule<C>[] {
  return Object.entries(parts).map(([name, rules]) => nested<C>([], [name], rules));
}
