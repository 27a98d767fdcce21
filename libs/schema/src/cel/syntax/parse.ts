/** From text to tree, within the limits of the server. */
import type { CelNode } from './ast.js';
import { Parser } from './parser.js';
import { isTooDeep, maxLength, tooDeepMessage } from './syntax.js';
import type { Parsed, SyntaxOptions } from './syntax.js';
import { Halt } from './token-stream.js';

/** Parses an expression; the tree is missing exactly when there are issues. */
export function parse(source: string, options: SyntaxOptions = {}): Parsed {
  if (source.length > maxLength) {
    const size = [...source].length;
    if (size > maxLength) {
      const message = `expression code point size exceeds limit: size: ${size}, limit ${maxLength}`;
      return { node: undefined, issues: [{ offset: -1, message }] };
    }
  }
  const parser = new Parser(source, options);
  let node: CelNode | undefined;
  try {
    node = parser.parse();
    if (isTooDeep(node)) parser.complain(-1, tooDeepMessage);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
  return parser.issues.length === 0 ? { node, issues: [] } : { node: undefined, issues: parser.issues };
}
