/** The rules of the grammar that are tables. */
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
