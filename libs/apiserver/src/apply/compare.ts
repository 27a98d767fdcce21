/** What changed between two values of one type, as sets of paths. */
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType, Shape } from './apply-type.js';
import { asList, asMap, isEmptyMap, memberType, ownMember, shapeOf } from './apply-type.js';
import { FieldSetBuilder, builtSet, isEmptySet, pathText } from './field-set.js';
import type { FieldSet } from './field-set.js';
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

/**
 * Compares two values of a type. Unlike what a configuration claims, structs that came or went are named themselves
 * too. Throws {@link ApplyTypeError} where list items have no keys.
 */
export function compareValues(before: unknown, after: unknown, type: ApplyType): Comparison {
  const walker = new Walker();
  walker.compare(before, after, type);
  return {
    added: builtSet(walker.added),
    modified: builtSet(walker.modified),
    removed: builtSet(walker.removed),
  };
}

class Walker {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  readonly #path: string[] = [];

  compare(before: unknown, after: unknown, type: ApplyType): void {
    if (before === after) return;
    if (before === undefined) this.#note(this.added.descend(this.#path), after, type);
    else if (after === undefined) this.#note(this.removed.descend(this.#path), before, type);
    else {
      const was = shapeOf(type, before);
      const is = shapeOf(type, after);
      // A value of another shape is a changed leaf and new content at once.
      if (was !== is) this.#visit(was, before, after, type);
      this.#visit(is, before, after, type);
    }
  }

  #visit(shape: Shape, before: unknown, after: unknown, type: ApplyType): void {
    const visited =
      (shape === 'map' && this.#visitMaps(before, after, type.map)) ||
      (shape === 'list' && this.#visitLists(before, after, type.list));
    if (!visited && !deepEqual(before, after)) this.modified.descend(this.#path).member = true;
  }

  /** Whether there was content to go into; empty ones are leaves, to tell them from null. */
  #visitMaps(before: unknown, after: unknown, map: ApplyMap | undefined): boolean {
    if (map === undefined || map.atomic) return false;
    const left = filledMap(before);
    const right = filledMap(after);
    if (left === undefined && right === undefined) return false;
    this.#compareMembers(left, right, map);
    return true;
  }

  #visitLists(before: unknown, after: unknown, list: ApplyList | undefined): boolean {
    if (list === undefined || list.atomic) return false;
    const left = filledList(before);
    const right = filledList(after);
    if (left === undefined && right === undefined) return false;
    this.#compareItems(left ?? [], right ?? [], list);
    return true;
  }

  #compareMembers(left: JsonObject | undefined, right: JsonObject | undefined, map: ApplyMap): void {
    if (left !== undefined) {
      for (const key in left) {
        const before = ownMember(left, key);
        const after = right === undefined ? undefined : ownMember(right, key);
        if (before !== after) this.#compareMember(key, before, after, map);
      }
    }
    if (right === undefined) return;
    for (const key in right) {
      const after = ownMember(right, key);
      if (after === undefined || (left !== undefined && ownMember(left, key) !== undefined)) continue;
      this.#compareMember(key, undefined, after, map);
    }
  }

  #compareMember(key: string, before: unknown, after: unknown, map: ApplyMap): void {
    const type = memberType(map, key);
    this.#path.push(fieldElement(key));
    if (type === undefined) this.#fail('field not declared in schema', this.#path);
    this.compare(before, after, type);
    this.#path.pop();
  }

  #compareItems(left: readonly unknown[], right: readonly unknown[], list: ApplyList): void {
    const were = this.#index(left, list);
    const are = this.#index(right, list);
    for (const [element, before] of were) this.#compareItem(element, before, are.get(element), list);
    for (const [element, after] of are) if (!were.has(element)) this.#compareItem(element, undefined, after, list);
  }

  #compareItem(element: string, before: unknown, after: unknown, list: ApplyList): void {
    this.#path.push(element);
    if (before instanceof Duplicates) {
      if (after instanceof Duplicates) {
        if (!deepEqual(before.items, after.items)) this.modified.descend(this.#path).member = true;
      } else {
        if (after !== undefined) this.compare(undefined, after, list.element);
        this.removed.descend(this.#path).member = true;
      }
    } else if (after instanceof Duplicates) {
      if (before !== undefined) this.compare(before, undefined, list.element);
      this.added.descend(this.#path).member = true;
    } else this.compare(before, after, list.element);
    this.#path.pop();
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

  /** Everything in a value that is only on one side. */
  #note(node: FieldSetBuilder, value: unknown, type: ApplyType): void {
    node.member = true;
    const shape = shapeOf(type, value);
    if (shape === 'map' && type.map !== undefined && !type.map.atomic) this.#noteMembers(node, asMap(value), type.map);
    else if (shape === 'list' && type.list !== undefined && !type.list.atomic) this.#noteItems(node, value, type.list);
  }

  #noteMembers(node: FieldSetBuilder, object: JsonObject | undefined, map: ApplyMap): void {
    for (const key in object) {
      const member = ownMember(object, key);
      if (member === undefined) continue;
      const type = memberType(map, key);
      if (type === undefined) this.#fail('field not declared in schema', [...this.#path, fieldElement(key)]);
      this.#note(node.at(fieldElement(key)), member, type);
    }
  }

  #noteItems(node: FieldSetBuilder, value: unknown, list: ApplyList): void {
    for (const [element, item] of this.#index(asList(value) ?? [], list)) {
      if (item instanceof Duplicates) node.at(element).member = true;
      else this.#note(node.at(element), item, list.element);
    }
  }
}

/** Items that share their keys: compared only as a whole. */
class Duplicates {
  readonly items: unknown[];

  constructor(items: unknown[]) {
    this.items = items;
  }
}

function filledMap(value: unknown): JsonObject | undefined {
  const object = asMap(value);
  return object === undefined || isEmptyMap(object) ? undefined : object;
}

function filledList(value: unknown): readonly unknown[] | undefined {
  const list = asList(value);
  return list === undefined || list.length === 0 ? undefined : list;
}
