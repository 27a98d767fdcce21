/** Rules about lists of records. */
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { StepsBehind, claimPath, formatStep, getAt, isRecord, namesOf, parsePath, setAt, stepInto } from './path.js';
import type { Paths } from './record-rules.js';
import { RuleList, bothOutward } from './record-rules.js';
import type { Claim, Rule, Scope } from './rule.js';
import { addError, addWarning } from './rule.js';

/** The list at a path of the source; what is no list is an error. */
export function listSource<C>(scope: Scope<C>, path: Path): readonly unknown[] | undefined {
  const list = getAt(scope.source, path);
  if (list === undefined) return undefined;
  if (Array.isArray(list)) return list;
  addError(scope, path, 'must be a list');
  return undefined;
}

/** An item of the source. */
export interface Item {
  readonly source: unknown;
  readonly restored: unknown;
  readonly at: Step;
}

/** Converts one item; `undefined` when it is no record. */
export function convertItem<C>(rules: RuleList<C>, scope: Scope<C>, item: Item): JsonObject | undefined {
  if (!isRecord(item.source)) {
    addError({ ...scope, at: item.at }, [], 'must be an object');
    return undefined;
  }
  return rules.run({ run: scope.run, source: item.source, target: {}, restored: item.restored, at: item.at });
}

/** How items of a list find what was put aside for them. */
export interface ListOptions {
  /**
   * The field, of the same name on both sides, by which an item is known. Without one it is its place that counts, and
   * only as long as the list has its length: after an item was added or removed in between, nothing comes back.
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
  const steps = { left: new StepsBehind(paths.left), right: new StepsBehind(paths.right) };
  const itemRules = new RuleList(rules);
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const list = listSource(scope, paths[from]);
    if (list === undefined || list.length === 0) return;
    const kept = scope.restored === undefined ? undefined : getAt(scope.restored, paths[to]);
    const target: JsonObject[] = [];
    for (let index = 0; index < list.length; index++) {
      const source: unknown = list[index];
      const at = steps[from].item(scope.at, index);
      const restored = kept === undefined ? undefined : restoredItem(kept, source, { index, length: list.length }, key);
      const item = convertItem(itemRules, scope, { source, restored, at });
      if (item !== undefined) target.push(item);
      if (key !== undefined && scope.run.aside !== undefined) keepKey(scope, at, source, key);
    }
    setAt(scope.target, paths[to], target);
  };
  return { claims, convert };
}

/** A list on the left of which one item has a place of its own on the right. */
export interface Partition<C> {
  /** Where the list is on the left. */
  readonly list: PathLike;
  /** Whether an item is the one, in its form on the left. */
  readonly isOne: (item: JsonObject) => boolean;
  /** Why an item of the left stands for nothing: it is dropped with this warning. */
  readonly dropped?: (item: JsonObject) => string | undefined;
  /** Where the one is on the right, and how it is converted; the empty path is the record that holds the list. */
  readonly one: { readonly path: PathLike; readonly rules: readonly Rule<C>[] };
  /** Where the list of all others is on the right, and how each is converted. */
  readonly rest: { readonly path: PathLike; readonly rules: readonly Rule<C>[] };
}

/** Each path once: both sorts of items are items of the left list. */
function distinct(claims: readonly Claim[]): Claim[] {
  return [...new Map(claims.map(({ path, fate }) => [path, { path, fate }])).values()];
}

/** The items of the left list: the one, and the others with their steps. */
function sorted<C>(
  scope: Scope<C>,
  path: Path,
  { dropped, isOne, steps }: Pick<Partition<C>, 'dropped' | 'isOne'> & { readonly steps: StepsBehind },
): { one?: Item; rest: Item[] } {
  const found: { one?: Item; rest: Item[] } = { rest: [] };
  (listSource(scope, path) ?? []).forEach((source, index) => {
    const item: Item = { source, restored: undefined, at: steps.item(scope.at, index) };
    const reason = isRecord(source) ? dropped?.(source) : undefined;
    if (reason !== undefined) addWarning({ ...scope, at: item.at }, [], reason);
    else if (!isRecord(source) || !isOne(source)) found.rest.push(item);
    else if (found.one === undefined) found.one = item;
    else addError({ ...scope, at: item.at }, [], `there is one already: ${formatStep(found.one.at)}`);
  });
  return found;
}

/**
 * One item of a left list stands alone on the right, the others stay a list in their order. Back on the left the one
 * comes first. A second one is an error.
 */
export function partition<C = unknown>({ dropped, isOne, list, one, rest }: Partition<C>): Rule<C> {
  const paths = { list: parsePath(list), one: parsePath(one.path), rest: parsePath(rest.path) };
  const steps = new StepsBehind(paths.list);
  const rulesOf = { one: new RuleList(one.rules), rest: new RuleList(rest.rules) };
  const checks = dropped === undefined ? { isOne, steps } : { dropped, isOne, steps };
  const prefixes = {
    left: `${claimPath(paths.list)}[]`,
    one: claimPath(paths.one),
    rest: `${claimPath(paths.rest)}[]`,
  };
  const ofOne = bothOutward(one.rules, { left: prefixes.left, right: prefixes.one });
  const ofRest = bothOutward(rest.rules, { left: prefixes.left, right: prefixes.rest });
  const claims = { left: distinct([...ofOne.left, ...ofRest.left]), right: [...ofOne.right, ...ofRest.right] };

  const read = (scope: Scope<C>): { one?: Item; rest: Item[] } => {
    if (scope.run.from === 'left') return sorted(scope, paths.list, checks);
    const source = getAt(scope.source, paths.one);
    const at = stepInto(scope.at, paths.one) as Step;
    const before = stepInto(scope.at, paths.rest);
    const others = (listSource(scope, paths.rest) ?? []).map((item, index): Item => {
      return { source: item, restored: undefined, at: { before, kind: 'index', name: String(index) } };
    });
    return source === undefined ? { rest: others } : { one: { source, restored: undefined, at }, rest: others };
  };
  const convertRest = (scope: Scope<C>, items: readonly Item[]): JsonObject[] => {
    const others: JsonObject[] = [];
    for (const item of items) {
      const made = convertItem(rulesOf.rest, scope, item);
      if (made === undefined) continue;
      if (scope.run.to === 'left' && isOne(made))
        addError({ ...scope, at: item.at }, [], `would become ${prefixes.one}`);
      others.push(made);
    }
    return others;
  };
  const convert = (scope: Scope<C>): void => {
    const found = read(scope);
    const isLeft = scope.run.to === 'left';
    const alone = found.one === undefined ? undefined : convertItem(rulesOf.one, scope, found.one);
    const others = convertRest(scope, found.rest);
    if (isLeft) {
      const all = alone === undefined ? others : [alone, ...others];
      if (all.length > 0) setAt(scope.target, paths.list, all);
      return;
    }
    if (alone !== undefined && paths.one.length === 0) Object.assign(scope.target, alone);
    else if (alone !== undefined) setAt(scope.target, paths.one, alone);
    if (others.length > 0) setAt(scope.target, paths.rest, others);
  };
  return { claims, convert };
}
