/** JSON patch (RFC 6902) as the Kubernetes server runs it, departures from the RFC included. */
import { Buffer } from 'node:buffer';
import type { JsonObject } from '../object.js';
import { isDeeperThan, isTooDeep, maxContentDepth, maxObjectDepth } from '../json/depth.js';
import { stringifyJson } from '../json/stringify.js';
import { cloneJson, deepEqual } from '../json/values.js';
import { JsonPatchError } from './errors.js';
import { addMember, type Container, Draft, getMember, removeMember, setMember, splitPointer } from './pointer.js';

/** One step; the shape is checked when it runs. */
export interface JsonPatchOperation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/** Limits of a run. */
export interface JsonPatchOptions {
  /** Most bytes all `copy` steps together may add; 3 MiB by default, as in the server. */
  readonly maxCopyBytes?: number;
}

const defaultMaxCopyBytes = 3 * 1024 * 1024;
const knownFields: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}

function decodeError(value: unknown, into: string): JsonPatchError {
  return new JsonPatchError(
    'decode',
    `error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into Go ${into}`,
  );
}

/** Looks at the value an operation brings, when the order in which faults are met has come to it. */
type ValueCheck = (value: unknown) => void;

function requireFit(field: string, value: unknown, checkValue: ValueCheck | undefined): void {
  if (field === 'value') checkValue?.(value);
  else if (value !== undefined && value !== null && typeof value !== 'string')
    throw decodeError(value, `struct field jsonPatchOp.${field} of type string`);
}

/**
 * Checks the shape of a patch document, and returns the first fault in the order of the text; `unknownFields` are paths such
 * as `[0].foo`, for strict validation.
 */
export function decodeJsonPatch(
  patch: unknown,
  checkValue?: ValueCheck,
): { operations: JsonPatchOperation[]; unknownFields: string[] } {
  if (patch === null) return { operations: [], unknownFields: [] };
  if (!Array.isArray(patch)) throw decodeError(patch, 'value of type []handlers.jsonPatchOp');
  const unknownFields: string[] = [];
  const operations = patch.map((operation: unknown, index): JsonPatchOperation => {
    if (operation === null) return {};
    if (typeof operation !== 'object' || Array.isArray(operation)) {
      throw decodeError(operation, 'value of type handlers.jsonPatchOp');
    }
    const members = operation as JsonObject;
    for (const [field, value] of Object.entries(members)) {
      if (!knownFields.has(field)) unknownFields.push(`[${index}].${field}`);
      else requireFit(field, value, checkValue);
    }
    return members;
  });
  return { operations, unknownFields };
}

/** The operations of a patch document nobody checks before it runs: what does not fit is found out by then. */
export function readJsonPatch(patch: unknown): JsonPatchOperation[] {
  if (patch === null) return [];
  const misfit = (value: unknown, type: string): JsonPatchError =>
    new JsonPatchError(
      'decode',
      `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type jsonpatch.${type}`,
    );
  if (!Array.isArray(patch)) throw misfit(patch, 'Patch');
  return patch.map((operation: unknown): JsonPatchOperation => {
    if (operation === null) return {};
    if (typeof operation !== 'object' || Array.isArray(operation)) throw misfit(operation, 'Operation');
    return operation;
  });
}

function failed(message: string): JsonPatchError {
  return new JsonPatchError('apply', message);
}

/** Runs a step and puts its place before the message of what went wrong. */
function inContext<T>(context: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof JsonPatchError && error.stage === 'apply') throw failed(`${context}: ${error.message}`);
    throw error;
  }
}

function readPointer(value: unknown, missing: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) throw failed(missing);
  throw failed(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type string`);
}

/** Values can be put ever deeper into each other; whatever comes of it is copied and written by recursion. */
function tooDeep(): JsonPatchError {
  return new JsonPatchError('depth', `json patch: the patched object exceeded max depth of ${maxContentDepth}`);
}

class Run {
  readonly draft: Draft;
  #copyBytes = 0;
  readonly #maxCopyBytes: number;

  constructor(root: Container, maxCopyBytes: number) {
    this.draft = new Draft(root);
    this.#maxCopyBytes = maxCopyBytes;
  }

  apply(step: JsonPatchOperation): void {
    switch (step.op) {
      case 'add':
        return this.#add(step);
      case 'remove':
        return this.#remove(step);
      case 'replace':
        return this.#replace(step);
      case 'move':
        return this.#move(step);
      case 'copy':
        return this.#copy(step);
      case 'test':
        return this.#test(step);
      default:
        throw failed(`Unexpected kind: ${typeof step.op === 'string' ? step.op : 'unknown'}`);
    }
  }

  #path(step: JsonPatchOperation, context: string): string {
    return inContext(context, () => readPointer(step.path, 'operation missing path field: missing value'));
  }

  #from(step: JsonPatchOperation, context: string): string {
    return inContext(context, () => readPointer(step.from, 'operation, missing from field: missing value'));
  }

  /** The parent to change and the key in it. */
  #place(pointer: string, missing: string): { container: Container; key: string } {
    const split = splitPointer(pointer);
    const container = split && this.draft.own(split.parents);
    if (split === undefined || container === undefined) throw failed(`${missing}: missing value`);
    return { container, key: split.key };
  }

  #read(pointer: string, missing: string, context: (key: string) => string): unknown {
    const split = splitPointer(pointer);
    const container = split && this.draft.find(split.parents);
    if (split === undefined || container === undefined) throw failed(`${missing}: missing value`);
    return inContext(context(split.key), () => getMember(container, split.key));
  }

  #add(step: JsonPatchOperation): void {
    if (typeof step.path !== 'string') throw failed('add operation failed to decode path: missing value');
    const path = step.path;
    const { container, key } = this.#place(path, `add operation does not apply: doc is missing path: "${path}"`);
    inContext(`error in add for path: '${path}'`, () => addMember(container, key, step.value ?? null));
  }

  #remove(step: JsonPatchOperation): void {
    if (typeof step.path !== 'string') throw failed('remove operation failed to decode path: missing value');
    const path = step.path;
    const { container, key } = this.#place(path, `remove operation does not apply: doc is missing path: "${path}"`);
    inContext(`error in remove for path: '${path}'`, () => removeMember(container, key));
  }

  /** Replacing a key an object lacks adds it: the server does so, against the RFC. */
  #replace(step: JsonPatchOperation): void {
    const path = this.#path(step, 'replace operation failed to decode path');
    const value = step.value ?? null;
    if (path === '') {
      if (typeof value !== 'object' || value === null) {
        throw failed('replace operation value must be object or array: %!w(<nil>)');
      }
      this.draft.root = value as Container;
      return;
    }
    const { container, key } = this.#place(path, `replace operation does not apply: doc is missing path: ${path}`);
    try {
      getMember(container, key);
    } catch {
      throw failed(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    }
    setMember(container, key, value);
  }

  #move(step: JsonPatchOperation): void {
    const from = this.#from(step, 'move operation failed to decode from');
    const source = this.#place(from, `move operation does not apply: doc is missing from path: ${from}`);
    const value = inContext(`error in move for path: '${source.key}'`, () => {
      const found = getMember(source.container, source.key);
      removeMember(source.container, source.key);
      return found;
    });
    const path = this.#path(step, 'move operation failed to decode path');
    const target = this.#place(path, `move operation does not apply: doc is missing destination path: ${path}`);
    inContext(`error in move for path: '${path}'`, () => addMember(target.container, target.key, value));
  }

  /** Copying a key an object lacks writes null, as the server does. */
  #copy(step: JsonPatchOperation): void {
    const from = this.#from(step, 'copy operation failed to decode from');
    const missing = `copy operation does not apply: doc is missing from path: ${from}`;
    const value = this.#read(from, missing, () => `error in copy for from: '${from}'`) ?? null;
    if (typeof step.path !== 'string') throw failed('copy operation failed to decode path: missing value');
    const path = step.path;
    if (isDeeperThan(value, maxObjectDepth)) throw tooDeep();
    const target = this.#place(path, `copy operation does not apply: doc is missing destination path: ${path}`);
    this.#copyBytes += Buffer.byteLength(stringifyJson(value));
    if (this.#copyBytes > this.#maxCopyBytes) {
      const message = `Unable to complete the copy, the accumulated size increase of copy is ${this.#copyBytes}, exceeding the limit ${this.#maxCopyBytes}`;
      throw new JsonPatchError('copy-limit', message);
    }
    // The target may lie inside the value, and each is edited without the other. The limit keeps all copies small.
    const copy = cloneJson(value);
    inContext('error while adding value during copy', () => addMember(target.container, target.key, copy));
  }

  /** An absent member and null are the same to a test. */
  #test(step: JsonPatchOperation): void {
    const path = this.#path(step, 'test operation failed to decode path');
    const missing = `test operation does not apply: is missing path: ${path}`;
    const found = path === '' ? this.draft.root : this.#read(path, missing, () => `error in test for path: '${path}'`);
    if (!deepEqual(found ?? null, step.value ?? null)) throw failed(`testing value ${path} failed: test failed`);
  }
}

/**
 * Applies the operations in order and gives the new document; the input is never changed and untouched subtrees are
 * shared with it. Throws {@link JsonPatchError}.
 */
export function applyJsonPatch(
  doc: unknown,
  operations: readonly JsonPatchOperation[],
  options?: JsonPatchOptions,
): unknown {
  if (typeof doc !== 'object' || doc === null) throw failed('json: cannot unmarshal document into an object or array');
  const run = new Run(doc as Container, options?.maxCopyBytes ?? defaultMaxCopyBytes);
  for (const operation of operations) run.apply(operation);
  if (isTooDeep(run.draft.root)) throw tooDeep();
  return run.draft.root;
}
