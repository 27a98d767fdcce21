/** Changes a value here and there until a schema takes it. */
import { type FieldError, type JsonObject, canonicalJson, cloneJson } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { itemsOf, resourceNames } from '../compare/any.js';
import { ABSENT } from '../compare/site.js';
import { type Keys, placeOf, schemaAt, setAt, valueAt } from './places.js';
import type { Sampler } from './samples.js';

/** What a repair may ask and do. */
export interface Repair {
  readonly root: SchemaNode;
  readonly sampler: Sampler;
  /** What is wrong with an object. */
  readonly errorsOf: (object: JsonObject) => readonly FieldError[];
  /** A place that must be there, with all that leads to it. */
  readonly kept: Keys | undefined;
  /** Whether the value there stays as it is. */
  readonly frozen: boolean;
  readonly budget: number;
}

interface Move {
  readonly keys: Keys;
  readonly leaf: unknown;
}

function startsWith(keys: Keys, prefix: Keys): boolean {
  return prefix.length <= keys.length && prefix.every((key, at) => key === keys[at]);
}

function permitted({ frozen, kept }: Repair, { keys, leaf }: Move): boolean {
  if (keys.length === 0 || resourceNames.has(String(keys[0]))) return false;
  if (kept === undefined) return true;
  if (frozen && startsWith(keys, kept)) return false;
  // What leads to the place may be neither removed nor replaced.
  return !(startsWith(kept, keys) && (leaf === ABSENT || keys.length < kept.length));
}

function memberMoves({ sampler }: Repair, node: SchemaNode, value: JsonObject, at: Keys): Move[] {
  const moves: Move[] = [];
  for (const [name, member] of node.properties ?? []) {
    const keys = [...at, name];
    if (!Object.hasOwn(value, name)) {
      moves.push({ keys, leaf: sampler.least(member) });
      if (member.type === 'object') moves.push({ keys, leaf: sampler.full(member) });
    } else {
      if (!node.required.includes(name)) moves.push({ keys, leaf: ABSENT });
      for (const leaf of sampler.alternatives(member).slice(0, 8)) moves.push({ keys, leaf });
    }
  }
  return moves;
}

function movesAt(repair: Repair, object: JsonObject, at: Keys): Move[] {
  const { sampler } = repair;
  const node = schemaAt(repair.root, at);
  const value = valueAt(object, at);
  if (value === undefined) return [0, 1].map((variant) => ({ keys: at, leaf: sampler.least(node, variant) }));
  const moves: Move[] = sampler
    .alternatives(node)
    .slice(0, 12)
    .map((leaf) => ({ keys: at, leaf }));
  if (Array.isArray(value)) {
    const { items } = node;
    if (items !== undefined)
      moves.push({ keys: [...at, value.length], leaf: sampler.least(itemsOf(node), value.length) });
    if (value.length > 0) moves.push({ keys: [...at, value.length - 1], leaf: ABSENT });
  } else if (typeof value === 'object' && value !== null) {
    moves.push(...memberMoves(repair, node, value as JsonObject, at));
  }
  moves.push({ keys: at, leaf: ABSENT });
  return moves;
}

/** What could help against an error: something at its place, else at the objects around it. */
function movesFor(repair: Repair, object: JsonObject, error: FieldError): Move[] {
  const place = placeOf(error);
  const moves: Move[] = [];
  for (let depth = place.length; depth >= 0 && depth >= place.length - 2; depth--) {
    moves.push(...movesAt(repair, object, place.slice(0, depth)));
  }
  return moves.filter((move) => permitted(repair, move));
}

interface State {
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
}

/** Finds an object near the given one that is good; undefined where the budget does not do. */
export function repaired(repair: Repair, object: JsonObject): JsonObject | undefined {
  const start: State = { object, errors: repair.errorsOf(object) };
  if (start.errors.length === 0) return object;
  const seen = new Set([canonicalJson(object)]);
  const open: State[] = [start];
  let spent = 0;
  while (open.length > 0 && spent < repair.budget) {
    open.sort((a, b) => a.errors.length - b.errors.length);
    const state = open.shift();
    const [error] = state?.errors ?? [];
    if (state === undefined || error === undefined) continue;
    for (const { keys, leaf } of movesFor(repair, state.object, error)) {
      const next = cloneJson(state.object);
      setAt(next, keys, leaf === ABSENT ? leaf : cloneJson(leaf));
      const text = canonicalJson(next);
      if (seen.has(text)) continue;
      seen.add(text);
      const errors = repair.errorsOf(next);
      if (errors.length === 0) return next;
      open.push({ object: next, errors });
      if (++spent >= repair.budget) break;
    }
  }
  return undefined;
}
