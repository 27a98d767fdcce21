/** Whether two expressions say the same. */
import { type CelNode, sameAst } from './ast.js';
import { parse } from './parse.js';

const everything = { bindings: true, quotedIdentifiers: true } as const;

/** The syntax tree of a rule, macros expanded; undefined where it does not parse. */
export function parseExpression(text: string): CelNode | undefined {
  return parse(text, everything).node;
}

/** Whether two expressions have the same syntax tree; white space, comments and needless brackets do not count. */
export function sameExpression(a: string, b: string): boolean {
  if (a === b || a.trim() === b.trim()) return true;
  const left = parse(a, everything).node;
  const right = parse(b, everything).node;
  return left !== undefined && right !== undefined && sameAst(left, right);
}
