/** What changed between two values of one type, as sets of paths. */
import { deepEqual, getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType, Shape } from './apply-type.js';
import { asList, asMap, isEmptyMap, memberType, shapeOf } from './apply-type.js';
import { Change, ChangedMembers, MODIFIED } from './change.js';
import { EMPTY_SET, LEAF, fieldNode, openNode } from './field-node.js';
import type { FieldSet } from './field-node.js';
import { isEmptySet, pathText } from './field-set.js';
import { ItemError, fieldElement, itemElement } from './path-element.js';
import { ApplyTypeError } from './type-error.js';

/** No path is in more than one of the three. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Whether nothing changed. */
export function isSame(comparison: Comparison): boolean {
  return isEmptySet(comparison.added) && isEmptySet(comparison.modified) && isEmptySet(comparison.removed);
}

/** How values are compared. */
interface CompareOptions {
  /** They are whole objects, of which the list of managers is not compared where both have one: it does not manage itself. */
  readonly areObjects?: boolean;
}

/**
 * Compares two values of a type. Unlike what a configuration claims, structs that came or went are named themselves
 * too. Throws {@link ApplyTypeError} where list items have no keys.
 */
export function compareValues(
  before: unknown,
  after: unknown,
  type: ApplyType,
  { areObjects = false }: CompareOptions = {},
): Comparison {
  const change = new Walker(areObjects).compare(before, after, type);
  return { added: rootOf(change?.added), modified: rootOf(change?.modified), removed: rootOf(change?.removed) };
}

/** The whole of a value is no member. */
function rootOf(set: FieldSet | undefined): FieldSet {
  if (set === undefined) return EMPTY_SET;
  return set.member ? fieldNode(false, set.children) : set;
}

const METADATA = fieldElement('metadata');
const MANAGED_FIELDS = 'managedFields';

/** Up to here it takes less to look than to remember. */
const FEW_ITEMS = 16;

class Walker {
  readonly #areObjects: boolean;
  readonly #path: string[] = [];

  constructor(areObjects: boolean) {
    this.#areObjects = areObjects;
  }

  compare(before: unknown, after: unknown, type: ApplyType): Change | undefined {
    if (before === after) return undefined;
    if (before === undefined) return Change.added(this.#content(after, type));
    if (after === undefined) return Change.removed(this.#content(before, type));
    const was = shapeOf(type, before);
    const is = shapeOf(type, after);
    const change = this.#visit(is, before, after, type);
    // A value of another shape is a changed leaf and new content at once.
    return was === is ? change : Change.both(this.#visit(was, before, after, type), change);
  }

  #visit(shape: Shape, before: unknown, after: unknown, type: ApplyType): Change | undefined {
    if (shape === 'map') return this.#visitMaps(before, after, type.map);
    return shape === 'list' ? this.#visitLists(before, after, type.list) : changedLeaf(before, after);
  }

  /** Without content to go into they are leaves, because empty ones differ from null. */
  #visitMaps(before: unknown, after: unknown, map: ApplyMap | undefined): Change | undefined {
    if (map === undefined || map.atomic) return changedLeaf(before, after);
    const left = filledMap(before);
    const right = filledMap(after);
    const isFilled = left !== undefined || right !== undefined;
    return isFilled ? this.#compareMembers(left, right, map) : changedLeaf(before, after);
  }

  #visitLists(before: unknown, after: unknown, list: ApplyList | undefined): Change | undefined {
    if (list === undefined || list.atomic) return changedLeaf(before, after);
    const left = filledList(before);
    const right = filledList(after);
    const isFilled = left !== undefined || right !== undefined;
    return isFilled ? this.#compareItems(left ?? [], right ?? [], list) : changedLeaf(before, after);
  }

  #compareMembers(left: JsonObject | undefined, right: JsonObject | undefined, map: ApplyMap): Change | undefined {
    const changed = new ChangedMembers();
    /** How many members of the right are on the left, too. */
    let paired = 0;
    for (const key in left) {
      // Read here and not by a function: members are found at once while their object is walked through.
      let before = left[key];
      let after = right?.[key];
      if (before !== after) {
        before = getOwn(left, key);
        after = right && getOwn(right, key);
        changed.add(fieldElement(key), this.#compareMember(key, before, after, map));
      }
      if (after !== undefined && before !== undefined) paired++;
    }
    for (const key in right) if (right[key] !== undefined) paired--;
    if (paired !== 0) this.#addNew(changed, left, right, map);
    return changed.change();
  }

  #addNew(changed: ChangedMembers, left: JsonObject | undefined, right: JsonObject | undefined, map: ApplyMap): void {
    for (const key in right) {
      const after = getOwn(right, key);
      if (after === undefined || (left !== undefined && getOwn(left, key) !== undefined)) continue;
      changed.add(fieldElement(key), this.#compareMember(key, undefined, after, map));
    }
  }

  #compareMember(key: string, before: unknown, after: unknown, map: ApplyMap): Change | undefined {
    if (key === MANAGED_FIELDS && this.#areObjects && this.#isInMetadata()) return undefined;
    const type = memberType(map, key);
    this.#path.push(fieldElement(key));
    if (type === undefined) this.#fail('field not declared in schema', this.#path);
    const change = this.compare(before, after, type);
    this.#path.pop();
    return change;
  }

  #isInMetadata(): boolean {
    return this.#path.length === 1 && this.#path[0] === METADATA;
  }

  #compareItems(left: readonly unknown[], right: readonly unknown[], list: ApplyList): Change | undefined {
    const aligned = this.#alignedElements(left, right, list);
    if (aligned !== undefined) return this.#compareAligned(left, right, list, aligned);
    const were = this.#index(left, list);
    const are = this.#index(right, list);
    const changed = new ChangedMembers();
    for (const [element, before] of were)
      changed.add(element, this.#compareItem(element, before, are.get(element), list));
    for (const [element, after] of are)
      if (!were.has(element)) changed.add(element, this.#compareItem(element, undefined, after, list));
    return changed.change();
  }

  /** The elements of two short lists of the same items in the same order, none of them twice; else undefined. */
  #alignedElements(left: readonly unknown[], right: readonly unknown[], list: ApplyList): string[] | undefined {
    if (left.length !== right.length || left.length > FEW_ITEMS) return undefined;
    const elements: string[] = [];
    for (let at = 0; at < left.length; at++) {
      const element = this.#element(list, left[at], at);
      if (elements.includes(element)) return undefined;
      elements.push(element);
    }
    for (let at = 0; at < right.length; at++)
      if (right[at] !== left[at] && this.#element(list, right[at], at) !== elements[at]) return undefined;
    return elements;
  }

  #compareAligned(
    left: readonly unknown[],
    right: readonly unknown[],
    list: ApplyList,
    elements: readonly string[],
  ): Change | undefined {
    const changed = new ChangedMembers();
    for (let at = 0; at < elements.length; at++) {
      const element = elements[at] as string;
      if (left[at] !== right[at]) changed.add(element, this.#compareItem(element, left[at], right[at], list));
    }
    return changed.change();
  }

  #compareItem(element: string, before: unknown, after: unknown, list: ApplyList): Change | undefined {
    if (before === after) return undefined;
    if (before instanceof Duplicates && after instanceof Duplicates)
      return deepEqual(before.items, after.items) ? undefined : MODIFIED;
    this.#path.push(element);
    let change: Change | undefined;
    if (before instanceof Duplicates) change = new Change(this.#contentOf(after, list), undefined, LEAF);
    else if (after instanceof Duplicates) change = new Change(LEAF, undefined, this.#contentOf(before, list));
    else change = this.compare(before, after, list.element);
    this.#path.pop();
    return change;
  }

  #contentOf(item: unknown, list: ApplyList): FieldSet | undefined {
    return item === undefined ? undefined : this.#content(item, list.element);
  }

  /** One item by element, or {@link Duplicates}. */
  #index(items: readonly unknown[], list: ApplyList): Map<string, unknown> {
    const index = new Map<string, unknown>();
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      const element = this.#element(list, item, at);
      const known = index.get(element);
      if (known === undefined) index.set(element, item);
      else if (known instanceof Duplicates) known.items.push(item);
      else index.set(element, new Duplicates([known, item]));
    }
    return index;
  }

  #element(list: ApplyList, item: unknown, at: number): string {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (error instanceof ItemError) this.#fail(`element ${at}: ${error.message}`, this.#path);
      throw error;
    }
  }

  #fail(text: string, path: readonly string[]): never {
    throw new ApplyTypeError([{ path: pathText(path), text }]);
  }

  /** Everything in a value that is only on one side, and itself. */
  #content(value: unknown, type: ApplyType): FieldSet {
    const shape = shapeOf(type, value);
    if (shape === 'map' && type.map !== undefined && !type.map.atomic) return this.#members(asMap(value), type.map);
    if (shape === 'list' && type.list !== undefined && !type.list.atomic)
      return this.#items(asList(value) ?? [], type.list);
    return LEAF;
  }

  #members(object: JsonObject | undefined, map: ApplyMap): FieldSet {
    let node = openNode(true);
    for (const key in object) {
      const member = getOwn(object, key);
      if (member === undefined) continue;
      const field = map.field(key);
      const element = field === undefined ? fieldElement(key) : field.element;
      const type = field === undefined ? map.element : field.type;
      if (type === undefined) this.#fail('field not declared in schema', [...this.#path, element]);
      node = node.with(element, this.#content(member, type));
    }
    return node.closed();
  }

  #items(items: readonly unknown[], list: ApplyList): FieldSet {
    let node = openNode(true);
    for (const [element, item] of this.#index(items, list))
      node = node.with(element, item instanceof Duplicates ? LEAF : this.#content(item, list.element));
    return node.closed();
  }
}

/** Items that share their keys: compared only as a whole. */
class Duplicates {
  readonly items: unknown[];

  constructor(items: unknown[]) {
    this.items = items;
  }
}

function changedLeaf(before: unknown, after: unknown): Change | undefined {
  return deepEqual(before, after) ? undefined : MODIFIED;
}

function filledMap(value: unknown): JsonObject | undefined {
  const object = asMap(value);
  return object === undefined || isEmptyMap(object) ? undefined : object;
}

function filledList(value: unknown): readonly unknown[] | undefined {
  const list = asList(value);
  return list === undefined || list.length === 0 ? undefined : list;
}
