/** The paths an applied configuration claims. */
import { getOwn } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType } from './apply-type.js';
import { asList, asMap, isEmptyMap, shapeOf } from './apply-type.js';
import { EMPTY_SET, LEAF, fieldNode, openNode } from './field-node.js';
import type { FieldSet } from './field-node.js';
import { fieldElement, itemElement } from './path-element.js';

/**
 * Every leaf of the value, every list item and every key of a plain map. Items that occur more than once are claimed as
 * a whole and not further. The value must fit its type.
 */
export function fieldSetOf(value: unknown, type: ApplyType): FieldSet {
  const set = claim(value, type, false);
  if (set?.children === undefined) return EMPTY_SET;
  return set.member ? fieldNode(false, set.children) : set;
}

/** The node of the value; with `item` the value's own path is claimed whatever is in it. */
function claim(value: unknown, type: ApplyType, item: boolean): FieldSet | undefined {
  switch (shapeOf(type, value)) {
    case 'map':
      return type.map === undefined || type.map.atomic ? LEAF : claimMap(value, type.map, item);
    case 'list':
      return type.list === undefined || type.list.atomic ? LEAF : claimList(value, type.list, item);
    case 'scalar':
      return LEAF;
  }
}

function unlessEmpty(node: FieldSet): FieldSet | undefined {
  return node === EMPTY_SET ? undefined : node;
}

/** Null and empty maps are claimed themselves: there is nothing in them to claim. */
function isNothing(value: unknown): boolean {
  if (value === null) return true;
  const object = asMap(value);
  return object !== undefined && isEmptyMap(object);
}

function claimMap(value: unknown, map: ApplyMap, item: boolean): FieldSet | undefined {
  const object = asMap(value);
  if (object === undefined) return item ? LEAF : undefined;
  let node = openNode(item);
  for (const key in object) {
    const member = getOwn(object, key);
    if (member === undefined) continue;
    const field = map.field(key);
    const type = field === undefined ? map.element : field.type;
    if (type === undefined) continue;
    const set = claim(member, type, field === undefined || isNothing(member));
    if (set !== undefined) node = node.with(field === undefined ? fieldElement(key) : field.element, set);
  }
  return unlessEmpty(node.closed());
}

function claimList(value: unknown, list: ApplyList, item: boolean): FieldSet | undefined {
  const items = asList(value);
  if (items === undefined || items.length === 0) return item ? LEAF : undefined;
  const children = new Map<string, FieldSet>();
  for (const each of items) {
    const element = itemElement(list, each);
    children.set(element, children.has(element) ? LEAF : (claim(each, list.element, true) ?? LEAF));
  }
  return unlessEmpty(fieldNode(item, children));
}
