/** Paths through a schema as CRDs write them: `.spec.a['b']`. */
import { joinField, keyField } from '@capstan/meta';
import { type SchemaNode, valueSchemaOf } from './schema-node.js';

/** Where a path leads: the path as field errors write it and the schema there, or why it leads nowhere. */
export type ResolvedPath =
  | { readonly path: string; readonly names: readonly string[]; readonly node: SchemaNode | undefined }
  | { readonly error: string };

/** The three delimiters, single-quoted texts, and what lies between. */
function tokensOf(path: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < path.length;) {
    const quoted = path[at] === "'" ? /^'[^']*?(?:\\'[^']*?)*'/.exec(path.slice(at))?.[0] : undefined;
    const token =
      quoted ?? (path[at] === "'" ? path.slice(at) : (/^(?:[.[\]]|[^.[\]]+)/.exec(path.slice(at))?.[0] ?? ''));
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

class PathError extends Error {}

function unquote(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    throw new PathError(`expected single quoted string but got ${token}`);
  }
  return token.slice(1, -1).replace(/\\./gsu, (escape) => {
    const plain = escapes[escape.slice(1)];
    if (plain === undefined) throw new PathError(`invalid string literal: invalid escape char ${escape}`);
    return plain;
  });
}

class PathWalk {
  path = '';
  readonly names: string[] = [];
  node: SchemaNode | undefined;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(path: string, node: SchemaNode) {
    this.#tokens = tokensOf(path);
    this.node = node;
  }

  take(): string | undefined {
    return this.#tokens[this.#next++];
  }

  needed(): string {
    const token = this.take();
    if (token === undefined) throw new PathError('unexpected end of JSON path');
    return token;
  }

  step(name: string): void {
    const { node } = this;
    const values = node?.properties === undefined && node?.additionalProperties !== undefined;
    if (node?.properties === undefined && !values) throw new PathError('does not refer to a valid field');
    this.path = values ? keyField(this.path, name) : joinField(this.path, name);
    this.names.push(name);
    if (values) {
      this.node = valueSchemaOf(node);
      return;
    }
    this.node = node?.properties?.get(name);
    if (this.node === undefined) throw new PathError('does not refer to a valid field');
  }
}

function walk(steps: PathWalk, allowBrackets: boolean): void {
  for (let token = steps.take(); token !== undefined; token = steps.take()) {
    if (token === '.') {
      steps.step(steps.needed());
    } else if (token === '[') {
      if (!allowBrackets) throw new PathError('array notation is not allowed');
      steps.step(unquote(steps.needed()));
      const close = steps.needed();
      if (close !== ']') throw new PathError(`expected ] but got ${close}`);
    } else {
      throw new PathError(`expected [ or . but got: ${token}`);
    }
  }
}

/** Follows a path through a schema. */
export function resolveFieldPath(path: string, node: SchemaNode, allowBrackets = true): ResolvedPath {
  const steps = new PathWalk(path, node);
  try {
    walk(steps, allowBrackets);
  } catch (error) {
    if (error instanceof PathError) return { error: error.message };
    throw error;
  }
  return { path: steps.path, names: steps.names, node: steps.node };
}
