import { structByName } from '@capstan/api/kubernetes';
import type { ScalarName, StructDef, TypeRef } from '@capstan/api/kubernetes';
import { setOwn } from '@capstan/meta';
import type { JsonNotes } from '@capstan/meta';
import { BrokenInvariant } from '../errors.js';
import { TypedDecodeError, WrittenNumber } from './errors.js';
import { MISMATCH, SCALARS } from './leaves.js';
import type { DecodeRun } from './leaves.js';

/*
 * Go reads bytes into typed memory. Two things of a text therefore depend on the type it is read into: a number with a
 * point is no integer even where its value is one, and a field that comes twice is read into what the first reading
 * left behind, so that structs and maps are merged. Most bodies have neither; those that do go through here first.
 */

/** Scalars need none of it. */
const NO_RUN = {} as DecodeRun;

type Fields = Record<string, unknown>;
type Holder = Record<string | number, unknown>;

/**
 * Makes the value what Go's decoder would have met, one field at a time; changes it in place. Gives what is found wrong
 * only when all has been read.
 */
export function settle(struct: StructDef, value: unknown, notes: JsonNotes): TypedDecodeError | undefined {
  const settler = new Settler(notes);
  settler.value({ kind: 'struct', pointer: false, struct }, value);
  return settler.late;
}

class Settler {
  /** What is wrong with the first number no float64 holds in a value that is kept as it is. */
  late: TypedDecodeError | undefined;
  readonly #notes: JsonNotes;

  constructor(notes: JsonNotes) {
    this.#notes = notes;
  }

  value(type: TypeRef, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) this.#list(type, value as unknown as Holder & unknown[]);
    else this.#object(type, value as Holder);
  }

  #list(type: TypeRef, list: Holder & unknown[]): void {
    const element = elementOf(type);
    if (element !== undefined) for (let i = 0; i < list.length; i++) this.#member(element, list, i);
  }

  #object(type: TypeRef, object: Holder): void {
    const struct = structOfType(type);
    for (const key of Object.keys(object)) {
      const member = struct === undefined ? mapValueOf(type) : struct.field(key)?.type;
      if (member !== undefined) this.#member(member, object, key);
    }
  }

  #findBeyondFloat(holder: Holder, key: string | number): void {
    const spelling = this.#notes.spellings.get(holder)?.get(key);
    if (spelling !== undefined && !Number.isFinite(Number(spelling)))
      this.late ??= new TypedDecodeError(`json: cannot unmarshal number ${spelling} into Go value of type float64`);
    const value = holder[key];
    if (typeof value !== 'object' || value === null) return;
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const each of keys) this.#findBeyondFloat(value as Holder, each);
  }

  #member(type: TypeRef, holder: Holder, key: string | number): void {
    const spelling = this.#notes.spellings.get(holder)?.get(key);
    if (isOpaque(type)) this.#findBeyondFloat(holder, key);
    else if (spelling !== undefined) holder[key] = spelled(type, spelling) ?? holder[key];
    else this.value(type, holder[key]);
    const replaced = this.#notes.replaced.get(holder)?.get(key);
    if (replaced === undefined) return;
    let merged: unknown;
    for (const { value, spelling: earlier } of replaced) {
      this.value(type, value);
      const settled = earlier === undefined ? value : (spelled(type, earlier) ?? value);
      merged = merged === undefined ? settled : merge(type, merged, settled);
    }
    setOwn(holder as Fields, String(key), merge(type, merged, holder[key]));
  }
}

/** Kept as it is; what is in there is read by others, who know floats and no larger numbers. */
function isOpaque(type: TypeRef): boolean {
  return type.kind === 'special' && (type.special === 'JSON' || type.special === 'RawExtension');
}

/** What stands for a number that its value does not describe: a text where Go reads its bytes, else the trouble itself. */
function spelled(type: TypeRef, spelling: string): unknown {
  if (type.kind === 'special') {
    if (type.special === 'Quantity') return spelling;
    return type.special === 'IntOrString' && spelling !== '-0' ? new WrittenNumber(spelling) : undefined;
  }
  if (type.kind !== 'scalar' || spelling === '-0') return undefined;
  const isInteger = type.scalar === 'int32' || type.scalar === 'int64';
  const isBeyond = type.scalar === 'float64' && !Number.isFinite(Number(spelling));
  return isInteger || isBeyond ? new WrittenNumber(spelling) : undefined;
}

/** Reads a later value into what an earlier one of the same field left behind. */
function merge(type: TypeRef, earlier: unknown, later: unknown): unknown {
  if (later === null) return keepsOnNull(type) ? earlier : null;
  switch (type.kind) {
    case 'scalar':
      return fits(type.scalar, earlier) ? later : earlier;
    case 'special':
      return later;
    case 'list':
      return Array.isArray(earlier) && Array.isArray(later) ? mergeLists(type.element, earlier, later) : later;
    case 'map':
      return isObject(earlier) && isObject(later) ? { ...earlier, ...later } : later;
    case 'struct':
      return isObject(earlier) && isObject(later) ? mergeStructs(type.struct, earlier, later) : later;
  }
}

function mergeLists(element: TypeRef, earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  return later.map((item, i) => (i < earlier.length ? merge(element, earlier[i], item) : item));
}

function mergeStructs(struct: StructDef, earlier: Fields, later: Fields): Fields {
  const merged = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const field = Object.hasOwn(merged, key) ? struct.field(key)?.type : undefined;
    setOwn(merged, key, field === undefined ? value : merge(field, merged[key], value));
  }
  return merged;
}

/** Null sets nothing where Go has no nil. */
function keepsOnNull(type: TypeRef): boolean {
  if (type.pointer) return false;
  return type.kind === 'struct' || (type.kind === 'scalar' && type.scalar !== 'bytes' && type.scalar !== 'any');
}

/** Whether a value could be read at all: the first that cannot is the one that is reported. */
function fits(scalar: ScalarName, value: unknown): boolean {
  if (value === null) return true;
  try {
    SCALARS[scalar].decode(value, NO_RUN);
    return true;
  } catch (error) {
    if (error === MISMATCH) return false;
    throw error;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function elementOf(type: TypeRef): TypeRef | undefined {
  if (type.kind === 'list') return type.element;
  return type.kind === 'special' && type.special === 'JSONSchemaPropsOrArray' ? schemaProps() : undefined;
}

function mapValueOf(type: TypeRef): TypeRef | undefined {
  return type.kind === 'map' ? type.value : undefined;
}

function structOfType(type: TypeRef): StructDef | undefined {
  if (type.kind === 'struct') return type.struct;
  if (type.kind !== 'special' || !type.special.startsWith('JSONSchemaProps')) return undefined;
  const schema = schemaProps();
  return schema.kind === 'struct' ? schema.struct : undefined;
}

function schemaProps(): TypeRef {
  const struct = structByName('apiextensions/v1.JSONSchemaProps');
  if (struct === undefined) throw new BrokenInvariant('the type tables have no JSONSchemaProps');
  return { kind: 'struct', pointer: false, struct };
}
