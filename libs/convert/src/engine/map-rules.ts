/** Rules about maps that are lists of keyed items on the other side. */
import { compareBytes, goQuote, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { StepsBehind, claimPath, getAt, isRecord, parsePath, setAt, stepInto } from './path.js';
import { convertItem, listSource } from './list-rules.js';
import { RuleList, bothOutward } from './record-rules.js';
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

interface KeyedRule<C> {
  readonly mapSide: Side;
  readonly items: KeyedItems;
  readonly rules: readonly Rule<C>[];
}

/** The same, ready to run. */
interface KeyedRun<C> {
  readonly items: KeyedItems;
  readonly rules: RuleList<C>;
}

/** Items that were converted, with their keys. */
interface Converted {
  readonly names: string[];
  readonly items: JsonObject[];
}

function convertMap<C>(scope: Scope<C>, path: Path, { items: { value }, rules }: KeyedRun<C>): Converted {
  const found: Converted = { names: [], items: [] };
  const map = getAt(scope.source, path);
  if (map === undefined) return found;
  if (!isRecord(map)) {
    addError(scope, path, 'must be an object');
    return found;
  }
  const before = stepInto(scope.at, path);
  for (const name of Object.keys(map)) {
    const held = map[name];
    const source = value === undefined ? held : { [value]: held };
    const item = convertItem(rules, scope, { source, restored: undefined, at: { before, kind: 'key', name } });
    if (item === undefined) continue;
    found.names.push(name);
    found.items.push(item);
  }
  return found;
}

/** The key of an item; `undefined` after an error that explains why it has none. */
function keyOf<C>(scope: Scope<C>, source: unknown, at: Step, { key, emptyKey }: KeyedItems): string | undefined {
  if (!isRecord(source)) {
    addError({ ...scope, at }, [], 'must be an object');
    return undefined;
  }
  const name = source[key] ?? (emptyKey === 'omit' ? '' : undefined);
  if (typeof name === 'string') return name;
  addError({ ...scope, at }, [key], 'must be a string');
  return undefined;
}

/** Up to how many keys are looked through one by one. */
const FEW = 16;

/** Places of items by their keys. */
class Keys {
  readonly names: string[] = [];
  readonly #places: number[] = [];
  #many: Map<string, number> | undefined;

  /** Where in order the key is; -1 when it is not there. */
  indexOf(name: string): number {
    if (this.names.length <= FEW) return this.names.indexOf(name);
    this.#many ??= new Map(this.names.map((each, at) => [each, at]));
    return this.#many.get(name) ?? -1;
  }

  add(name: string, place: number): void {
    this.#many?.set(name, this.names.length);
    this.names.push(name);
    this.#places.push(place);
  }

  placeOf(at: number): number {
    return this.#places[at] as number;
  }

  move(at: number, place: number): void {
    this.#places[at] = place;
  }
}

function keysOf<C>(scope: Scope<C>, list: readonly unknown[], behind: StepsBehind, items: KeyedItems): Keys {
  const keys = new Keys();
  for (let index = 0; index < list.length; index++) {
    const at = behind.item(scope.at, index);
    const name = keyOf(scope, list[index], at, items);
    if (name === undefined) continue;
    const earlier = keys.indexOf(name);
    if (earlier === -1) {
      keys.add(name, index);
    } else if (items.duplicates === undefined) {
      addError({ ...scope, at }, [items.key], `Duplicate value: ${goQuote(name)}`);
    } else {
      const dropped = behind.item(scope.at, keys.placeOf(earlier));
      addWarning({ ...scope, at: dropped }, [], `is dropped: a later item has the same ${items.key}`);
      keys.move(earlier, index);
    }
  }
  return keys;
}

function convertList<C>(scope: Scope<C>, path: Path, behind: StepsBehind, { items, rules }: KeyedRun<C>): Converted {
  const found: Converted = { names: [], items: [] };
  const list = listSource(scope, path);
  if (list === undefined) return found;
  const keys = keysOf(scope, list, behind, items);
  keys.names.forEach((name, order) => {
    const place = keys.placeOf(order);
    const item = convertItem(rules, scope, {
      source: list[place],
      restored: undefined,
      at: behind.item(scope.at, place),
    });
    if (item === undefined) return;
    found.names.push(name);
    found.items.push(item);
  });
  return found;
}

function writeMap({ items, names }: Converted, { value }: KeyedItems): JsonObject {
  const map: JsonObject = {};
  names.forEach((name, at) => {
    const item = items[at] as JsonObject;
    setOwn(map, name, value === undefined ? item : (item[value] ?? null));
  });
  return map;
}

function writeList({ items, names }: Converted, { key, emptyKey }: KeyedItems): JsonObject[] {
  const order = names.map((_name, at) => at).toSorted((a, b) => compareBytes(names[a] as string, names[b] as string));
  return order.map((at) => {
    const [name, item] = [names[at], items[at] as JsonObject];
    return name === '' && emptyKey === 'omit' ? item : { [key]: name, ...item };
  });
}

function keyed<C>(paths: Readonly<Record<Side, Path>>, rule: KeyedRule<C>): Rule<C> {
  const { items, mapSide, rules } = rule;
  const ready: KeyedRun<C> = { items, rules: new RuleList(rules) };
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
  const behind = new StepsBehind(paths[listSide]);
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const found =
      from === mapSide ? convertMap(scope, paths[from], ready) : convertList(scope, paths[from], behind, ready);
    if (found.names.length === 0) return;
    setAt(scope.target, paths[to], to === mapSide ? writeMap(found, items) : writeList(found, items));
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
