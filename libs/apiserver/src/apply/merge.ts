/** Lays a partial configuration over a live value. */
import { setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType } from './apply-type.js';
import { asList, asMap, isEmptyMap, memberType, ownMember, shapeOf } from './apply-type.js';
import { itemElement } from './path-element.js';

/**
 * The live value with the configuration over it: leaves are the configuration's, nothing is removed. Both must fit the
 * type, and only the live one may repeat list items. What is not touched is shared with the inputs, not copied.
 */
export function mergeValues(live: unknown, config: unknown, type: ApplyType): unknown {
  if (config === undefined || config === live) return live;
  if (live === undefined) return config;
  switch (shapeOf(type, config)) {
    case 'map': {
      const left = asMap(live);
      const right = asMap(config);
      if (type.map === undefined || type.map.atomic || (isEmpty(left) && isEmpty(right))) return config;
      if (left === undefined) return config;
      return right === undefined ? live : mergeMaps(left, right, type.map);
    }
    case 'list': {
      const left = asList(live);
      const right = asList(config);
      if (type.list === undefined || type.list.atomic) return config;
      if ((left?.length ?? 0) === 0) return config;
      if ((right?.length ?? 0) === 0) return live;
      return mergeLists(left ?? [], right ?? [], type.list);
    }
    case 'scalar':
      return config;
  }
}

function isEmpty(object: JsonObject | undefined): boolean {
  return object === undefined || isEmptyMap(object);
}

function mergeMaps(live: JsonObject, config: JsonObject, map: ApplyMap): JsonObject {
  let merged: JsonObject | undefined;
  for (const key in config) {
    const applied = ownMember(config, key);
    if (applied === undefined) continue;
    const before = ownMember(live, key);
    const type = memberType(map, key);
    const after = type === undefined ? applied : mergeValues(before, applied, type);
    if (after !== before) setOwn((merged ??= { ...live }), key, after);
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
  let l = 0;
  let r = 0;
  while (l < left.elements.length || r < right.elements.length) {
    const before = left.elements[l];
    const applied = right.elements[r];
    if (before !== undefined && applied !== undefined) {
      if (before === applied) {
        take(before);
        l++;
        r++;
        continue;
      }
      // In both lists, but not the next in the order wanted: its turn comes with the configuration's.
      if (right.byElement.has(before) && nextShared < shared.length && shared[nextShared] !== before) {
        l++;
        continue;
      }
    }
    if (before !== undefined) {
      if (!right.byElement.has(before)) {
        out.push(live[l]);
        l++;
        continue;
      }
      if (merged.has(before)) l++;
    }
    if (applied !== undefined) {
      take(applied);
      r++;
    }
  }
  return out;
}
