/** Rules about maps that are lists of keyed items on the other side. */
import { compareBytes, goQuote, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { claimPath, getAt, isRecord, parsePath, setAt, stepInto } from './path.js';
import { convertItem, listSource } from './list-rules.js';
import { bothOutward } from './record-rules.js';
import type { Claim, Rule, Scope, Side } from './rule.js';
import { addError, addWarning, otherSide } from './rule.js';

/** How the items of the list carry their key. */
export interface KeyedItems {
  /** The field of an item that holds its key. */
  readonly key: string;
  /** The one field besides the key, where the map holds bare values; absent where it holds records. */
  readonly value?: string;
  /** An item without a key is an error, unless the empty key is left out of items: then it has the empty one. */
  readonly emptyKey?: 'omit';
  /** A key that comes twice is an error, unless the last one wins; the others are then dropped with a warning. */
  readonly duplicates?: 'last';
}

interface Entry {
  readonly source: unknown;
  readonly at: Step;
}

interface KeyedRule<C> {
  readonly mapSide: Side;
  readonly items: KeyedItems;
  readonly rules: readonly Rule<C>[];
}

function entriesOfMap<C>(scope: Scope<C>, path: Path, { value }: KeyedItems): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const map = getAt(scope.source, path);
  if (map === undefined) return entries;
  if (!isRecord(map)) {
    addError(scope, path, 'must be an object');
    return entries;
  }
  const before = stepInto(scope.at, path);
  for (const name of Object.keys(map)) {
    const held = map[name];
    const source = value === undefined ? held : { [value]: held };
    entries.set(name, { source, at: { before, kind: 'key', name } });
  }
  return entries;
}

/** The key of an item; `undefined` after saying why it has none. */
function keyOf<C>(scope: Scope<C>, entry: Entry, { key, emptyKey }: KeyedItems): string | undefined {
  if (!isRecord(entry.source)) {
    addError({ ...scope, at: entry.at }, [], 'must be an object');
    return undefined;
  }
  const name = entry.source[key] ?? (emptyKey === 'omit' ? '' : undefined);
  if (typeof name === 'string') return name;
  addError({ ...scope, at: entry.at }, [key], 'must be a string');
  return undefined;
}

function entriesOfList<C>(scope: Scope<C>, path: Path, items: KeyedItems): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const before = stepInto(scope.at, path);
  (listSource(scope, path) ?? []).forEach((source, index) => {
    const entry: Entry = { source, at: { before, kind: 'index', name: String(index) } };
    const name = keyOf(scope, entry, items);
    if (name === undefined) return;
    const earlier = entries.get(name);
    if (earlier !== undefined && items.duplicates === undefined) {
      addError({ ...scope, at: entry.at }, [items.key], `Duplicate value: ${goQuote(name)}`);
      return;
    }
    if (earlier !== undefined) {
      addWarning({ ...scope, at: earlier.at }, [], `is dropped: a later item has the same ${items.key}`);
    }
    entries.set(name, entry);
  });
  return entries;
}

function writeMap(converted: ReadonlyMap<string, JsonObject>, { value }: KeyedItems): JsonObject {
  const map: JsonObject = {};
  for (const [name, item] of converted) setOwn(map, name, value === undefined ? item : (item[value] ?? null));
  return map;
}

function writeList(converted: ReadonlyMap<string, JsonObject>, { key, emptyKey }: KeyedItems): JsonObject[] {
  const names = [...converted.keys()].toSorted(compareBytes);
  return names.map((name) => {
    const item = converted.get(name) as JsonObject;
    return name === '' && emptyKey === 'omit' ? item : { [key]: name, ...item };
  });
}

function keyed<C>(paths: Readonly<Record<Side, Path>>, { mapSide, items, rules }: KeyedRule<C>): Rule<C> {
  const listSide = otherSide(mapSide);
  const prefixes: Record<Side, string> = { left: '', right: '' };
  prefixes[mapSide] = `${claimPath(paths[mapSide])}{}`;
  prefixes[listSide] = `${claimPath(paths[listSide])}[]`;
  const inner = bothOutward(rules, prefixes);
  // The bare value of a map has no name of its own there.
  const bare = (claim: Claim, side: Side): Claim => {
    const strip = (path: string): string => path.slice(0, path.length - (items.value ?? '').length - 1);
    if (side === mapSide) return { ...claim, path: strip(claim.path) };
    return claim.copiedTo === undefined ? claim : { ...claim, copiedTo: strip(claim.copiedTo) };
  };
  const claimsOf = (side: Side): readonly Claim[] =>
    items.value === undefined ? inner[side] : inner[side].map((claim) => bare(claim, side));
  const claims: Record<Side, readonly Claim[]> = { left: claimsOf('left'), right: claimsOf('right') };
  claims[listSide] = [{ path: `${prefixes[listSide]}.${items.key}`, fate: 'mapped' }, ...claims[listSide]];
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const read = from === mapSide ? entriesOfMap : entriesOfList;
    const converted = new Map<string, JsonObject>();
    for (const [name, entry] of read(scope, paths[from], items)) {
      const item = convertItem(rules, scope, { ...entry, restored: undefined });
      if (item !== undefined) converted.set(name, item);
    }
    if (converted.size === 0) return;
    setAt(scope.target, paths[to], to === mapSide ? writeMap(converted, items) : writeList(converted, items));
  };
  return { claims, convert };
}

/** Reads the shorthand, and refuses what cannot work before it is ever run. */
function checkedItems<C>(items: string | KeyedItems, rules: readonly Rule<C>[]): KeyedItems {
  const checked = typeof items === 'string' ? { key: items } : items;
  if (checked.key === '') throw new RangeError('the items of a list need a field for their key');
  if (checked.key === checked.value) throw new RangeError(`${checked.key} cannot be both key and value`);
  const claimed = rules.flatMap((rule) => [...rule.claims.left, ...rule.claims.right]).map((claim) => claim.path);
  if (checked.value !== undefined && (claimed.length === 0 || claimed.some((path) => path !== checked.value))) {
    throw new RangeError(`bare values need one rule, about ${checked.value} on both sides`);
  }
  if (claimed.includes(checked.key)) throw new RangeError(`${checked.key} is the key, and no rule may speak of it`);
  return checked;
}

/** A map on the left, a list whose items carry the key on the right. The list comes back in the order of its keys. */
export function mapToList<C = unknown>(
  left: PathLike,
  right: PathLike,
  items: string | KeyedItems,
  rules: readonly Rule<C>[],
): Rule<C> {
  const paths = { left: parsePath(left), right: parsePath(right) };
  return keyed(paths, { mapSide: 'left', items: checkedItems(items, rules), rules });
}

/** The same the other way round: the list on the left, the map on the right. */
export function listToMap<C = unknown>(
  left: PathLike,
  right: PathLike,
  items: string | KeyedItems,
  rules: readonly Rule<C>[],
): Rule<C> {
  const paths = { left: parsePath(left), right: parsePath(right) };
  return keyed(paths, { mapSide: 'right', items: checkedItems(items, rules), rules });
}
