/** Rules about records, lists of records, and one object that is several on the other side. */
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { claimPath, getAt, isRecord, namesOf, parsePath, setAt, stepInto } from './path.js';
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
      if (claim.copiedTo === undefined) return { path, fate: claim.fate };
      return { path, fate: claim.fate, copiedTo: joined(prefixes[other], claim.copiedTo) };
    }),
  );
}

/** The claims of inner rules on both sides. */
export function bothOutward<C>(rules: readonly Rule<C>[], prefixes: Readonly<Record<Side, string>>): Rule<C>['claims'] {
  return { left: outward(rules, 'left', prefixes), right: outward(rules, 'right', prefixes) };
}

/** Runs rules on one pair of records and gives the target. */
function runRules<C>(rules: readonly Rule<C>[], scope: Scope<C>): JsonObject {
  for (const rule of rules) rule.convert(scope);
  return scope.target;
}

function isEmpty(record: JsonObject): boolean {
  for (const _ in record) return false;
  return true;
}

/** A record inside a record. Several rules may share one; what would be empty is left out. */
export function nested<C = unknown>(left: PathLike, right: PathLike, rules: readonly Rule<C>[]): Rule<C> {
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const claims = bothOutward(rules, { left: claimPath(paths.left), right: claimPath(paths.right) });
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
    runRules(rules, { run: scope.run, source, target, restored, at: stepInto(scope.at, paths[from]) });
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

/** The list at a path of the source; what is no list is an error. */
export function listSource<C>(scope: Scope<C>, path: Path): readonly unknown[] | undefined {
  const list = getAt(scope.source, path);
  if (list === undefined) return undefined;
  if (Array.isArray(list)) return list;
  addError(scope, path, 'must be a list');
  return undefined;
}

/** Converts one item; `undefined` when it is no record. */
export function convertItem<C>(
  rules: readonly Rule<C>[],
  scope: Scope<C>,
  item: { readonly source: unknown; readonly restored: unknown; readonly at: Step },
): JsonObject | undefined {
  if (!isRecord(item.source)) {
    addError({ ...scope, at: item.at }, [], 'must be an object');
    return undefined;
  }
  return runRules(rules, { run: scope.run, source: item.source, target: {}, restored: item.restored, at: item.at });
}

/** How items of a list find what was put aside for them. */
export interface ListOptions {
  /**
   * The field, of the same name on both sides, by which an item is known. Without one it is its place that counts, and
   * only as long as the list has its length: whoever adds or removes an item in between gets nothing back.
   */
  readonly key?: string;
}

/** Where an item stands in its list. */
interface Place {
  readonly index: number;
  readonly length: number;
}

/** What was put aside for an item: a whole list of items, or a record of some of them by their places. */
function restoredItem(kept: unknown, source: unknown, place: Place, key: string | undefined): unknown {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const there = getAt(kept, [String(place.index)]);
  if (key === undefined) return Array.isArray(kept) && kept.length !== place.length ? undefined : there;
  const path = [key];
  const name = getAt(source, path) ?? '';
  const isIt = (item: unknown): boolean => isRecord(item) && deepEqual(getAt(item, path) ?? '', name);
  // Its own place first: a key that comes twice must not give one item what belongs to the other.
  return isIt(there) ? there : Object.values(kept).find(isIt);
}

/** An item of which something was put aside must be found again by its key. */
function keepKey<C>(scope: Scope<C>, at: Step, source: unknown, key: string): void {
  const kept = getAt(scope.run.aside, namesOf(at));
  if (isRecord(kept)) kept[key] = getAt(source, [key]);
}

/** A list of records, item by item in the same order. */
export function listOf<C = unknown>(
  left: PathLike,
  right: PathLike,
  rules: readonly Rule<C>[],
  { key }: ListOptions = {},
): Rule<C> {
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const claims = bothOutward(rules, { left: `${claimPath(paths.left)}[]`, right: `${claimPath(paths.right)}[]` });
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const list = listSource(scope, paths[from]);
    if (list === undefined || list.length === 0) return;
    const before = stepInto(scope.at, paths[from]);
    const kept = getAt(scope.restored, paths[to]);
    const target: JsonObject[] = [];
    list.forEach((source, index) => {
      const at: Step = { before, kind: 'index', name: String(index) };
      const restored = restoredItem(kept, source, { index, length: list.length }, key);
      const item = convertItem(rules, scope, { source, restored, at });
      if (item !== undefined) target.push(item);
      if (key !== undefined && scope.run.aside !== undefined) keepKey(scope, at, source, key);
    });
    setAt(scope.target, paths[to], target);
  };
  return { claims, convert };
}

/**
 * One object on the left, several on the right: each part's rules read the one object, and write the object of that
 * name. The way back joins them.
 */
export function split<C = unknown>(parts: Readonly<Record<string, readonly Rule<C>[]>>): Rule<C>[] {
  return Object.entries(parts).map(([name, rules]) => nested<C>([], [name], rules));
}
