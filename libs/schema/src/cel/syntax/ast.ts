/** The syntax tree after macro expansion. The checker writes types and overloads into the nodes. */
import type { CelType } from '../types/types.js';
import { CelBoxed, CelBytes, CelDouble, CelUint } from '../values/values.js';
import type { CelValue } from '../values/values.js';

interface NodeBase {
  /** UTF-16 offset in the source. */
  readonly at: number;
  /** Set by the checker. */
  type?: CelType;
}

/** A constant. */
export interface LiteralNode extends NodeBase {
  readonly kind: 'literal';
  readonly value: CelValue;
}

/** A variable, or a type name. */
export interface IdentNode extends NodeBase {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` when it only tests. */
export interface SelectNode extends NodeBase {
  readonly kind: 'select';
  readonly operand: CelNode;
  readonly field: string;
  readonly test: boolean;
  /** Set by the checker when the whole path is one declared name. */
  resolved?: string;
}

/** A function call; operators are calls of functions named like `_+_`. */
export interface CallNode extends NodeBase {
  readonly kind: 'call';
  /** The checker replaces the name by the qualified one and drops the target with it. */
  fn: string;
  target: CelNode | undefined;
  readonly args: readonly CelNode[];
  /** Overloads the argument types admit, set by the checker. */
  overloads?: readonly string[];
}

/** `[a, ?b]`. */
export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly elements: readonly CelNode[];
  /** Which elements are optional; empty when none is. */
  readonly optional: readonly boolean[];
}

/** One `key: value`. */
export interface MapEntry {
  readonly at: number;
  readonly key: CelNode;
  readonly value: CelNode;
  readonly optional: boolean;
}

/** `{k: v}`. */
export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

/** One `field: value`. */
export interface StructField {
  readonly at: number;
  readonly field: string;
  readonly value: CelNode;
  readonly optional: boolean;
}

/** `Name{field: value}`. */
export interface StructNode extends NodeBase {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly StructField[];
}

/** Which macro a fold came from; the compiler has a loop for each. */
export type FoldMacro = 'all' | 'exists' | 'existsOne' | 'transform' | 'bind';

/** What every comprehension macro expands to. */
export interface FoldNode extends NodeBase {
  readonly kind: 'fold';
  readonly macro: FoldMacro;
  readonly range: CelNode;
  readonly iterVar: string;
  /** Empty for comprehensions over one variable. */
  readonly iterVar2: string;
  readonly accuVar: string;
  readonly init: CelNode;
  readonly condition: CelNode;
  readonly step: CelNode;
  readonly result: CelNode;
}

/** A node of the tree. */
export type CelNode = LiteralNode | IdentNode | SelectNode | CallNode | ListNode | MapNode | StructNode | FoldNode;

/** The direct children, in order of evaluation. */
export function childrenOf(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return node.fields.map((field) => field.value);
    case 'fold':
      return [node.range, node.init, node.condition, node.step, node.result];
  }
}

/** `a.b.c` as one name, if nothing but names is in it. */
export function qualifiedName(node: CelNode): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.test) return undefined;
  const operand = qualifiedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}

/** Visits the node and all below it, parents first. */
export function walk(node: CelNode, visit: (node: CelNode) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

function sameLiteral(a: CelValue, b: CelValue): boolean {
  if (a instanceof CelDouble) return b instanceof CelDouble && Object.is(a.value, b.value);
  if (a instanceof CelUint) return b instanceof CelUint && a.value === b.value;
  if (a instanceof CelBytes) {
    return (
      b instanceof CelBytes && a.value.length === b.value.length && a.value.every((byte, i) => byte === b.value[i])
    );
  }
  return !(b instanceof CelBoxed) && a === b;
}

/** What a node holds besides its children. */
function ownParts(node: CelNode): readonly unknown[] {
  switch (node.kind) {
    case 'literal':
      return [node.value];
    case 'ident':
      return [node.name];
    case 'select':
      return [node.field, node.test];
    case 'call':
      return [node.fn, node.target === undefined];
    case 'list':
      return node.optional;
    case 'map':
      return node.entries.map((entry) => entry.optional);
    case 'struct':
      return [node.name, ...node.fields.flatMap((field) => [field.field, field.optional])];
    case 'fold':
      return [node.iterVar, node.iterVar2, node.accuVar];
  }
}

function sameOwn(a: CelNode, b: CelNode): boolean {
  if (a.kind !== b.kind) return false;
  const left = ownParts(a);
  const right = ownParts(b);
  return left.length === right.length && left.every((part, i) => sameLiteral(part, right[i]));
}

/** Whether two trees say the same; places and white space do not matter. */
export function sameAst(a: CelNode, b: CelNode): boolean {
  if (!sameOwn(a, b)) return false;
  const left = childrenOf(a);
  const right = childrenOf(b);
  return left.length === right.length && left.every((child, i) => right[i] !== undefined && sameAst(child, right[i]));
}
