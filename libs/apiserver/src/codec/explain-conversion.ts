import { goTypeName } from '@capstan/api/kubernetes';
import type { ScalarType, StructDef, TypeRef } from '@capstan/api/kubernetes';

import { compareBytes, setOwn } from '@capstan/meta';

import { canonicalBase64 } from './base64.js';
import { explainPart } from './explain.js';
import type { LeafTexts } from './leaf-texts.js';

/*
 * The real server has a second way from JSON to its types, for values that were maps in between: what a strategic merge
 * patch or an apply made. It goes by the fields of the types, stops at the first trouble, and words it by the kinds of
 * Go's values.
 */

/** How Go calls the kind of a value that was read from JSON. */
function kindOf(value: unknown): string {
  // A number that is written otherwise than an integer.
  if (typeof value === 'symbol') return 'float64';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'slice' : 'map';
}

/** What keeps a value from being converted to a struct; undefined where nothing does. */
export function explainConversion(struct: StructDef, value: unknown, texts: LeafTexts): string | undefined {
  return new Conversion(texts).value({ kind: 'struct', pointer: false, struct }, value);
}

class Conversion {
  readonly #texts: LeafTexts;

  constructor(texts: LeafTexts) {
    this.#texts = texts;
  }

  value(type: TypeRef, value: unknown): string | undefined {
    if (value === null || value === undefined) return undefined;
    switch (type.kind) {
      case 'scalar':
        return type.scalar === 'bytes' ? bytesProblem(value) : scalarProblem(type, value);
      case 'special':
        return explainPart(type, unspelled(value), this.#texts);
      case 'list':
        return Array.isArray(value)
          ? this.#first(value, (item) => this.value(type.element, item))
          : `cannot restore slice from ${kindOf(value)}`;
      case 'map':
        return kindOf(value) === 'map'
          ? this.#first(Object.values(value), (item) => this.value(type.value, item))
          : `cannot restore map from ${kindOf(value)}`;
      case 'struct':
        return kindOf(value) === 'map'
          ? this.#first(type.struct.fields, (field) => this.value(field.type, (value as JsonFields)[field.name]))
          : `cannot restore struct from: ${kindOf(value)}`;
    }
  }

  #first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
    for (const item of items) {
      const found = find(item);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Types that decode themselves get the text that Go writes of a map and its numbers, not the one that was sent. */
function unspelled(value: unknown): unknown {
  if (typeof value === 'symbol') return Number(value.description);
  if (Array.isArray(value)) return value.map(unspelled);
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  const fields = value as JsonFields;
  for (const key of Object.keys(fields).sort(compareBytes)) setOwn(out, key, unspelled(fields[key]));
  return out;
}

type JsonFields = Readonly<Record<string, unknown>>;

function byteProblem(value: unknown): string | undefined {
  const kind = value === null ? 'int64' : kindOf(value);
  if (kind === 'int64') return undefined;
  return kind === 'float64' ? 'cannot convert float64 to uint8' : 'unrecognized type: uint8';
}

function bytesProblem(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(byteProblem).find((problem) => problem !== undefined);
  if (typeof value !== 'string') return `cannot restore slice from ${kindOf(value)}`;
  const text = canonicalBase64(value);
  return typeof text === 'string'
    ? undefined
    : `error decoding from json: illegal base64 data at input byte ${text.corruptAt}`;
}

/** What Go could convert but JSON does not know is refused as such; for anything else there is no case at all. */
function scalarProblem(type: ScalarType, value: unknown): string | undefined {
  const { scalar } = type;
  const kind = kindOf(value);
  if (scalar === 'any' || scalar === kind) return undefined;
  if (kind === 'int64') {
    if (scalar === 'string') return `cannot convert int64 to ${goTypeName(type)}`;
    return scalar === 'bool' ? 'unrecognized type: bool' : undefined;
  }
  const isInteger = scalar === 'int32' || scalar === 'int64';
  if (isInteger && typeof value === 'symbol' && Number.isInteger(Number(value.description))) return undefined;
  return kind === 'float64' && isInteger
    ? `cannot convert float64 to ${goTypeName(type)}`
    : `unrecognized type: ${scalar}`;
}
