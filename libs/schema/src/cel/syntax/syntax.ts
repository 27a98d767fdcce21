/** The rules of the grammar that are tables. */
import { childrenOf } from './ast.js';
import type { CelNode } from './ast.js';
import type { CelIssue } from './issues.js';
import type { TokenType } from './lexer.js';

/** Syntax beyond what the server switches on for every expression. */
export interface SyntaxOptions {
  /** `cel.bind(name, value, expression)`. */
  readonly bindings?: boolean;
  /** Field names in backticks. */
  readonly quotedIdentifiers?: boolean;
}

/** A tree, or why there is none. */
export interface Parsed {
  readonly node: CelNode | undefined;
  readonly issues: readonly CelIssue[];
}

/** How deep expressions may nest. */
export const maxDepth = 250;
/** How many characters an expression may have. */
export const maxLength = 100_000;
/** Words that cannot be names of variables. */
export const reserved = new Set(
  (
    'as break const continue else false for function if import in let loop package namespace null return true ' +
    'var void while'
  ).split(' '),
);
/** Operators of one precedence each. */
export const relations = new Set<TokenType>(['<', '<=', '>=', '>', '==', '!=', 'in']);
/** Operators of one precedence each. */
export const products = new Set<TokenType>(['*', '/', '%']);
/** Operators of one precedence each. */
export const sums = new Set<TokenType>(['+', '-']);

/** A chain of one operator as a tree of least depth, so that long chains do not nest. */
export function balanced(fn: string, terms: readonly CelNode[], places: readonly number[]): CelNode {
  const [first] = terms;
  if (first !== undefined && terms.length === 1) return first;
  const middle = Math.floor(places.length / 2);
  const left = balanced(fn, terms.slice(0, middle + 1), places.slice(0, middle));
  const right = balanced(fn, terms.slice(middle + 1), places.slice(middle + 1));
  return { kind: 'call', at: places[middle] ?? 0, fn, target: undefined, args: [left, right] };
}

/** The complaint about operators nested too deep. */
export const tooDeepMessage = 'max recursion depth exceeded';

/** Whether a node is one of those the server counts: operators, steps of a path, method calls. */
function counts(node: CelNode): boolean {
  if (node.kind === 'select' || node.kind === 'fold') return true;
  if (node.kind !== 'call' || node.fn === '_&&_' || node.fn === '_||_' || node.fn === '!_') return false;
  return node.target !== undefined || node.fn.startsWith('_') || node.fn === '@in';
}

/** Whether operators nest deeper than the server lets them. Walks without recursion, for the tree may be that deep. */
export function isTooDeep(root: CelNode): boolean {
  const open: [CelNode, number][] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, above] = next;
    const depth = above + (counts(node) ? 1 : 0);
    if (depth > maxDepth) return true;
    for (const child of childrenOf(node)) open.push([child, depth]);
  }
  return false;
}
