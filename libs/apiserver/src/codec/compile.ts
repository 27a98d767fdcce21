import { structByName } from '@capstan/api/kubernetes';
import type { FieldDef, SpecialName, StructDef, TypeRef } from '@capstan/api/kubernetes';
import { setOwn } from '@capstan/meta';

import { sortKeys } from './keys.js';
import { LEAF_SPECIALS, MISMATCH, SCALARS, decodeString, nil } from './leaves.js';
import type { CompiledType, Decode, DecodeRun } from './leaves.js';
import { BrokenInvariant } from '../errors.js';

/*
 * The quick walk. Every type becomes a closure that gives back the JSON form Go would print after decoding a value,
 * in Go's order of fields, and knows nothing of error texts: at the first thing that does not fit it throws
 * MISMATCH, and the slow walk (explain.ts) finds the words. Lists and maps without elements become null, because Go
 * keeps objects in protobuf, which does not tell empty from absent.
 */

interface CompiledField extends CompiledType {
  readonly name: string;
  /** Go would not print this value. */
  readonly omits: (value: unknown) => boolean;
  /** Go prints nothing when the field is absent. */
  readonly omitsZero: boolean;
}

/** Those of a struct. A set of them is two numbers: objects have few of the many fields that their types have. */
interface Fields {
  readonly all: readonly CompiledField[];
  readonly places: ReadonlyMap<string, number>;
  /** Printed although nobody sent them, among the first fields and the others. */
  readonly printedFirst: number;
  readonly printedLater: number;
}

/** How many fields fit into the bits of one number. */
const PER_NUMBER = 31;

function fieldsOf(all: readonly CompiledField[]): Fields {
  if (all.length > 2 * PER_NUMBER) throw new BrokenInvariant(`a struct has ${all.length} fields`);
  const printed = (from: number): number =>
    all.slice(from, from + PER_NUMBER).reduce((bits, { omitsZero }, at) => (omitsZero ? bits : bits | (1 << at)), 0);
  const places = new Map(all.map(({ name }, place) => [name, place]));
  return { all, places, printedFirst: printed(0), printedLater: printed(PER_NUMBER) };
}

/** Structs as whole bodies, and as parts of one. */
const bodies = new WeakMap<StructDef, CompiledType>();
const parts = new WeakMap<StructDef, CompiledType>();
const types = new WeakMap<TypeRef, CompiledType>();

/** The closures of a struct that is a whole body; compiled once, its fields when they are first met. */
export function compileStruct(struct: StructDef): CompiledType {
  return compiledStruct(struct, bodies, compileField);
}

/** A part of a body is read like a body, but its apiVersion and kind are not kept: protobuf has no room for them. */
function compilePart(struct: StructDef): CompiledType {
  return compiledStruct(struct, parts, (field) => {
    const { decode, zero, name, omits, omitsZero } = compileField(field);
    const isKept = field.embeddedIn[0] !== 'TypeMeta';
    return { decode, zero, name, omits: isKept ? omits : always, omitsZero: omitsZero || !isKept };
  });
}

function compiledStruct(
  struct: StructDef,
  cache: WeakMap<StructDef, CompiledType>,
  compile: (field: FieldDef) => CompiledField,
): CompiledType {
  let compiled = cache.get(struct);
  if (compiled === undefined) {
    let fields: Fields | undefined;
    const ready = (): Fields => (fields ??= fieldsOf(struct.fields.map(compile)));
    compiled = {
      decode: (value, run) => decodeStruct(fields ?? ready(), value, run),
      zero: () => zeroStruct(fields ?? ready()),
    };
    cache.set(struct, compiled);
  }
  return compiled;
}

function decodeStruct({ all, places, printedFirst, printedLater }: Fields, value: unknown, run: DecodeRun): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) throw MISMATCH;
  const input = value as Record<string, unknown>;
  let isEmpty = true;
  let first = printedFirst;
  let later = printedLater;
  for (const key in input) {
    isEmpty = false;
    const place = places.get(key);
    // An undefined member cannot come from a text; the slow walk handles it.
    if (place === undefined || input[key] === undefined) run.unknown = true;
    else if (place < PER_NUMBER) first |= 1 << place;
    else later |= 1 << (place - PER_NUMBER);
  }
  if (isEmpty) run.hasEmpties = true;
  const output: Record<string, unknown> = {};
  for (; first !== 0; first &= first - 1) decodeField(all[lowestOf(first)] as CompiledField, input, output, run);
  for (; later !== 0; later &= later - 1)
    decodeField(all[PER_NUMBER + lowestOf(later)] as CompiledField, input, output, run);
  return output;
}

/** The place of the lowest bit that is set. */
function lowestOf(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function decodeField(
  field: CompiledField,
  input: Readonly<Record<string, unknown>>,
  output: Record<string, unknown>,
  run: DecodeRun,
): void {
  const raw = input[field.name];
  if (raw === undefined || raw === null) {
    if (!field.omitsZero) output[field.name] = field.zero();
    return;
  }
  const decoded = field.decode(raw, run);
  if (!field.omits(decoded)) output[field.name] = decoded;
}

function zeroStruct({ all }: Fields): unknown {
  const output: Record<string, unknown> = {};
  for (const field of all) if (!field.omitsZero) output[field.name] = field.zero();
  return output;
}

const always = (): boolean => true;
const never = (): boolean => false;
const isNull = (value: unknown): boolean => value === null;
const isEmptyScalar = (value: unknown): boolean => value === '' || value === 0 || value === false;

function compileField(field: FieldDef): CompiledField {
  const { type, omitEmpty, omitZero, name } = field;
  const { decode, zero } = compileType(type);
  if (type.pointer) return { decode, zero, name, omits: never, omitsZero: omitEmpty || omitZero };
  switch (type.kind) {
    case 'struct':
      return { decode, zero, name, omits: never, omitsZero: false };
    case 'special':
      // Only a time has a zero value of its own here, and that is printed as null.
      return { decode, zero, name, omits: omitZero ? isNull : never, omitsZero: omitZero };
    case 'scalar': {
      // A []byte of a struct is nil when absent; inside a list or map protobuf gives back an empty one.
      const absent = type.scalar === 'bytes' ? nil : zero;
      return { decode, zero: absent, name, omits: omitEmpty ? isEmptyScalar : never, omitsZero: omitEmpty };
    }
    default:
      return { decode, zero: nil, name, omits: omitEmpty ? isNull : never, omitsZero: omitEmpty };
  }
}

function compileType(type: TypeRef): CompiledType {
  let compiled = types.get(type);
  if (compiled === undefined) {
    compiled = makeType(type);
    if (type.pointer) compiled = { decode: compiled.decode, zero: nil };
    types.set(type, compiled);
  }
  return compiled;
}

function makeType(type: TypeRef): CompiledType {
  switch (type.kind) {
    case 'scalar':
      return SCALARS[type.scalar];
    case 'special':
      return SPECIALS[type.special];
    case 'struct':
      return compilePart(type.struct);
    case 'list':
      return { decode: listOf(compileType(type.element), type.wrapped), zero: nil };
    case 'map':
      return { decode: mapOf(compileType(type.value)), zero: nil };
  }
}

function listOf(element: CompiledType, keepEmpty: boolean): Decode {
  return (value, run) => {
    if (!Array.isArray(value)) throw MISMATCH;
    const length = value.length;
    if (length === 0) {
      run.hasEmpties = true;
      return keepEmpty ? [] : null;
    }
    const output = new Array<unknown>(length);
    for (let i = 0; i < length; i++) {
      const raw: unknown = value[i];
      output[i] = raw === null || raw === undefined ? element.zero() : element.decode(raw, run);
    }
    return output;
  };
}

function mapOf(element: CompiledType): Decode {
  if (element.decode === decodeString && element.zero !== nil) return decodeStringMap;
  // Dependencies of schemas are refused where there are any, were they none: such an object is never stored.
  const keepsEmpty = element.decode === decodeSchemaOrStrings;
  return (value, run) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw MISMATCH;
    const input = value as Record<string, unknown>;
    const output: Record<string, unknown> = {};
    let empty = true;
    for (const key of sortKeys(Object.keys(input))) {
      const raw = input[key];
      if (raw === undefined) continue;
      empty = false;
      setOwn(output, key, raw === null ? element.zero() : element.decode(raw, run));
    }
    if (empty) run.hasEmpties = true;
    return empty && !keepsEmpty ? null : output;
  };
}

/** Labels, annotations, data: the commonest map by far. */
function decodeStringMap(value: unknown, run: DecodeRun): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) throw MISMATCH;
  const input = value as Record<string, unknown>;
  const keys = sortKeys(Object.keys(input));
  const output: Record<string, unknown> = {};
  let empty = true;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const raw = input[key];
    if (raw === undefined) continue;
    if (raw !== null && typeof raw !== 'string') throw MISMATCH;
    empty = false;
    setOwn(output, key, raw ?? '');
  }
  if (empty) run.hasEmpties = true;
  return empty ? null : output;
}

let schemaProps: CompiledType | undefined;
function schemaPropsType(): CompiledType {
  if (schemaProps === undefined) {
    const struct = structByName('apiextensions/v1.JSONSchemaProps');
    if (struct === undefined) throw new BrokenInvariant('the type tables have no JSONSchemaProps');
    schemaProps = compilePart(struct);
  }
  return schemaProps;
}

function decodeSchemaOrBool(value: unknown, run: DecodeRun): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || Array.isArray(value)) throw MISMATCH;
  return schemaPropsType().decode(value, run);
}

/** Anything that is neither schema nor list reads as nothing. */
function decodeSchemaOrArray(value: unknown, run: DecodeRun): unknown {
  if (Array.isArray(value)) return listOf(schemaPropsType(), true)(value, run);
  return typeof value === 'object' ? schemaPropsType().decode(value, run) : null;
}

function decodeSchemaOrStrings(value: unknown, run: DecodeRun): unknown {
  if (Array.isArray(value)) return listOf(SCALARS.string, false)(value, run);
  return typeof value === 'object' ? schemaPropsType().decode(value, run) : null;
}

const SPECIALS: Readonly<Record<SpecialName, CompiledType>> = {
  ...LEAF_SPECIALS,
  JSONSchemaPropsOrBool: { decode: decodeSchemaOrBool, zero: () => false },
  JSONSchemaPropsOrArray: { decode: decodeSchemaOrArray, zero: nil },
  JSONSchemaPropsOrStringArray: { decode: decodeSchemaOrStrings, zero: nil },
};
