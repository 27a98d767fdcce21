/** Moves the keywords of allOf branches onto the node itself, where that is equivalent. */
import { lookUp } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';

type Writable = { -readonly [Key in keyof SchemaNode]: SchemaNode[Key] };

type Absorb = (node: Writable, branch: SchemaNode) => boolean;

/** A limit: the stricter of two counts. */
function limit(
  keyword: 'maxItems' | 'maxLength' | 'maxProperties' | 'minItems' | 'minLength' | 'minProperties',
): Absorb {
  return (node, branch) => {
    const own = node[keyword];
    const other = branch[keyword];
    if (other === undefined) return false;
    const stricter = keyword.startsWith('max') ? Math.min : Math.max;
    node[keyword] = own === undefined ? other : stricter(own, other);
    return true;
  };
}

/** A bound of numbers that have none yet. Next to a format bounds have a meaning of their own. */
function bound(keyword: 'maximum' | 'minimum', exclusive: 'exclusiveMaximum' | 'exclusiveMinimum'): Absorb {
  return (node, branch) => {
    if (node[keyword] !== undefined || branch[keyword] === undefined || node.format !== '') return false;
    node[keyword] = branch[keyword];
    node[exclusive] = branch[exclusive];
    return true;
  };
}

const absorbers: Readonly<Record<string, Absorb>> = {
  maxItems: limit('maxItems'),
  maxLength: limit('maxLength'),
  maxProperties: limit('maxProperties'),
  minItems: limit('minItems'),
  minLength: limit('minLength'),
  minProperties: limit('minProperties'),
  maximum: bound('maximum', 'exclusiveMaximum'),
  minimum: bound('minimum', 'exclusiveMinimum'),
  // Taken together with their bounds.
  exclusiveMaximum: (_node, branch) => branch.maximum !== undefined,
  exclusiveMinimum: (_node, branch) => branch.minimum !== undefined,
  multipleOf: (node, branch) => {
    if (node.multipleOf !== undefined) return false;
    node.multipleOf = branch.multipleOf;
    return true;
  },
  pattern: (node, branch) => {
    if (node.pattern !== '') return false;
    node.pattern = branch.pattern;
    return true;
  },
  required: (node, branch) => {
    node.required = [...new Set([...node.required, ...branch.required])];
    return true;
  },
  anyOf: (node, branch) => {
    if (node.anyOf.length > 0) return false;
    node.anyOf = branch.anyOf;
    return true;
  },
  oneOf: (node, branch) => {
    if (node.oneOf.length > 0) return false;
    node.oneOf = branch.oneOf;
    return true;
  },
  not: (node, branch) => {
    if (node.not !== undefined) return false;
    node.not = branch.not;
    return true;
  },
};

/** The node with all of a branch; undefined where a keyword cannot be moved onto the node. */
function absorbed(node: SchemaNode, branch: SchemaNode): SchemaNode | undefined {
  const copy: Writable = { ...node };
  for (const keyword of Object.keys(branch.raw)) {
    if (lookUp(absorbers, keyword)?.(copy, branch) !== true) return undefined;
  }
  return copy;
}

/** The same node with as little in its allOf as can be. */
export function withoutAllOf(node: SchemaNode): SchemaNode {
  if (node.allOf.length === 0) return node;
  let result = node;
  const left: SchemaNode[] = [];
  for (const branch of node.allOf) {
    const next = absorbed(result, branch);
    if (next === undefined) left.push(branch);
    else result = next;
  }
  return left.length === node.allOf.length ? node : { ...result, allOf: left };
}
