/** Rules about records, lists of records, and one object that is several on the other side. */
import { compareBytes, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { claimPath, getAt, isRecord, parsePath, setAt, stepInto } from './path.js';
import type { Claim, Rule, Scope, Side } from './rule.js';
import { addError, addWarning } from './rule.js';

type Paths = Readonly<Record<Side, Path>>;

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

function bothOutward<C>(rules: readonly Rule<C>[], prefixes: Readonly<Record<Side, string>>): Rule<C>['claims'] {
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

function listSource<C>(scope: Scope<C>, path: Path): readonly unknown[] | undefined {
  const list = getAt(scope.source, path);
  if (list === undefined) return undefined;
  if (Array.isArray(list)) return list;
  addError(scope, path, 'must be a list');
  return undefined;
}

/** Converts one item; `undefined` when it is no record. */
function convertItem<C>(
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

/** A list of records, item by item in the same order. */
export function listOf<C = unknown>(left: PathLike, right: PathLike, rules: readonly Rule<C>[]): Rule<C> {
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const claims = bothOutward(rules, { left: `${claimPath(paths.left)}[]`, right: `${claimPath(paths.right)}[]` });
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const list = listSource(scope, paths[from]);
    if (list === undefined || list.length === 0) return;
    const before = stepInto(scope.at, paths[from]);
    const target: JsonObject[] = [];
    list.forEach((source, index) => {
      const name = String(index);
      const restored = getAt(scope.restored, [...paths[to], name]);
      const item = convertItem(rules, scope, { source, restored, at: { before, kind: 'index', name } });
      if (item !== undefined) target.push(item);
    });
    setAt(scope.target, paths[to], target);
  };
  return { claims, convert };
}

function listFromMap<C>(rules: readonly Rule<C>[], scope: Scope<C>, paths: Paths, key: string): void {
  const { from, to } = scope.run;
  const map = getAt(scope.source, paths[from]);
  if (map === undefined) return;
  if (!isRecord(map)) {
    addError(scope, paths[from], 'must be an object');
    return;
  }
  const before = stepInto(scope.at, paths[from]);
  const list: JsonObject[] = [];
  for (const name of Object.keys(map).toSorted(compareBytes)) {
    const item = convertItem(rules, scope, {
      source: map[name],
      restored: undefined,
      at: { before, kind: 'key', name },
    });
    if (item !== undefined) list.push({ [key]: name, ...item });
  }
  if (list.length > 0) setAt(scope.target, paths[to], list);
}

/** The items of the list with their keys; what has no key of its own is an error. */
function keyedItems<C>(rules: readonly Rule<C>[], scope: Scope<C>, path: Path, key: string): Map<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  const before = stepInto(scope.at, path);
  (listSource(scope, path) ?? []).forEach((source, index) => {
    const at: Step = { before, kind: 'index', name: String(index) };
    const item = convertItem(rules, scope, { source, restored: undefined, at });
    if (item === undefined) return;
    const name = (source as JsonObject)[key];
    if (typeof name !== 'string') addError({ ...scope, at }, [key], 'must be a string');
    else if (items.has(name)) addError({ ...scope, at }, [key], `Duplicate value: ${JSON.stringify(name)}`);
    else items.set(name, item);
  });
  return items;
}

/** A map on the left, a list whose items carry the key on the right. The list comes back in the order of its keys. */
export function mapToList<C = unknown>(
  left: PathLike,
  right: PathLike,
  key: string,
  rules: readonly Rule<C>[],
): Rule<C> {
  const paths: Paths = { left: parsePath(left), right: parsePath(right) };
  const prefixes = { left: `${claimPath(paths.left)}{}`, right: `${claimPath(paths.right)}[]` };
  const inner = bothOutward(rules, prefixes);
  const keyClaim: Claim = { path: `${prefixes.right}.${key}`, fate: 'mapped' };
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    if (from === 'left' && to === 'right') {
      listFromMap(rules, scope, paths, key);
      return;
    }
    const items = from === 'right' ? keyedItems(rules, scope, paths.right, key) : ownItems(rules, scope, paths.left);
    if (items.size === 0) return;
    if (to === 'left') {
      const map: JsonObject = {};
      for (const [name, item] of items) setOwn(map, name, item);
      setAt(scope.target, paths.left, map);
    } else {
      const names = [...items.keys()].toSorted(compareBytes);
      setAt(
        scope.target,
        paths.right,
        names.map((name) => ({ [key]: name, ...items.get(name) })),
      );
    }
  };
  return { claims: { left: inner.left, right: [keyClaim, ...inner.right] }, convert };
}

function ownItems<C>(rules: readonly Rule<C>[], scope: Scope<C>, path: Path): Map<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  const map = getAt(scope.source, path);
  if (!isRecord(map)) return items;
  const before = stepInto(scope.at, path);
  for (const name of Object.keys(map)) {
    const item = convertItem(rules, scope, {
      source: map[name],
      restored: undefined,
      at: { before, kind: 'key', name },
    });
    if (item !== undefined) items.set(name, item);
  }
  return items;
}

/**
 * One object on the left, several on the right: each part's rules read the one object, and write the object of that
 * name. The way back joins them.
 */
export function split<C = unknown>(parts: Readonly<Record<string, readonly Rule<C>[]>>): Rule<C>[] {
  return Object.entries(parts).map(([name, rules]) => nested<C>([], [name], rules));
}
