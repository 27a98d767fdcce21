/** Takes items out of a value, or takes out everything else. */
import { setOwn, getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType } from './apply-type.js';
import { asList, asMap, isEmptyMap, memberType, shapeOf } from './apply-type.js';
import { FieldSetBuilder, builtSet, forEachPath, hasPath, union } from './field-set.js';
import type { FieldSet } from './field-node.js';
import { fieldSetOf } from './field-set-of.js';
import { fieldElement, itemElement, keyNamesOf } from './path-element.js';

/** The value without the members and list items in the set. What becomes empty is null, as the server leaves it. */
export function removeItems(value: unknown, items: FieldSet, type: ApplyType): unknown {
  return pick(value, items, type, false);
}

/** Only the members and list items in the set; `keys` adds the key fields of every list item on the way. */
export function extractItems(
  value: unknown,
  items: FieldSet,
  type: ApplyType,
  options?: { readonly keys?: boolean },
): unknown {
  const wanted = options?.keys === true ? union(items, keyPaths(value, items, type)) : items;
  return pick(value, wanted, type, true);
}

function keyPaths(value: unknown, items: FieldSet, type: ApplyType): FieldSet {
  const own = fieldSetOf(value, type);
  const keys = new FieldSetBuilder();
  forEachPath(items, (path) => {
    if (!hasPath(own, path)) return;
    path.forEach((element, at) => {
      for (const name of keyNamesOf(element)) {
        keys.descend(path.slice(0, at + 1)).at(fieldElement(name)).member = true;
      }
    });
  });
  return builtSet(keys);
}

function pick(value: unknown, items: FieldSet, type: ApplyType, extract: boolean): unknown {
  const shape = shapeOf(type, value);
  if (shape === 'scalar') return value;
  const picked =
    shape === 'map' ? pickMembers(value, items, type.map, extract) : pickItems(value, items, type.list, extract);
  // Of what is empty or atomic there are no parts: it is extracted as it is, and removed as a whole.
  return picked === undefined ? (extract ? value : null) : picked;
}

function pickMembers(value: unknown, items: FieldSet, map: ApplyMap | undefined, extract: boolean): unknown {
  const object = asMap(value);
  if (object === undefined || isEmptyMap(object) || map === undefined || map.atomic) return undefined;
  return extract ? extractMembers(object, items, map) : removeMembers(object, items, map);
}

function removeMembers(object: JsonObject, items: FieldSet, map: ApplyMap): unknown {
  const rest: JsonObject = {};
  let count = 0;
  for (const key in object) {
    let member = getOwn(object, key);
    if (member === undefined) continue;
    const at = items.children?.get(fieldElement(key));
    if (at?.member === true) continue;
    const type = memberType(map, key);
    if (at !== undefined && type !== undefined) member = pick(member, at, type, false);
    setOwn(rest, key, member);
    count++;
  }
  return count === 0 ? null : rest;
}

function extractMembers(object: JsonObject, items: FieldSet, map: ApplyMap): unknown {
  const out: JsonObject = {};
  let count = 0;
  for (const key in object) {
    const member = getOwn(object, key);
    const at = items.children?.get(fieldElement(key));
    const type = memberType(map, key);
    if (member === undefined || at === undefined || type === undefined) continue;
    // A member named itself is looked through with the set of its parent: so the server does it.
    setOwn(out, key, pick(member, at.member ? items : at, type, true));
    count++;
  }
  return count === 0 ? null : out;
}

function isLeftOut(at: FieldSet | undefined, extract: boolean): boolean {
  return extract ? at === undefined : at?.member === true;
}

function pickItems(value: unknown, items: FieldSet, type: ApplyList | undefined, extract: boolean): unknown {
  const list = asList(value) ?? [];
  if (type?.atomic !== false || list.length === 0) return undefined;
  const out: unknown[] = [];
  for (const item of list) {
    const at = items.children?.get(itemElement(type, item));
    if (isLeftOut(at, extract)) continue;
    out.push(at?.children === undefined ? item : pick(item, at, type.element, extract));
  }
  return out.length === 0 ? null : out;
}
