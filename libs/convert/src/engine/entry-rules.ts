/** Rules about maps of texts: labels and annotations, entry by entry. */
import { compareBytes, getOwn, goQuote, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { claimPath, getAt, isRecord, parsePath, setAt, stepInto } from './path.js';
import { listSource } from './list-rules.js';
import type { Claim, Rule, Scope, Side } from './rule.js';
import { addError, addWarning } from './rule.js';

/** What becomes of some entries; all others are copied. A key that ends in `*` stands for all that begin so. */
export type EntryCase =
  | { readonly left: string; readonly right: string }
  | {
      /** The side that has the entry. */
      readonly side: Side;
      readonly key: string;
      /** `other`: another rule speaks of it. */
      readonly fate: 'dropped' | 'refused' | 'other';
      readonly reason: string;
    };

function matches(pattern: string, key: string): boolean {
  return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : pattern === key;
}

/** The map at a path of the target, made when there is none yet: several rules write into it. */
function targetMap<C>(scope: Scope<C>, path: Path): JsonObject {
  const there = getAt(scope.target, path);
  if (isRecord(there)) return there;
  const made: JsonObject = {};
  setAt(scope.target, path, made);
  return made;
}

function sourceMap<C>(scope: Scope<C>, path: Path): JsonObject {
  const map = getAt(scope.source, path) ?? {};
  if (isRecord(map)) return map;
  addError(scope, path, 'must be an object');
  return {};
}

/** Decides what an entry is called on the other side; `undefined` when it does not get there. */
function otherKey<C>(scope: Scope<C>, key: string, at: Step, cases: readonly EntryCase[]): string | undefined {
  const { from, to } = scope.run;
  for (const each of cases) {
    if (!('side' in each)) {
      if (each[from] === key) return each[to];
      if (each[to] === key) {
        addError({ ...scope, at }, [], `is taken: there it stands for ${goQuote(each[from])}`);
        return undefined;
      }
    } else if (matches(each.key, key)) {
      if (each.side !== from) {
        addError({ ...scope, at }, [], `is taken: ${each.reason}`);
      } else if (each.fate !== 'other') {
        (each.fate === 'refused' ? addError : addWarning)({ ...scope, at }, [], each.reason);
      }
      return undefined;
    }
  }
  return key;
}

/** Which entries stay when a map is only brought into its normal form: all that this rule brings back. */
function staysAtHome(key: string, side: Side, cases: readonly EntryCase[]): boolean {
  return !cases.some((each) => 'side' in each && each.side === side && matches(each.key, key));
}

/** All entries of a side on their way, by their names there. A later place wins; entries that it hides give a warning. */
function gathered<C>(scope: Scope<C>, places: readonly Path[], cases: readonly EntryCase[]): Map<string, unknown> {
  const { from, to } = scope.run;
  const found = new Map<string, { readonly value: unknown; readonly at: Step }>();
  for (const path of places) {
    const map = sourceMap(scope, path);
    const before = stepInto(scope.at, path);
    for (const key of Object.keys(map)) {
      const at: Step = { before, kind: 'key', name: key };
      const name = from === to ? (staysAtHome(key, from, cases) ? key : undefined) : otherKey(scope, key, at, cases);
      if (name === undefined) continue;
      const hidden = found.get(name);
      if (hidden !== undefined && hidden.value !== map[key]) {
        addWarning({ ...scope, at: hidden.at }, [], `is hidden by ${claimPath(path)}`);
      }
      found.set(name, { value: map[key], at });
    }
  }
  return new Map([...found].map(([name, { value }]) => [name, value]));
}

/** Refuses cases that could not run both ways. */
function checkCases(cases: readonly EntryCase[]): void {
  for (const side of ['left', 'right'] as const) {
    const keys = cases.flatMap((each) => ('side' in each ? (each.side === side ? [each.key] : []) : [each[side]]));
    const twice = keys.find((key, at) => keys.indexOf(key) !== at);
    if (twice !== undefined) throw new RangeError(`the ${side} side has two cases for ${twice}`);
  }
  const star = cases.find((each) => !('side' in each) && `${each.left}${each.right}`.includes('*'));
  if (star !== undefined) throw new RangeError('only single entries can be renamed');
}

/**
 * Maps of texts. The left side may have several places: these are merged on the way there, the last one wins, and each
 * gets all of it on the way back.
 */
export function entries<C = unknown>(
  left: readonly PathLike[],
  right: PathLike,
  cases: readonly EntryCase[] = [],
): Rule<C> {
  checkCases(cases);
  if (left.length === 0) throw new RangeError('entries need at least one place on the left');
  const places = { left: left.map(parsePath), right: [parsePath(right)] };
  const claimsOf = (side: Side): Claim[] =>
    places[side].map((path) => ({ path: `${claimPath(path)}{}`, fate: 'mapped' }));
  const convert = (scope: Scope<C>): void => {
    const all = gathered(scope, places[scope.run.from], cases);
    if (all.size === 0) return;
    for (const path of places[scope.run.to]) {
      const map = targetMap(scope, path);
      for (const [key, value] of all) setOwn(map, key, value);
    }
  };
  return { claims: { left: claimsOf('left'), right: claimsOf('right') }, convert };
}

/** A list on the left whose items are entries of a map on the right. */
export interface ListedEntries {
  readonly list: PathLike;
  readonly map: PathLike;
  /** What the keys of such entries begin with; the `entries` of the same map leave them to `other`. */
  readonly prefix: string;
  /** The fields of an item that hold the rest of the key, and the value. */
  readonly key: string;
  readonly value: string;
}

/** Items of a list as entries with a common prefix. The list comes back in the order of its keys. */
export function listInEntries<C = unknown>({ list, map, prefix, key, value }: ListedEntries): Rule<C> {
  if (prefix === '') throw new RangeError('entries that are items of a list need a prefix');
  const paths = { list: parsePath(list), map: parsePath(map) };
  const claimed = [key, value].map((name): Claim => ({ path: `${claimPath(paths.list)}[].${name}`, fate: 'mapped' }));
  const fromList = (scope: Scope<C>): Map<string, unknown> => {
    const found = new Map<string, unknown>();
    const before = stepInto(scope.at, paths.list);
    (listSource(scope, paths.list) ?? []).forEach((item, index) => {
      const name = isRecord(item) ? getOwn(item, key) : undefined;
      const at: Step = { before, kind: 'index', name: String(index) };
      if (typeof name !== 'string') addError({ ...scope, at }, [key], 'must be a string');
      else if (found.has(name)) addError({ ...scope, at }, [key], `Duplicate value: ${goQuote(name)}`);
      else found.set(name, (item as JsonObject)[value] ?? '');
    });
    return found;
  };
  const fromMap = (scope: Scope<C>): Map<string, unknown> => {
    const found = new Map<string, unknown>();
    const map = sourceMap(scope, paths.map);
    for (const name of Object.keys(map)) if (name.startsWith(prefix)) found.set(name.slice(prefix.length), map[name]);
    return found;
  };
  const convert = (scope: Scope<C>): void => {
    if (getAt(scope.source, scope.run.from === 'left' ? paths.list : paths.map) === undefined) return;
    const items = scope.run.from === 'left' ? fromList(scope) : fromMap(scope);
    if (items.size === 0) return;
    if (scope.run.to === 'right') {
      const target = targetMap(scope, paths.map);
      for (const [name, text] of items) setOwn(target, `${prefix}${name}`, text);
      return;
    }
    const names = [...items.keys()].toSorted(compareBytes);
    setAt(
      scope.target,
      paths.list,
      names.map((name) => ({ [key]: name, [value]: items.get(name) })),
    );
  };
  return { claims: { left: claimed, right: [] }, convert };
}
