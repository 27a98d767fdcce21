/** Changes a value here and there until a schema takes it. */
import { type FieldError, type JsonObject, cloneJson, stringifyJson, pushAll } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { resourceNames, restOf } from '../drafts/any.js';
import { ABSENT } from '../drafts/site.js';
import { type Keys, placeOf, schemaAt, setAt, valueAt } from './places.js';
import type { Sampler } from './samples.js';
import { constantsOf } from './texts.js';

/** What a repair may ask and do. */
export interface Repair<T extends object = object> {
  readonly root: SchemaNode;
  readonly sampler: Sampler;
  /** What is wrong with an object. */
  readonly errorsOf: (object: T) => readonly FieldError[];
  /** A place that must be there, with all that leads to it. */
  readonly kept: Keys | undefined;
  /** Whether the value there stays as it is. */
  readonly frozen: boolean;
  /** Whether the value is a whole resource, whose type fields and metadata stay as they are. */
  readonly resource: boolean;
  readonly budget: number;
}

type Moves = Omit<Repair, 'errorsOf'>;

interface Move {
  readonly keys: Keys;
  readonly leaf: unknown;
}

function startsWith(keys: Keys, prefix: Keys): boolean {
  return prefix.length <= keys.length && prefix.every((key, at) => key === keys[at]);
}

function permitted({ frozen, kept, resource }: Moves, { keys, leaf }: Move): boolean {
  if (keys.length === 0 || (resource && resourceNames.has(String(keys[0])))) return false;
  if (kept === undefined) return true;
  if (frozen && startsWith(keys, kept)) return false;
  // What leads to the place may be neither removed nor replaced.
  return !(startsWith(kept, keys) && (leaf === ABSENT || keys.length < kept.length));
}

/** Values for a member that is there: other ones, more items, members of its own. */
function otherMoves(moves: Moves, node: SchemaNode, value: unknown, keys: Keys): Move[] {
  const { sampler } = moves;
  const found: Move[] = sampler
    .alternatives(node)
    .slice(0, 12)
    .map((leaf) => ({ keys, leaf }));
  if (Array.isArray(value)) pushAll(found, listMoves(moves, node, value, keys));
  return found;
}

/** Lists of other lengths; the constants of rules are good lengths. */
function listMoves({ sampler }: Moves, node: SchemaNode, list: readonly unknown[], keys: Keys): Move[] {
  const lengths = new Set([
    list.length + 1,
    1,
    ...sampler.hints.filter((hint): hint is number => Number.isInteger(hint)),
  ]);
  const found: Move[] = [...lengths]
    .filter((length) => length > list.length && length <= 64)
    .map((length) => {
      const [more] = sampler.shaped(node, { items: length });
      return { keys, leaf: [...list, ...(Array.isArray(more) ? more.slice(list.length) : [])] };
    });
  if (list.length > 0) found.push({ keys: [...keys, list.length - 1], leaf: ABSENT });
  return found;
}

function memberMoves(moves: Moves, node: SchemaNode, value: JsonObject, at: Keys): Move[] {
  const { sampler } = moves;
  const found: Move[] = [];
  for (const [name, member] of node.properties ?? []) {
    const keys = [...at, name];
    if (!Object.hasOwn(value, name)) {
      found.push({ keys, leaf: sampler.least(member) });
      // A map with something in it.
      if (restOf(member) !== undefined)
        for (const leaf of sampler.shaped(member, { members: 1 })) found.push({ keys, leaf });
      if (member.type === 'array') pushAll(found, listMoves(moves, member, [], keys).slice(0, 2));
      continue;
    }
    pushAll(found, otherMoves(moves, member, value[name], keys));
    if (!node.required.includes(name)) found.push({ keys, leaf: ABSENT });
  }
  return found;
}

/** What could be changed at a place and right below it. */
function movesAt(repair: Moves, object: object, at: Keys, deeper: boolean): Move[] {
  const { sampler } = repair;
  const node = schemaAt(repair.root, at);
  const value = valueAt(object, at);
  if (value === undefined) return [0, 1].map((variant) => ({ keys: at, leaf: sampler.least(node, variant) }));
  const moves = otherMoves(repair, node, value, at);
  if (typeof value !== 'object' || value === null) return moves;
  if (!Array.isArray(value)) pushAll(moves, memberMoves(repair, node, value as JsonObject, at));
  if (deeper) {
    for (const [key, member] of Object.entries(value).slice(0, 24)) {
      if (typeof member !== 'object' || member === null) continue;
      pushAll(moves, movesAt(repair, object, [...at, Array.isArray(value) ? Number(key) : key], false));
    }
  }
  return moves;
}

function mentioned(text: string, { keys }: Move): boolean {
  const name = keys.findLast((key) => typeof key === 'string');
  return typeof name === 'string' && text.includes(name);
}

/** Everything that could help at once: all that the text names and that is missing. */
function together(moves: readonly Move[], object: object): Move[][] {
  const missing = new Map<string, Move>();
  for (const move of moves) {
    if (valueAt(object, move.keys) === undefined && move.leaf !== ABSENT) missing.set(move.keys.join('/'), move);
  }
  return missing.size > 1 ? [[...missing.values()]] : [];
}

/** What could help against an error: what its text names first, at its place, then at the objects around it. */
function movesFor(repair: Moves, object: object, error: FieldError): Move[][] {
  const place = placeOf(error);
  const nodes = [0, 1].map((up) => schemaAt(repair.root, place.slice(0, Math.max(0, place.length - up))));
  const rules = nodes
    .flatMap((node) => node.rules)
    .filter(({ message, rule }) => error.detail.includes(message ?? rule));
  const text = [error.detail, ...rules.map(({ rule }) => rule)].join(' ');
  repair.sampler.hints = constantsOf(text);
  const moves: Move[] = [];
  for (let depth = place.length; depth >= 0 && depth >= place.length - 1; depth--) {
    pushAll(moves, movesAt(repair, object, place.slice(0, depth), depth === place.length));
  }
  moves.push({ keys: place, leaf: ABSENT });
  repair.sampler.hints = [];
  const good = moves.filter((move) => permitted(repair, move));
  const named = good.filter((move) => mentioned(text, move));
  const others = good.filter((move) => !mentioned(text, move));
  return [...named.map((move) => [move]), ...together(named, object), ...others.map((move) => [move])];
}

const sizeBudget = 400_000;
/** The repair gives up after so many tries without progress. */
const maxTriesWithoutProgress = 120;

interface State<T> {
  readonly object: T;
  readonly errors: readonly FieldError[];
}

/** Takes out the state with the fewest errors; of equals the oldest. */
function takeBest<T>(open: State<T>[]): State<T> | undefined {
  let best = 0;
  for (const [at, { errors }] of open.entries()) if (errors.length < (open[best]?.errors.length ?? 0)) best = at;
  return open.splice(best, 1)[0];
}

function moved<T extends object>(object: T, moves: readonly Move[]): T {
  const next = cloneJson(object);
  for (const { keys, leaf } of moves) setAt(next, keys, leaf === ABSENT ? leaf : cloneJson(leaf));
  return next;
}

/** One search for a good object. */
class Search<T extends object> {
  readonly #repair: Repair<T>;
  readonly #budget: number;
  readonly #seen = new Set<string>();
  readonly #open: State<T>[] = [];
  #spent = 0;
  #fewest = Infinity;
  #last = 0;

  constructor(repair: Repair<T>, start: T) {
    this.#repair = repair;
    // Large objects cost more to try.
    this.#budget = Math.min(repair.budget, Math.ceil(sizeBudget / stringifyJson(start).length));
  }

  /** Looks at an object that was not looked at before; true where it is good. */
  #look(object: T): boolean {
    const key = stringifyJson(object);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#spent++;
    const errors = this.#repair.errorsOf(object);
    if (errors.length === 0) return true;
    this.#open.push({ object, errors });
    if (errors.length < this.#fewest) [this.#fewest, this.#last] = [errors.length, this.#spent];
    return false;
  }

  #isOver(): boolean {
    return this.#spent > this.#budget || this.#spent - this.#last > maxTriesWithoutProgress;
  }

  find(start: T): T | undefined {
    if (this.#look(start)) return start;
    while (this.#open.length > 0 && !this.#isOver()) {
      const state = takeBest(this.#open);
      const [error] = state?.errors ?? [];
      if (state === undefined || error === undefined) continue;
      for (const moves of movesFor(this.#repair, state.object, error)) {
        const next = moved(state.object, moves);
        if (this.#look(next)) return next;
        if (this.#spent > this.#budget) break;
      }
    }
    return undefined;
  }
}

/** Finds an object near the given one that is good; undefined where the budget does not do. */
export function repaired<T extends object>(repair: Repair<T>, object: T): T | undefined {
  return new Search(repair, object).find(object);
}
