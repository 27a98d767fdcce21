/** Sets of field paths, as tries of path elements that share what they have in common. */
import type { ApplyType } from './apply-type.js';
import { memberType } from './apply-type.js';
import { EMPTY_SET, LEAF, fieldNode } from './field-node.js';
import type { FieldChildren, FieldSet } from './field-node.js';
import { PairMemo } from './pair-memo.js';
import { elementText, sortElements } from './path-element.js';

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
  return node(member, children);
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
  return fieldNode(member, children);
}

/** A write repeats what others of its program did to objects that were alike. */
const RECENT_RESULTS = 4_096;
const unions = new PairMemo<FieldSet, FieldSet, FieldSet>(RECENT_RESULTS);
const intersections = new PairMemo<FieldSet, FieldSet, FieldSet>(RECENT_RESULTS);
const differences = new PairMemo<FieldSet, FieldSet, FieldSet>(RECENT_RESULTS);
const recursiveDifferences = new PairMemo<FieldSet, FieldSet, FieldSet>(RECENT_RESULTS);

/** What is in either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (b.children === undefined && (a.member || !b.member))) return a;
  if (a.children === undefined && (b.member || !a.member)) return b;
  let both = unions.get(a, b);
  if (both === undefined) unions.set(a, b, (both = unite(a, b)));
  return both;
}

function unite(a: FieldSet, b: FieldSet): FieldSet {
  const children = unionChildren(a.children, b.children);
  const member = a.member || b.member;
  return member === a.member && children === a.children ? a : fieldNode(member, children);
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
  if (a === b) return a;
  if (a.children === undefined || b.children === undefined) return a.member && b.member ? LEAF : EMPTY_SET;
  let both = intersections.get(a, b);
  if (both === undefined) intersections.set(a, b, (both = intersect(a, a.children, b, b.children)));
  return both;
}

function intersect(a: FieldSet, left: FieldChildren, b: FieldSet, right: FieldChildren): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of left) {
    const other = right.get(element);
    const both = other === undefined ? EMPTY_SET : intersection(child, other);
    if (both !== EMPTY_SET) children.set(element, both);
  }
  return fieldNode(a.member && b.member, children);
}

/** What is in the first and not in the second; a member of the second does not cover what is below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** As {@link difference}, but a member of the second takes everything below it along. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

/** {@link EMPTY_SET} where nothing is left. */
function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (recursive && b.member) return EMPTY_SET;
  const member = a.member && !b.member;
  if (a.children === undefined) return member ? LEAF : EMPTY_SET;
  if (b.children === undefined) return member === a.member ? a : fieldNode(member, a.children);
  const known = recursive ? recursiveDifferences : differences;
  let rest = known.get(a, b);
  if (rest === undefined) {
    const children = subtractChildren(a.children, b.children, recursive);
    rest = member === a.member && children === a.children ? a : fieldNode(member, children);
    known.set(a, b, rest);
  }
  return rest;
}

function subtractChildren(a: FieldChildren, b: FieldChildren, recursive: boolean): FieldChildren {
  let copy: Map<string, FieldSet> | undefined;
  for (const [element, right] of b) {
    const left = a.get(element);
    if (left === undefined) continue;
    const rest = subtract(left, right, recursive);
    if (rest === left) continue;
    copy ??= new Map(a);
    if (rest === EMPTY_SET) copy.delete(element);
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
  return fieldNode(false, children);
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
    const next = named && !below.member ? fieldNode(true, below.children) : below;
    if (next !== child) (copy ??= new Map(set.children)).set(element, next);
  }
  return copy === undefined ? set : fieldNode(set.member, copy);
}

function typeBelow(type: ApplyType | undefined, element: string): ApplyType | undefined {
  if (type === undefined) return undefined;
  if (element.startsWith('f:')) return type.map === undefined ? undefined : memberType(type.map, element.slice(2));
  return element.startsWith('k:') ? type.list?.element : undefined;
}
