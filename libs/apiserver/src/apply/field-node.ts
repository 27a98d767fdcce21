/** The nodes of field sets. There is one of each: two managers that write the same fields share the very same set. */

/** The children of a node by path element. */
export type FieldChildren = ReadonlyMap<string, FieldSet>;

/**
 * A node of a trie of path elements, and with it everything below: whether the path to it is a member, and what is under
 * it. A whole set is its root, which is never a member. Nodes are shared between sets and never change; equal ones are
 * nearly always the same, see {@link fieldNode}.
 */
export class FieldSet {
  readonly member: boolean;
  /** Never empty, and no child is without members. */
  readonly children: FieldChildren | undefined;
  /** The FieldsV1 form, made when first asked for. */
  encoded: Readonly<Record<string, unknown>> | undefined = undefined;

  /** For {@link fieldNode} only. */
  constructor(member: boolean, children: FieldChildren | undefined) {
    this.member = member;
    this.children = children;
  }
}

/** A node that is a member and has nothing below it. */
export const LEAF: FieldSet = new FieldSet(true, undefined);

/** The set of nothing. */
export const EMPTY_SET: FieldSet = new FieldSet(false, undefined);

/**
 * A node under construction: it is known by the children it was given so far, so that a node that was made before is
 * found again step by step, without anything being made on the way.
 */
export class OpenNode {
  readonly #before: OpenNode | undefined;
  readonly #element: string;
  readonly #child: FieldSet;
  readonly #member: boolean;
  /** What follows with a child that is a leaf, which most are. */
  #leaves: Map<string, OpenNode> | undefined = undefined;
  #others: Map<string, Map<FieldSet, OpenNode>> | undefined = undefined;
  #closed: FieldSet | undefined = undefined;

  constructor(member: boolean, before: OpenNode | undefined, element: string, child: FieldSet) {
    this.#member = member;
    this.#before = before;
    this.#element = element;
    this.#child = child;
  }

  /** The node with one more child, in the place of any that has the element already. */
  with(element: string, child: FieldSet): OpenNode {
    const known = child === LEAF ? this.#leaves?.get(element) : this.#others?.get(element)?.get(child);
    return known ?? this.#step(element, child);
  }

  #step(element: string, child: FieldSet): OpenNode {
    const next = new OpenNode(this.#member, this, element, child);
    stepsKnown++;
    if (child === LEAF) (this.#leaves ??= new Map()).set(element, next);
    else {
      const others = (this.#others ??= new Map<string, Map<FieldSet, OpenNode>>());
      const known = others.get(element);
      if (known === undefined) others.set(element, new Map([[child, next]]));
      else known.set(child, next);
    }
    return next;
  }

  /** The node as it is now: the same for the same children, in whichever order they came. */
  closed(): FieldSet {
    return (this.#closed ??= this.#close());
  }

  #close(): FieldSet {
    if (this.#before === undefined) return this.#member ? LEAF : EMPTY_SET;
    const steps: OpenNode[] = [this];
    for (let at = this.#before; at.#before !== undefined; at = at.#before) steps.push(at);
    steps.reverse();
    if (steps.every((step, at) => at === 0 || (steps[at - 1] as OpenNode).#element < step.#element))
      return new FieldSet(this.#member, new Map(steps.map((step) => [step.#element, step.#child])));
    const children = new Map(steps.map((step) => [step.#element, step.#child]));
    let sorted = openNode(this.#member);
    for (const element of [...children.keys()].sort()) sorted = sorted.with(element, children.get(element) as FieldSet);
    return sorted.closed();
  }
}

/** More than the programs of a fleet have ways to write; names that are never seen again would be kept without end. */
const MAX_STEPS = 40_000;
let stepsKnown = 0;
let ofMembers = new OpenNode(true, undefined, '', EMPTY_SET);
let ofOthers = new OpenNode(false, undefined, '', EMPTY_SET);

/** Begins a node. */
export function openNode(member: boolean): OpenNode {
  if (stepsKnown >= MAX_STEPS) {
    // Sets in use stay what they are; equal ones that are made from now on are others.
    stepsKnown = 0;
    ofMembers = new OpenNode(true, undefined, '', EMPTY_SET);
    ofOthers = new OpenNode(false, undefined, '', EMPTY_SET);
  }
  return member ? ofMembers : ofOthers;
}

/** The node with these children, which is the same for equal ones unless very many were made in between. */
export function fieldNode(member: boolean, children: FieldChildren | undefined): FieldSet {
  let node = openNode(member);
  if (children !== undefined) for (const [element, child] of children) node = node.with(element, child);
  return node.closed();
}
