/** Paths such as `self.spec.list[0].?name`, which the server evaluates and charges as one step. */
import { isList, isMap, isSum, listAt, listSize, mapFind } from '../values/collections.js';
import { DataList, DataMap, fromData, misplaced } from '../values/data.js';
import type { Code, Frame } from '../values/frame.js';
import { goText } from '../values/go-text.js';
import type { Plan } from './plan.js';
import type { CelType } from '../types/types.js';
import {
  CelBoxed,
  CelDouble,
  CelError,
  CelOptional,
  CelUint,
  fitsInt,
  goTypeOf,
  isError,
  optionalNone,
  optionalOf,
} from '../values/values.js';
import type { CelValue } from '../values/values.js';

/** One step of a path. */
export interface Qualifier {
  /** The key if it is known beforehand. */
  readonly key?: CelValue;
  /** Computes the key otherwise, or the error of what can be none. */
  readonly code?: Code;
  readonly optional: boolean;
  /** Only asks whether the key is there: the last step of `has()`. */
  readonly test: boolean;
  /** The type of what the step leads into, and the declared type of what it finds, when it is a field of an object. */
  readonly property?: string;
  readonly type?: CelType;
}

/** A path: where it starts and its steps. */
export interface Attribute {
  /** Where the path starts, free of charge. */
  readonly root: Code;
  /** Reads JSON behind the root without wrapping it. */
  readonly rawRoot?: (frame: Frame) => unknown;
  /** What a conditional chooses between; it charges nothing of its own. */
  readonly branches?: { readonly test: Code; readonly yes: Plan; readonly no: Plan };
  readonly qualifiers: readonly Qualifier[];
}

/** The index a list takes, or the error for what is none. */
function indexOf(key: CelValue): number | CelError {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return Number.MAX_SAFE_INTEGER;
  const unsupported = (): CelError => new CelError(`unsupported index value ${goText(key)} in list`);
  if (key instanceof CelUint) return fitsInt(key.value) ? Number(key.value) : unsupported();
  if (key instanceof CelDouble) return Number.isSafeInteger(key.value) ? key.value : unsupported();
  const name = typeof key === 'string' ? 'string' : typeof key === 'boolean' ? 'bool' : 'null_type';
  return new CelError(`unsupported index type '${name}' in list`);
}

/** What is found under a key: undefined for nothing, an error for a key that cannot be asked. */
export function lookup(container: CelValue, key: CelValue): CelValue {
  if (isList(container)) {
    const index = indexOf(key);
    if (typeof index !== 'number') return index;
    if (index < 0 || index >= listSize(container)) return undefined;
    if (container instanceof DataList && typeof key !== 'number')
      return new CelError(`unsupported index: ${goText(key)}`);
    return listAt(container, index);
  }
  return isMap(container) ? mapFind(container, key) : undefined;
}

/** The value under a key, or the error of its absence. */
function access(container: CelValue, key: CelValue): CelValue {
  const found = lookup(container, key);
  if (found !== undefined) return found;
  return new CelError(isList(container) ? `index out of bounds: ${goText(key)}` : `no such key: ${goText(key)}`);
}

function keyTypeName(value: CelValue, native: boolean): string {
  if (value instanceof DataMap || value instanceof DataList) return value.goName;
  if (Array.isArray(value) && isSum(value)) return '*types.concatList';
  if (!native || value instanceof CelBoxed) return goTypeOf(value);
  return value === null ? '<nil>' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** The error for a value that can be no key, or undefined. Data that no call has touched shows its own type. */
export function keyComplaint(value: CelValue, native: boolean): CelError | undefined {
  if (typeof value !== 'object' || value instanceof CelUint || value instanceof CelDouble) return undefined;
  return new CelError(`invalid qualifier type: ${keyTypeName(value, native)}`);
}

function keyOf(qualifier: Qualifier, frame: Frame): CelValue {
  return qualifier.code === undefined ? qualifier.key : qualifier.code(frame);
}

/** An element that is there but cannot be read. */
class Unreadable {
  readonly error: CelError;
  constructor(error: CelError) {
    this.error = error;
  }
}

/** One step once the path is optional; undefined when there is nothing. */
function stepIfPresent(qualifier: Qualifier, frame: Frame, value: CelValue): CelValue {
  const key = keyOf(qualifier, frame);
  if (isError(key)) return key;
  if (isError(value)) return value;
  const found = lookup(value, key);
  if (found === undefined) return undefined;
  if (!isError(found)) {
    frame.cost++;
    return found;
  }
  // To have an element that cannot be read is no error yet, to have such a field is.
  if (!(value instanceof DataList) || typeof key !== 'number') return found;
  frame.cost++;
  return new Unreadable(found);
}

function step(qualifier: Qualifier, frame: Frame, value: CelValue): CelValue {
  const key = keyOf(qualifier, frame);
  frame.cost++;
  if (isError(key)) return key;
  if (!qualifier.test) return access(value, key);
  const found = lookup(value, key);
  return isError(found) ? found : found !== undefined;
}

/** The server's native form of what an optional holds: without schema, and no optional itself. */
function nativeOf(value: CelValue): CelValue {
  if (value instanceof CelOptional) return value.present ? nativeOf(value.value) : null;
  if (isError(value)) return new CelError(`unsupported conversion to ref.Val: (*errors.errorString)${value.message}`);
  return value instanceof DataMap || value instanceof DataList ? value.raw : value;
}

/** An optional that passes through a path is taken apart, and what is native of its content put into another. */
export function unschemaed(value: CelValue): CelValue {
  if (!(value instanceof CelOptional) || !value.present) return value;
  const native = nativeOf(value.value);
  return native === value.value ? value : optionalOf(native);
}

function generic(root: Code, qualifiers: readonly Qualifier[]): Code {
  const tests = qualifiers.at(-1)?.test === true;
  const present = (value: CelValue): CelValue => (tests ? true : optionalOf(value));
  const absent = tests ? false : optionalNone;
  return (frame) => {
    let value = unschemaed(root(frame));
    if (isError(value)) return value;
    let optional = value instanceof CelOptional;
    if (value instanceof CelOptional) {
      if (!value.present) return absent;
      value = value.value;
    }
    for (const qualifier of qualifiers) {
      optional ||= qualifier.optional;
      const next = optional ? stepIfPresent(qualifier, frame, value) : step(qualifier, frame, value);
      if (next === undefined) return absent;
      if (isError(next)) return next;
      value = next instanceof Unreadable ? next.error : next;
    }
    return optional ? present(value) : value;
  };
}

function missing(name: string): CelError {
  return new CelError(`no such key: ${name}`);
}

function readField(raw: unknown, name: string): unknown {
  return Object.hasOwn(raw as object, name) ? (raw as Record<string, unknown>)[name] : undefined;
}

/** What is there but cannot be read is an error even to those who only ask whether it is there. */
function isThere(found: unknown, type: CelType): CelValue {
  if (found === undefined || found === null) return false;
  const value = fromData(found, type);
  return isError(value) ? value : true;
}

/** Steps through declared fields only: plain JSON is read and only the end is wrapped. */
function fields(rawRoot: (frame: Frame) => unknown, qualifiers: readonly Qualifier[]): Code {
  const names = qualifiers.map((qualifier) => qualifier.property as string);
  const errors = qualifiers.map((qualifier) => missing(String(qualifier.key)));
  const last = qualifiers.at(-1) as Qualifier;
  const type = last.type as CelType;
  const count = names.length;
  const inner = last.test ? count - 1 : count;
  return (frame) => {
    let raw = rawRoot(frame);
    if (raw instanceof CelError) return raw;
    for (let at = 0; at < inner; at++) {
      const next = readField(raw, names[at] as string);
      frame.cost++;
      if (next === undefined || next === null) return errors[at];
      const wrong = at < count - 1 ? misplaced(next) : undefined;
      if (wrong !== undefined) return wrong;
      raw = next;
    }
    if (!last.test) return fromData(raw, type);
    frame.cost++;
    return isThere(readField(raw, names[inner] as string), type);
  };
}

/** Whether the fast way through declared fields gives the same result. */
function isFieldPath(qualifiers: readonly Qualifier[]): boolean {
  return qualifiers.length > 0 && qualifiers.every((q) => q.property !== undefined && !q.optional);
}

/** The value at the end of the path, charging the steps but not the start. */
export function resolveCode(attribute: Attribute): Code {
  const { qualifiers, rawRoot, root } = attribute;
  if (qualifiers.length === 0) return root;
  return rawRoot !== undefined && isFieldPath(qualifiers) ? fields(rawRoot, qualifiers) : generic(root, qualifiers);
}

/** The value at the end of the path with all it costs. */
export function attributeCode(attribute: Attribute): Code {
  const resolve = resolveCode(attribute);
  const tests = attribute.qualifiers.at(-1)?.test === true;
  // A test refunds the charge of its start, and a conditional has none to refund: the server goes below zero there.
  const charge = (attribute.branches === undefined ? 1 : 0) - (tests ? 1 : 0);
  if (charge === 0) return resolve;
  return (frame) => {
    const value = resolve(frame);
    frame.cost += charge;
    return value;
  };
}

/** The JSON behind a value that is an object under a schema. */
export function rawObject(value: CelValue): unknown {
  return value instanceof DataMap
    ? value.raw
    : isMap(value) || isError(value)
      ? value
      : new CelError('no such overload');
}
