/** Where the elements of a merged list go: patch order first, live order for the rest. */
import type { JsonObject } from '../object.js';
import { getOwn } from '../json/set-own.js';
import { goFormat, goTypeName } from '../json/go-format.js';
import { StrategicMergePatchError } from './errors.js';
import type { PatchField } from './patch-schema.js';

function internal(message: string): StrategicMergePatchError {
  return new StrategicMergePatchError('internal', message);
}

/** True for a JSON object. */
export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of another type than the algorithm can work with. */
export function badArgType(expected: string, actual: unknown): StrategicMergePatchError {
  return internal(`expected a ${expected}, but received a ${goTypeName(actual)}`);
}

/** An element that should carry the merge key and does not. */
export function noMergeKey(map: JsonObject, mergeKey: string): StrategicMergePatchError {
  return internal(`map: ${goFormat(map)} does not contain declared merge key: ${mergeKey}`);
}

/** The merge key of an element. */
export function mergeKeyOf(element: unknown, mergeKey: string): unknown {
  if (!isMap(element)) throw badArgType('map[string]interface {}', element);
  if (!Object.hasOwn(element, mergeKey)) throw noMergeKey(element, mergeKey);
  return element[mergeKey];
}

/** The common Go type of the elements of both lists. */
export function elementType(original: readonly unknown[], patch: readonly unknown[]): string {
  let type: string | undefined;
  for (const list of [original, patch]) {
    for (const element of list) {
      const current = goTypeName(element);
      if (type === undefined) {
        if (Array.isArray(element)) {
          throw new StrategicMergePatchError('unprocessable', 'lists of lists are not supported');
        }
        type = current;
      } else if (type !== current) {
        throw internal(`list element types are not identical: [${goFormat(original)} ${goFormat(patch)}]`);
      }
    }
  }
  if (type === undefined) throw internal('no elements in any of the given slices');
  return type;
}

/** Splits a list into what `by` names and what it does not, by merge key when there is one. */
export function partition(
  list: readonly unknown[],
  by: readonly unknown[],
  mergeKey: string,
): { named: unknown[]; rest: unknown[] } {
  const named: unknown[] = [];
  const rest: unknown[] = [];
  const names = new Set<unknown>();
  by.forEach((element, index) => {
    if (mergeKey === '') names.add(element);
    else if (!isMap(element)) throw internal(`value for key ${index} is not a map`);
    else if (Object.hasOwn(element, mergeKey)) names.add(element[mergeKey]);
  });
  for (const element of list) {
    const name = mergeKey === '' ? element : mergeKeyOf(element, mergeKey);
    (names.has(name) ? named : rest).push(element);
  }
  return { named, rest };
}

/** Position of each element's first occurrence in the order. */
class Order {
  readonly #positions = new Map<unknown, number>();
  readonly #mergeKey: string;
  readonly #maps: boolean;

  constructor(order: readonly unknown[], mergeKey: string, maps: boolean) {
    this.#mergeKey = mergeKey;
    this.#maps = maps;
    order.forEach((element, index) => {
      const name = this.#name(element);
      if (!this.#positions.has(name)) this.#positions.set(name, index);
    });
  }

  of(element: unknown): number {
    return this.#positions.get(this.#name(element)) ?? -1;
  }

  #name(element: unknown): unknown {
    if (!this.#maps) return element;
    return isMap(element) ? (getOwn(element, this.#mergeKey) ?? null) : null;
  }
}

/** Sorts by the order; an element the order does not know moves to the front of those before it. */
function sortBy(list: readonly unknown[], order: Order): unknown[] {
  const ranked = list.map((element) => ({ element, rank: order.of(element) }));
  if (ranked.every(({ rank }) => rank >= 0)) {
    ranked.sort((a, b) => a.rank - b.rank);
  } else {
    const less = (a: number, b: number): boolean => a < 0 || b < 0 || a < b;
    for (let i = 1; i < ranked.length; i++) {
      for (let j = i; j > 0; j--) {
        const here = ranked[j];
        const before = ranked[j - 1];
        if (here === undefined || before === undefined || !less(here.rank, before.rank)) break;
        ranked[j] = before;
        ranked[j - 1] = here;
      }
    }
  }
  return ranked.map(({ element }) => element);
}

function normalize(list: readonly unknown[], order: readonly unknown[], mergeKey: string, maps: boolean): unknown[] {
  if (!maps) return sortBy(list, new Order(order, mergeKey, maps));
  for (const element of list) mergeKeyOf(element, mergeKey);
  for (const element of order) mergeKeyOf(element, mergeKey);
  const isDeletion = (element: unknown): boolean => isMap(element) && getOwn(element, '$patch') === 'delete';
  const kept = list.filter((element) => !isDeletion(element));
  return [...sortBy(kept, new Order(order, mergeKey, maps)), ...list.filter(isDeletion)];
}

/** The elements of a merged list and the two orders they follow. */
export interface MergedList {
  readonly patched: readonly unknown[];
  readonly liveOnly: readonly unknown[];
  readonly patchOrder: readonly unknown[];
  readonly liveOrder: readonly unknown[];
}

/** Sorts patched elements by the patch's order and live-only ones by the live order, then interleaves the two. */
export function interleave(list: MergedList, mergeKey: string, maps: boolean): unknown[] {
  const right = normalize(list.patched, list.patchOrder, mergeKey, maps);
  const left = normalize(list.liveOnly, list.liveOrder, mergeKey, maps);
  const live = new Order(list.liveOrder, mergeKey, maps);
  const merged: unknown[] = [];
  let i = 0;
  for (const element of right) {
    const place = live.of(element);
    // A live-only element comes first only when the live list has both and in that order.
    while (i < left.length) {
      const candidate = live.of(left[i]);
      if (candidate < 0 || place < 0 || candidate >= place) break;
      merged.push(left[i++]);
    }
    merged.push(element);
  }
  while (i < left.length) merged.push(left[i++]);
  return merged;
}

function nameOf(element: unknown, mergeKey: string): unknown {
  return isMap(element) ? getOwn(element, mergeKey) : undefined;
}

/** The places of the elements to be deleted, in the order in which they are: edit by edit, the last of one name first. */
function deletedPlaces(list: readonly unknown[], edits: readonly JsonObject[], mergeKey: string): number[] {
  const places = new Map<unknown, number[]>();
  list.forEach((element, at) => {
    const name = nameOf(element, mergeKey);
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else known.push(at);
  });
  const deleted: number[] = [];
  for (const edit of edits) {
    if (getOwn(edit, '$patch') !== 'delete') continue;
    for (const at of (places.get(edit[mergeKey]) ?? []).toReversed()) deleted.push(at);
    places.delete(edit[mergeKey]);
  }
  return deleted;
}

/**
 * Deletes as if by shifting what follows in place, the array keeping its length: each deletion leaves behind the element
 * that was the last by then. Gives how many elements are still meant.
 */
function shiftOut(list: unknown[], edits: readonly JsonObject[], mergeKey: string): number {
  const deleted = deletedPlaces(list, edits, mergeKey);
  const gone = new Set<number>();
  const leftBehind: unknown[] = [];
  let last = list.length - 1;
  for (const at of deleted) {
    while (gone.has(last)) last--;
    leftBehind.push(list[last]);
    gone.add(at);
  }
  const kept = list.filter((_, at) => !gone.has(at));
  [...kept, ...leftBehind.reverse()].forEach((element, at) => {
    list[at] = element;
  });
  return kept.length;
}

/**
 * The live list as an order to go by. The server edits that list in place: a deletion shifts what follows, and a new
 * element takes the freed slot, so live-only elements end up before it. Clients see this after replacing an element.
 */
export function editedOrder(
  live: readonly unknown[],
  change: readonly unknown[],
  field: PatchField,
): readonly unknown[] {
  const mergeKey = field.mergeKey ?? '';
  const edits = field.strategy === 'merge' ? change.filter(isMap) : [];
  if (!edits.some((edit) => Object.hasOwn(edit, '$patch'))) return live;
  const edited = [...live];
  let length = shiftOut(edited, edits, mergeKey);
  if (edits.some((edit) => getOwn(edit, '$patch') === 'replace')) return edited;
  const known = new Set(edited.slice(0, length).map((element) => nameOf(element, mergeKey)));
  for (const edit of edits) {
    if (Object.hasOwn(edit, '$patch') || known.has(edit[mergeKey])) continue;
    known.add(edit[mergeKey]);
    if (length < edited.length) edited[length++] = edit;
  }
  return edited;
}
