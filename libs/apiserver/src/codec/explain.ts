import { goTypeName, structByName } from '@capstan/api/kubernetes';
import type { ListType, MapType, ScalarType, SpecialType, StructDef, TypeRef } from '@capstan/api/kubernetes';

import { canonicalBase64 } from './base64.js';
import { describeValue, mismatchMessage } from './errors.js';
import type { TypeMismatch } from './errors.js';
import { sortKeys } from './keys.js';
import { isByte, isInt32, isInt64, quantityText } from './leaves.js';
import type { LeafTexts } from './leaf-texts.js';
import { BrokenInvariant } from '../errors.js';

/*
 * The slow walk: goes through the value in its own order, as Go's decoder goes through the bytes, and words what it
 * finds. Go has two sorts of trouble. A value of the wrong type is noted and the walk goes on, the first one noted is
 * reported at the end; a type that decodes itself stops the walk, and its error is reported whatever was noted before.
 */

/** Go reports no more unknown fields than this. */
const UNKNOWN_FIELDS_LIMIT = 100;

/** An error that stops Go's walk: a mismatch that will be given its place, or a text that stands for itself. */
class Stop {
  readonly error: TypeMismatch | string;

  constructor(error: TypeMismatch | string) {
    this.error = error;
  }
}

/** What the walk found: an error text, or the paths of unknown fields. */
export interface Explanation {
  readonly error: string | undefined;
  /** A type that decodes itself found the error. */
  readonly stopped: boolean;
  readonly unknownFields: readonly string[];
}

/** Explains a value against a struct; `sorted` goes by sorted keys, for values that Go wrote out from maps before. */
export function explain(struct: StructDef, value: unknown, texts: LeafTexts, sorted = false): Explanation {
  const walk = new Walk(texts, sorted);
  const error = walk.run(() => walk.value({ kind: 'struct', pointer: false, struct }, value, ''));
  return {
    error: error === undefined || typeof error === 'string' ? error : mismatchMessage(error),
    stopped: walk.stopped,
    unknownFields: [...walk.unknownFields],
  };
}

/** What is wrong with a value of a type that decodes itself, when it is read apart from all others. */
export function explainPart(type: TypeRef, value: unknown, texts: LeafTexts): string | undefined {
  const walk = new Walk(texts, false);
  const error = walk.run(() => walk.value(type, value, ''));
  return error === undefined || typeof error === 'string' ? error : mismatchMessage(error);
}

class Walk {
  readonly unknownFields = new Set<string>();
  stopped = false;
  readonly #texts: LeafTexts;
  readonly #sorted: boolean;
  #noted: TypeMismatch | string | undefined;
  #struct = '';
  #fields: readonly string[] = [];

  constructor(texts: LeafTexts, sorted: boolean) {
    this.#texts = texts;
    this.#sorted = sorted;
  }

  run(body: () => void): TypeMismatch | string | undefined {
    try {
      body();
      return this.#noted;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.stopped = true;
      return error.error;
    }
  }

  value(type: TypeRef, value: unknown, path: string): void {
    // Null sets nothing, whatever the type.
    if (value === undefined || value === null) return;
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type, value);
      case 'special':
        return this.#special(type, value);
      case 'list':
        return this.#list(type, value, path);
      case 'map':
        return this.#map(type, value, path);
      case 'struct':
        return this.#object(type.struct, value, path);
    }
  }

  #object(struct: StructDef, value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.#note(describeValue(value), struct.goName);
    }
    const [outerStruct, outerFields] = [this.#struct, this.#fields];
    const object = value as Record<string, unknown>;
    const keys = Object.keys(object);
    for (const key of this.#sorted ? sortKeys(keys) : keys) {
      const inner = object[key];
      if (inner === undefined) continue;
      const innerPath = path === '' ? key : `${path}.${key}`;
      const field = struct.field(key);
      if (field === undefined) {
        if (this.unknownFields.size < UNKNOWN_FIELDS_LIMIT) this.unknownFields.add(innerPath);
        continue;
      }
      this.#struct = struct.name;
      this.#fields = [...outerFields, ...field.embeddedIn, key];
      this.value(field.type, inner, innerPath);
      this.#struct = outerStruct;
      this.#fields = outerFields;
    }
  }

  #list(type: ListType, value: unknown, path: string): void {
    if (!Array.isArray(value)) return this.#note(describeValue(value), goTypeName(type));
    value.forEach((item: unknown, index) => this.value(type.element, item, `${path}[${index}]`));
  }

  #map(type: MapType, value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.#note(describeValue(value), goTypeName(type));
    }
    for (const [key, item] of Object.entries(value)) this.value(type.value, item, path === '' ? key : `${path}.${key}`);
  }

  #scalar(type: ScalarType, value: unknown): void {
    const numeric = typeof value === 'number' || typeof value === 'bigint';
    switch (type.scalar) {
      case 'any':
        return;
      case 'string':
        return typeof value === 'string' ? undefined : this.#note(describeValue(value), goTypeName(type));
      case 'bool':
        return typeof value === 'boolean' ? undefined : this.#note(describeValue(value), goTypeName(type));
      case 'int32':
        return isInt32(value) ? undefined : this.#note(describeValue(value, true), goTypeName(type));
      case 'int64':
        return isInt64(value) ? undefined : this.#note(describeValue(value, true), goTypeName(type));
      case 'float64':
        return numeric ? undefined : this.#note(describeValue(value, true), goTypeName(type));
      case 'bytes':
        return this.#bytes(type, value);
    }
  }

  #bytes(type: ScalarType, value: unknown): void {
    if (typeof value === 'string') {
      const text = canonicalBase64(value);
      if (typeof text !== 'string') this.#noted ??= `illegal base64 data at input byte ${text.corruptAt}`;
    } else if (Array.isArray(value)) {
      for (const item of value) if (!isByte(item)) this.#note(describeValue(item, true), 'uint8');
    } else this.#note(describeValue(value), goTypeName(type));
  }

  #special(type: SpecialType, value: unknown): void {
    switch (type.special) {
      case 'Time':
        return this.#text(() => this.#texts.time(this.#string(value)));
      case 'MicroTime':
        return this.#text(() => this.#texts.microTime(this.#string(value)));
      case 'Duration':
        return this.#text(() => this.#texts.duration(this.#string(value)));
      case 'Quantity':
        return this.#text(() => this.#texts.quantity(quantityText(value)));
      case 'IntOrString':
        if (typeof value !== 'string' && !isInt32(value)) this.#stop(describeValue(value, true), 'int32');
        return;
      case 'JSONSchemaPropsOrBool':
        if (typeof value === 'boolean') return;
        if (typeof value !== 'object' || Array.isArray(value)) throw new Stop('boolean or JSON schema expected');
        return this.#inner(schemaProps(), value);
      case 'JSONSchemaPropsOrArray':
        if (typeof value !== 'object') return;
        return this.#inner(Array.isArray(value) ? listOf(schemaProps()) : schemaProps(), value);
      case 'JSONSchemaPropsOrStringArray':
        if (typeof value !== 'object') return;
        return this.#inner(Array.isArray(value) ? listOf(STRING) : schemaProps(), value);
      default:
        return;
    }
  }

  /** Decoding of its own inside a type that decodes itself: unknown fields in there go unseen, its errors stop the walk. */
  #inner(type: TypeRef, value: unknown): void {
    const walk = new Walk(this.#texts, false);
    const error = walk.run(() => walk.value(type, value, ''));
    if (error === undefined) return;
    if (typeof error === 'string') throw new Stop(error);
    // Read apart from all others it has no other place than its own.
    if (this.#struct === '') throw new Stop(error);
    this.#stop(error.value, error.goType, error.field);
  }

  #string(value: unknown): string {
    return typeof value === 'string' ? value : this.#stop(describeValue(value), 'string');
  }

  #text(read: () => void): void {
    try {
      read();
    } catch (error) {
      throw error instanceof Stop || !(error instanceof Error) ? error : new Stop(error.message);
    }
  }

  #note(value: string, goType: string): void {
    this.#noted ??= this.#mismatch(value, goType, '');
  }

  #stop(value: string, goType: string, field = ''): never {
    throw new Stop(this.#mismatch(value, goType, field));
  }

  #mismatch(value: string, goType: string, field: string): TypeMismatch {
    const fields = field === '' ? this.#fields : [...this.#fields, field];
    return { value, goType, struct: this.#struct, field: fields.join('.') };
  }
}

const STRING: TypeRef = { kind: 'scalar', pointer: false, scalar: 'string' };

function listOf(element: TypeRef): TypeRef {
  return { kind: 'list', pointer: false, element, wrapped: false };
}

function schemaProps(): TypeRef {
  const struct = structByName('apiextensions/v1.JSONSchemaProps');
  if (struct === undefined) throw new BrokenInvariant('the type tables have no JSONSchemaProps');
  return { kind: 'struct', pointer: false, struct };
}
