/** Old sets against a changed schema. */
import type { ApplyType } from './apply-type.js';
import { memberType } from './apply-type.js';
import { LEAF, fieldNode } from './field-node.js';
import type { FieldSet } from './field-node.js';
import { PairMemo } from './pair-memo.js';

const RECENT_RESULTS = 1_024;
const known = new PairMemo<FieldSet, ApplyType, FieldSet>(RECENT_RESULTS);

/**
 * The set as the type would have it: a list or map that has become atomic since is owned as a whole. The way back is
 * not taken: what has become granular stays as it is.
 */
export function reconcileSet(set: FieldSet, type: ApplyType): FieldSet {
  let reconciled = known.get(set, type);
  if (reconciled === undefined) known.set(set, type, (reconciled = reconcileNode(set, type, false)));
  return reconciled;
}

function reconcileNode(set: FieldSet, type: ApplyType, canBeWhole: boolean): FieldSet {
  if (set.children === undefined) return set;
  const { map, list } = type;
  // Without a value to decide it, a type that can be several things is taken for a map first.
  if (map !== undefined) {
    if (map.deduced) return set;
    if (map.atomic) return canBeWhole ? LEAF : set;
    return reconcileChildren(set, (element) =>
      element.startsWith('f:') ? memberType(map, element.slice(2)) : map.element,
    );
  }
  if (type.scalar !== undefined || list === undefined) return set;
  if (list.atomic) return canBeWhole ? LEAF : set;
  return reconcileChildren(set, () => list.element);
}

function reconcileChildren(set: FieldSet, typeOf: (element: string) => ApplyType | undefined): FieldSet {
  let copy: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.children ?? []) {
    if (child.children === undefined) continue;
    const type = typeOf(element);
    if (type === undefined) continue;
    const next = reconcileNode(child, type, true);
    if (next !== child) (copy ??= new Map(set.children)).set(element, next);
  }
  return copy === undefined ? set : fieldNode(set.member, copy);
}
