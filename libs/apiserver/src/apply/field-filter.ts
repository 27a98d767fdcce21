/** Which fields a write may own: strategies reset some, and nobody owns what was reset. */
import { EMPTY_SET, LEAF, fieldNode } from './field-node.js';
import type { FieldSet } from './field-node.js';
import { recursiveDifference, setOfPaths } from './field-set.js';
import { fieldElement } from './path-element.js';

/** Takes the fields out of a set that a write cannot own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Any element of a path in {@link includeFields}. */
export const ANY_ELEMENT = '*';

/** Leaves out the given fields and everything below: `excludeFields(['status'])` on the main resource. */
export function excludeFields(...paths: readonly (readonly string[])[]): FieldFilter {
  const excluded = setOfPaths(...paths.map((path) => path.map(fieldElement)));
  return (set) => recursiveDifference(set, excluded);
}

/** Keeps only what is under one of the given paths; {@link ANY_ELEMENT} stands for every field and item. */
export function includeFields(...paths: readonly (readonly string[])[]): FieldFilter {
  const patterns = paths.map((path) => path.map((name) => (name === ANY_ELEMENT ? name : fieldElement(name))));
  return (set) => kept(set, patterns) ?? EMPTY_SET;
}

/** On the way to a pattern's end the nodes themselves count as matched; past the end everything does. */
function kept(set: FieldSet, patterns: readonly (readonly string[])[]): FieldSet | undefined {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children ?? []) {
    const matching = patterns.filter(([first]) => first === ANY_ELEMENT || first === element);
    if (matching.length === 0) continue;
    const below = kept(
      child,
      matching.map((pattern) => pattern.slice(1)),
    );
    if (below !== undefined) children.set(element, below);
    else if (child.member) children.set(element, LEAF);
  }
  if (children.size > 0) return fieldNode(set.member, children);
  return set.member ? LEAF : undefined;
}
