/** Places inside a document, as JSON pointers name them. */
import type { JsonObject } from '../object.js';
import { goQuote } from '../json/go-text.js';
import { getOwn, setOwn } from '../json/set-own.js';
import { JsonPatchError } from './errors.js';

/** The two kinds of node a pointer can step into. */
export type Container = JsonObject | unknown[];

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function invalidIndex(index: number | bigint): JsonPatchError {
  return new JsonPatchError('apply', `Unable to access invalid index: ${index}: invalid index referenced`);
}

/** An integer that may have a sign and leading zeros; undefined beyond int64. */
function int64Of(token: string): bigint | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)0*([0-9]*)$/.exec(token) ?? [];
  // A bigint of many digits takes more time than they are.
  if (digits.length > 19) return undefined;
  const value = BigInt(`${sign === '-' ? '-' : ''}${digits || '0'}`);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function parseIndex(token: string): number {
  if (!/^[+-]?[0-9]+$/.test(token)) {
    throw new JsonPatchError('apply', `strconv.Atoi: parsing ${goQuote(token)}: invalid syntax`);
  }
  const index = int64Of(token);
  if (index === undefined) {
    throw new JsonPatchError('apply', `strconv.Atoi: parsing ${goQuote(token)}: value out of range`);
  }
  if (index > Number.MAX_SAFE_INTEGER || index < -Number.MAX_SAFE_INTEGER) throw invalidIndex(index);
  return Number(index);
}

/** Resolves a token against a list; a negative index counts from the end, which the server allows. */
function resolveIndex(token: string, length: number): number {
  const index = parseIndex(token);
  if (index >= length || index < -length) throw invalidIndex(index);
  return index < 0 ? index + length : index;
}

/** The parent's pointer tokens and the last token; undefined for the whole document. */
export function splitPointer(pointer: string): { parents: string[]; key: string } | undefined {
  const tokens = pointer.split('/');
  if (tokens.length < 2) return undefined;
  const decoded = tokens
    .slice(1)
    .map((token) => (token.includes('~') ? token.replace(/~[01]/g, (t) => (t === '~1' ? '/' : '~')) : token));
  const key = decoded.pop() ?? '';
  return { parents: decoded, key };
}

/** The member a token names: undefined when an object lacks it, an error when a list does. */
export function getMember(container: Container, token: string): unknown {
  if (Array.isArray(container)) return container[resolveIndex(token, container.length)];
  return getOwn(container, token);
}

/** Adds or overwrites a member of an object, inserts into a list. The container must be ours to change. */
export function addMember(container: Container, token: string, value: unknown): void {
  if (!Array.isArray(container)) {
    setOwn(container, token, value);
  } else if (token === '-') {
    container.push(value);
  } else {
    let index: number;
    try {
      index = parseIndex(token);
    } catch (error) {
      if (!(error instanceof JsonPatchError) || !error.message.startsWith('strconv')) throw error;
      throw new JsonPatchError('apply', `value was not a proper array index: '${token}': ${error.message}`);
    }
    container.splice(resolveIndex(String(index), container.length + 1), 0, value);
  }
}

/** Overwrites a member that {@link getMember} found. */
export function setMember(container: Container, token: string, value: unknown): void {
  if (Array.isArray(container)) container[resolveIndex(token, container.length)] = value;
  else setOwn(container, token, value);
}

/** Removes an existing member. */
export function removeMember(container: Container, token: string): void {
  if (Array.isArray(container)) {
    container.splice(resolveIndex(token, container.length), 1);
  } else if (Object.hasOwn(container, token)) {
    delete container[token];
  } else {
    throw new JsonPatchError('apply', `Unable to remove nonexistent key: ${token}: missing value`);
  }
}

/** A document under edit: nodes are copied the first time they are stepped into, everything else stays shared. */
export class Draft {
  root: Container;
  readonly #owned = new Set<object>();

  constructor(root: Container) {
    this.root = root;
  }

  /** The container at the path, for reading; undefined when some step is missing. */
  find(parents: readonly string[]): Container | undefined {
    let node: Container = this.root;
    for (const token of parents) {
      const next = this.#step(node, token);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  /** The container at the path, copied where still shared. */
  own(parents: readonly string[]): Container | undefined {
    if (this.find(parents) === undefined) return undefined;
    let node = this.#copy(this.root);
    this.root = node;
    for (const token of parents) {
      const next = this.#copy(getMember(node, token) as Container);
      setMember(node, token, next);
      node = next;
    }
    return node;
  }

  #step(node: Container, token: string): Container | undefined {
    try {
      const next = getMember(node, token);
      return isContainer(next) ? next : undefined;
    } catch {
      return undefined;
    }
  }

  #copy(node: Container): Container {
    if (this.#owned.has(node)) return node;
    const copy: Container = Array.isArray(node) ? node.slice() : { ...node };
    this.#owned.add(copy);
    return copy;
  }
}
