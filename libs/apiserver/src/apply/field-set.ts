/** Sets of field paths, as tries of path elements that share what they have in common. */
import type { ApplyType } from './apply-type.js';
import { memberType } from './apply-type.js';
import { elementText, sortElements } from './path-element.js';

/** The children of a node by path element. */
export type FieldChildren = ReadonlyMap<string, FieldSet>;

/**
 * A node of the trie, and with it everything below: whether the path to it is a member, and what is under it. A whole
 * set is its root, which is never a member. Nodes are shared between sets and must not change once they are in one.
 */
export class FieldSet {
  readonly member: boolean;
  readonly children: FieldChildren | undefined;
  /** The FieldsV1 form, made when first asked for. */
  encoded: Readonly<Record<string, unknown>> | undefined = undefined;
  /** The type the set was last found in order with. */
  checkedFor: ApplyType | undefined = undefined;

  constructor(member: boolean, children: FieldChildren | undefined) {
    this.member = member;
    this.children = children;
  }
}

/** A set under construction: the same node, still open. */
export class FieldSetBuilder {
  member = false;
  children: Map<string, FieldSetBuilder> | undefined = undefined;

  /** The node one element further down, made if need be. */
  at(element: string): FieldSetBuilder {
    this.children ??= new Map();
    let child = this.children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.children.set(element, child);
    }
    return child;
  }

  /** The node at the path, made if need be. */
  descend(path: readonly string[]): FieldSetBuilder {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    let node: FieldSetBuilder = this;
    for (const element of path) node = node.at(element);
    return node;
  }
}

/** A node that is a member and has nothing below it. */
export const LEAF: FieldSet = new FieldSet(true, undefined);

/** The set of nothing. */
export const EMPTY_SET: FieldSet = new FieldSet(false, undefined);

/** Closes a builder; the builder's root is not taken for a member. */
export function builtSet(root: FieldSetBuilder): FieldSet {
  return closed(root, false) ?? EMPTY_SET;
}

function closed(builder: FieldSetBuilder, member: boolean): FieldSet | undefined {
  let children: Map<string, FieldSet> | undefined;
  if (builder.children !== undefined) {
    for (const [element, child] of builder.children) {
      const set = closed(child, child.member);
      if (set !== undefined) (children ??= new Map()).set(element, set);
    }
  }
  if (children === undefined) return member ? LEAF : undefined;
  return new FieldSet(member, children);
}

/** Whether the set has no members. Nodes without members are never kept. */
export function isEmptySet(set: FieldSet): boolean {
  return set.children === undefined;
}

/** A set of the given paths. */
export function setOfPaths(...paths: readonly (readonly string[])[]): FieldSet {
  const root = new FieldSetBuilder();
  for (const path of paths) if (path.length > 0) root.descend(path).member = true;
  return builtSet(root);
}

/** A new node, or nothing when it would be empty. */
function node(member: boolean, children: FieldChildren | undefined): FieldSet | undefined {
  if (children === undefined || children.size === 0) return member ? LEAF : undefined;
  return new FieldSet(member, children);
}

/** What is in either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (b.children === undefined && (a.member || !b.member))) return a;
  if (a.children === undefined && (b.member || !a.member)) return b;
  const children = unionChildren(a.children, b.children);
  const member = a.member || b.member;
  if (member === a.member && children === a.children) return a;
  return new FieldSet(member, children);
}

function unionChildren(a: FieldChildren | undefined, b: FieldChildren | undefined): FieldChildren | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  let copy: Map<string, FieldSet> | undefined;
  for (const [element, right] of b) {
    const left = a.get(element);
    const both = left === undefined ? right : union(left, right);
    if (both !== left) (copy ??= new Map(a)).set(element, both);
  }
  return copy ?? a;
}

/** What is in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return a === b ? a : (intersect(a, b) ?? EMPTY_SET);
}

function intersect(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return a;
  const member = a.member && b.member;
  if (a.children === undefined || b.children === undefined) return member ? LEAF : undefined;
  const [small, large] = a.children.size <= b.children.size ? [a.children, b.children] : [b.children, a.children];
  let children: Map<string, FieldSet> | undefined;
  for (const [element, left] of small) {
    const right = large.get(element);
    const both = right && intersect(left, right);
    if (both !== undefined) (children ??= new Map()).set(element, both);
  }
  return node(member, children);
}

/** What is in the first and not in the second; a member of the second says nothing of what is below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false) ?? EMPTY_SET;
}

/** As {@link difference}, but a member of the second takes everything below it along. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true) ?? EMPTY_SET;
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet | undefined {
  if (recursive && b.member) return undefined;
  const member = a.member && !b.member;
  if (a.children === undefined) return member ? LEAF : undefined;
  const children = b.children === undefined ? a.children : subtractChildren(a.children, b.children, recursive);
  if (member === a.member && children === a.children) return a;
  return node(member, children);
}

function subtractChildren(a: FieldChildren, b: FieldChildren, recursive: boolean): FieldChildren {
  let copy: Map<string, FieldSet> | undefined;
  for (const [element, right] of b) {
    const left = a.get(element);
    if (left === undefined) continue;
    const rest = subtract(left, right, recursive);
    if (rest === left) continue;
    copy ??= new Map(a);
    if (rest === undefined) copy.delete(element);
    else copy.set(element, rest);
  }
  return copy ?? a;
}

/** Whether both have the same members. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.member !== b.member) return false;
  if (a.children === undefined || b.children === undefined) return a.children === b.children;
  if (a.children.size !== b.children.size) return false;
  for (const [element, left] of a.children) {
    const right = b.children.get(element);
    if (right === undefined || !equalSets(left, right)) return false;
  }
  return true;
}

/** Whether every member of the first is in the second. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.member && !b.member) return false;
  if (a.children === undefined) return true;
  if (b.children === undefined) return false;
  for (const [element, left] of a.children) {
    const right = b.children.get(element);
    if (right === undefined || !isSubset(left, right)) return false;
  }
  return true;
}

/** Only the members with nothing below them. */
export function leaves(set: FieldSet): FieldSet {
  if (set.children === undefined) return set;
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children) children.set(element, leaves(child));
  return new FieldSet(false, children);
}

/** Whether the path is a member. */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let at: FieldSet | undefined = set;
  for (const element of path) {
    at = at.children?.get(element);
    if (at === undefined) return false;
  }
  return path.length > 0 && at.member;
}

/** Calls back for every member in the server's order: those of a node first, then what is below them. */
export function forEachPath(set: FieldSet, visit: (path: readonly string[]) => void): void {
  visitPaths(set, [], visit);
}

function visitPaths(set: FieldSet, path: readonly string[], visit: (path: readonly string[]) => void): void {
  if (set.children === undefined) return;
  const elements = sortElements(set.children.keys());
  for (const element of elements) if (set.children.get(element)?.member === true) visit([...path, element]);
  for (const element of elements) {
    const child = set.children.get(element);
    if (child?.children !== undefined) visitPaths(child, [...path, element], visit);
  }
}

/** A path as messages print it: `.spec.containers[name="a"].image`. */
export function pathText(path: readonly string[]): string {
  return path.map((element) => elementText(element)).join('');
}

/**
 * The set with every declared field above a member made a member too, because values list fields of structs only by
 * their leaves. Keys of plain maps and list items are not added: they are members in their own right.
 */
export function withNamedFields(set: FieldSet, type: ApplyType | undefined): FieldSet {
  if (set.children === undefined) return set;
  let copy: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    if (child.children === undefined) continue;
    const below = withNamedFields(child, typeBelow(type, element));
    const named = element.startsWith('f:') && type?.map?.field(element.slice(2)) !== undefined;
    const next = named && !below.member ? new FieldSet(true, below.children) : below;
    if (next !== child) (copy ??= new Map(set.children)).set(element, next);
  }
  return copy === undefined ? set : new FieldSet(set.member, copy);
}

function typeBelow(type: ApplyType | undefined, element: string): ApplyType | undefined {
  if (type === undefined) return undefined;
  if (element.startsWith('f:')) return type.map === undefined ? undefined : memberType(type.map, element.slice(2));
  return element.startsWith('k:') ? type.list?.element : undefined;
}
