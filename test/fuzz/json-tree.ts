/** JSON that is serialised in unusual ways. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Tree = Record<string, unknown>;
/** Keys and indexes from the root to a value. */
export type TreePath = readonly (string | number)[];

/** Whether a value is a JSON object. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Verbatim);
}

/** A copy that shares nothing but verbatim parts. */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)])) as T;
}

/** The JSON text of a value. */
export function textOf(value: unknown): string {
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isTree(value)) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`)
    .join(',')}}`;
}

/** The ways to every value inside, the root not counted. */
export function pathsOf(value: unknown, path: TreePath = []): TreePath[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => within(each, [...path, at]));
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => within(each, [...path, key]));
}

function within(value: unknown, path: TreePath): TreePath[] {
  return [path, ...pathsOf(value, path)];
}

/** What is at a path; undefined where nothing is. */
export function at(root: unknown, path: TreePath): unknown {
  let found = root;
  for (const key of path) found = (found as Record<string | number, unknown> | undefined)?.[key];
  return found;
}

/** The merge patch from one object to another. */
export function mergePatchOf(from: Tree, to: Tree): Tree {
  const patch: Tree = {};
  for (const key of Object.keys(from)) if (!(key in to)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const old = from[key];
    if (textOf(old) === textOf(value) && key in from) continue;
    patch[key] = isTree(old) && isTree(value) ? mergePatchOf(old, value) : value;
  }
  return patch;
}

/** JSON patch operations from one object to another, at the outermost places that differ in kind. */
export function operationsOf(from: Tree, to: Tree, prefix = ''): Tree[] {
  const operations: Tree[] = [];
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const path = `${prefix}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [old, value] = [from[key], to[key]];
    if (key in from && key in to && textOf(old) === textOf(value)) continue;
    if (!(key in to)) operations.push({ op: 'remove', path });
    else if (isTree(old) && isTree(value)) operations.push(...operationsOf(old, value, path));
    else operations.push({ op: key in from ? 'replace' : 'add', path, value });
  }
  return operations;
}
