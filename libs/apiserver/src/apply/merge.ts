/** Lays a partial configuration over a live value. */
import { copyMembers, setOwn, getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType } from './apply-type.js';
import { asList, asMap, isEmptyMap, memberType, shapeOf } from './apply-type.js';
import { itemElement } from './path-element.js';

/**
 * The live value with the configuration over it: leaves are the configuration's, nothing is removed. Both must fit the
 * type, and only the live one may repeat list items. What is not touched is shared with the inputs, not copied.
 */
export function mergeValues(live: unknown, config: unknown, type: ApplyType): unknown {
  if (config === undefined || config === live) return live;
  if (live === undefined) return config;
  switch (shapeOf(type, config)) {
    case 'map':
      return type.map === undefined || type.map.atomic ? config : mergeAsMaps(live, config, type.map);
    case 'list':
      return type.list === undefined || type.list.atomic ? config : mergeAsLists(live, config, type.list);
    case 'scalar':
      return config;
  }
}

/** Null and nothing in a map say nothing against what the other side has in it. */
function mergeAsMaps(live: unknown, config: unknown, map: ApplyMap): unknown {
  const left = asMap(live);
  if (left === undefined || isEmptyMap(left)) return config;
  const right = asMap(config);
  return right === undefined ? live : mergeMaps(left, right, map);
}

function mergeAsLists(live: unknown, config: unknown, list: ApplyList): unknown {
  const left = asList(live);
  if (left === undefined || left.length === 0) return config;
  const right = asList(config);
  return right === undefined || right.length === 0 ? live : mergeLists(left, right, list);
}

function mergeMaps(live: JsonObject, config: JsonObject, map: ApplyMap): JsonObject {
  let merged: JsonObject | undefined;
  for (const key in config) {
    const applied = getOwn(config, key);
    if (applied === undefined) continue;
    const before = getOwn(live, key);
    const type = memberType(map, key);
    const after = type === undefined ? applied : mergeValues(before, applied, type);
    if (after !== before) setOwn((merged ??= copyMembers(live)), key, after);
  }
  return merged ?? live;
}

/** The items of a list by element; repeated ones are not merged with, so they stand as null. */
function indexed(items: readonly unknown[], list: ApplyList): { elements: string[]; byElement: Map<string, unknown> } {
  const byElement = new Map<string, unknown>();
  const elements = items.map((item) => {
    const element = itemElement(list, item);
    byElement.set(element, byElement.has(element) ? null : item);
    return element;
  });
  return { elements, byElement };
}

/**
 * Items in both lists take the configuration's order; items only in the live list stay behind the neighbours they had,
 * items only in the configuration come where it has them.
 */
function mergeLists(live: readonly unknown[], config: readonly unknown[], list: ApplyList): unknown[] {
  const left = indexed(live, list);
  const right = indexed(config, list);
  const shared = right.elements.filter((element) => left.byElement.has(element));
  const merged = new Set<string>();
  const out: unknown[] = [];
  let nextShared = 0;
  const take = (element: string): void => {
    merged.add(element);
    const before = left.byElement.get(element);
    const applied = right.byElement.get(element);
    out.push(before === null ? applied : mergeValues(before, applied, list.element));
    if (shared[nextShared] === element) nextShared++;
  };
  // In both lists, but not the next in the order wanted: its turn comes with the configuration's.
  const mustWait = (element: string | undefined): boolean =>
    element !== undefined &&
    right.byElement.has(element) &&
    nextShared < shared.length &&
    shared[nextShared] !== element;
  let l = 0;
  let r = 0;
  while (l < left.elements.length || r < right.elements.length) {
    const before = left.elements[l];
    const applied = right.elements[r];
    if (applied !== undefined && before === applied) {
      take(applied);
      l++;
      r++;
    } else if (applied !== undefined && mustWait(before)) l++;
    else if (before !== undefined && !right.byElement.has(before)) {
      out.push(live[l]);
      l++;
    } else {
      if (merged.has(before ?? '')) l++;
      if (applied !== undefined) {
        take(applied);
        r++;
      }
    }
  }
  return out;
}
