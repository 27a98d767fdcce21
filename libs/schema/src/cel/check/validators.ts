/** Checks of literals that only make sense once the types are known. */
import { childrenOf } from '../syntax/ast.js';
import type { CallNode, CelNode, ListNode, MapNode } from '../syntax/ast.js';
import { toDuration, toTimestamp } from '../values/convert.js';
import { FormatError, checkFormat } from '../library/format-text.js';
import type { CelIssue } from '../syntax/issues.js';
import { compilePattern } from '../values/regex.js';
import { dynType, formatType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { isError } from '../values/values.js';

const literalChecks: Readonly<Record<string, (value: unknown) => unknown>> = {
  duration: toDuration,
  timestamp: toTimestamp,
  matches: (value) => (typeof value === 'string' ? compilePattern(value) : value),
};

function checkLiteral(node: CallNode, issues: CelIssue[]): void {
  const check = Object.hasOwn(literalChecks, node.fn) ? literalChecks[node.fn] : undefined;
  const [arg] = node.args;
  if (check === undefined || arg?.kind !== 'literal') return;
  if (isError(check(arg.value))) issues.push({ offset: arg.at, message: `invalid ${node.fn} argument` });
}

function checkFormatCall(node: CallNode, issues: CelIssue[]): void {
  const [list] = node.args;
  if (node.fn !== 'format' || node.target?.kind !== 'literal' || list?.kind !== 'list') return;
  if (typeof node.target.value !== 'string' || node.args.length !== 1) return;
  try {
    const used = checkFormat(node.target.value, list.elements);
    const count = list.elements.length;
    if (count <= used) return;
    const message = `too many arguments supplied to string.format (expected ${used}, got ${count})`;
    issues.push({ offset: node.at, message });
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    issues.push({ offset: error.at ?? node.at, message: error.message });
  }
}

/** Same shape; names of type parameters do not matter. */
function equivalent(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if (a.kind !== 'param' && a.name !== b.name) return false;
  return a.params.every((param, i) => equivalent(param, b.params[i] ?? dynType));
}

function typeOf(node: CelNode, optional: boolean): CelType {
  const type = node.type ?? dynType;
  return optional ? (type.params[0] ?? dynType) : type;
}

function mismatch(node: CelNode, expected: CelType, actual: CelType): CelIssue {
  return {
    offset: node.at,
    message: `expected type '${formatType(expected)}' but found '${formatType(actual)}'`,
  };
}

function checkList(node: ListNode, issues: CelIssue[]): void {
  let expected: CelType | undefined;
  for (const [i, element] of node.elements.entries()) {
    const type = typeOf(element, node.optional[i] === true);
    expected ??= type;
    if (equivalent(expected, type)) continue;
    issues.push(mismatch(element, expected, type));
    return;
  }
}

function checkMap(node: MapNode, issues: CelIssue[]): void {
  const [first] = node.entries;
  if (first === undefined) return;
  const keyType = typeOf(first.key, false);
  const valueType = typeOf(first.value, first.optional);
  for (const { key, value, optional } of node.entries) {
    if (!equivalent(keyType, typeOf(key, false))) issues.push(mismatch(key, keyType, typeOf(key, false)));
    const own = typeOf(value, optional);
    if (!equivalent(valueType, own)) issues.push(mismatch(value, valueType, own));
  }
}

function visit(node: CelNode, mixed: boolean, issues: CelIssue[]): void {
  if (node.kind === 'call') {
    checkLiteral(node, issues);
    checkFormatCall(node, issues);
  } else if (node.kind === 'list' && !mixed) checkList(node, issues);
  else if (node.kind === 'map' && !mixed) checkMap(node, issues);
  // Arguments of format may be of any types.
  const inFormat = mixed || (node.kind === 'call' && node.fn === 'format');
  for (const child of childrenOf(node)) visit(child, inFormat, issues);
}

/** What is wrong with the literals of a checked tree. */
export function validateAst(root: CelNode): CelIssue[] {
  const issues: CelIssue[] = [];
  visit(root, false, issues);
  return issues;
}
