import { BrokenInvariant } from '../errors.js';
import { structByName } from '@capstan/api/kubernetes';
import type { FieldDef, MapType, SpecialName, StructDef, TypeRef } from '@capstan/api/kubernetes';
import type { JsonObject } from '@capstan/meta';
import { sortKeys } from '../codec/keys.js';
import { LEAF_WRITERS, SCALAR_WRITERS, type ValueWriter } from './write-values.js';
import { Writer } from './writer.js';

/*
 * Bytes equal those of Go's generated code: fields by ascending number, what is no pointer always written, even empty;
 * entries of maps by their keys. As the writer goes backwards, so does everything here.
 */

/** Writes one field of the object, tag and all, if it is to be written. */
type WriteField = (writer: Writer, object: JsonObject) => void;

const NOTHING: JsonObject = Object.freeze({});
const messages = new WeakMap<StructDef, () => readonly WriteField[]>();

/** The fields of a struct, highest number first; made when first needed, for structs may hold themselves. */
function messageOf(struct: StructDef): () => readonly WriteField[] {
  let message = messages.get(struct);
  if (message === undefined) {
    let fields: WriteField[] | undefined;
    message = () => (fields ??= compileFields(struct));
    messages.set(struct, message);
  }
  return message;
}

function compileFields(struct: StructDef): WriteField[] {
  const travelling = struct.ownFields.filter(({ proto }) => proto > 0);
  return travelling.sort((a, b) => b.proto - a.proto).map(compileField);
}

function writeFields(fields: readonly WriteField[], writer: Writer, object: JsonObject): void {
  for (let i = 0; i < fields.length; i++) (fields[i] as WriteField)(writer, object);
}

function structWriter(struct: StructDef): ValueWriter {
  const message = messageOf(struct);
  return {
    wire: 2,
    write: (writer, value) => {
      const before = writer.size;
      writeFields(message(), writer, (value ?? NOTHING) as JsonObject);
      writer.uint(writer.size - before);
    },
  };
}

/** How a value of the type is written, where it is not repeated; null and undefined give the zero value. */
function valueWriter(type: TypeRef): ValueWriter {
  switch (type.kind) {
    case 'scalar':
      return SCALAR_WRITERS[type.scalar];
    case 'special':
      return specialWriter(type.special);
    case 'struct':
      return structWriter(type.struct);
    case 'list':
      return wrappedWriter(type.element);
    case 'map':
      throw new BrokenInvariant('a map is no single value');
  }
}

/** A list that is a message of its own. */
function wrappedWriter(element: TypeRef): ValueWriter {
  const items = listField(element, 'items', 1);
  return {
    wire: 2,
    write: (writer, value) => {
      const before = writer.size;
      if (value !== null && value !== undefined) items(writer, { items: value });
      writer.uint(writer.size - before);
    },
  };
}

function tagOf(number: number, wire: number): number {
  return (number << 3) | wire;
}

function compileField(field: FieldDef): WriteField {
  const { type, name, proto } = field;
  if (field.inline && type.kind === 'struct') return inlineField(type.struct, proto);
  if (type.kind === 'list' && !type.wrapped) return listField(type.element, name, proto);
  if (type.kind === 'map') return mapField(type, name, proto);
  const { wire, write } = valueWriter(type);
  const tag = tagOf(proto, wire);
  // A nil slice is no value either.
  if (type.pointer || type.kind === 'list' || (type.kind === 'scalar' && type.scalar === 'bytes')) {
    return (writer, object) => {
      const value = object[name];
      if (value === undefined || value === null) return;
      write(writer, value);
      writer.tag(tag);
    };
  }
  return (writer, object) => {
    write(writer, object[name]);
    writer.tag(tag);
  };
}

/** An embedded struct, flattened in JSON. */
function inlineField(struct: StructDef, proto: number): WriteField {
  const { write } = structWriter(struct);
  const tag = tagOf(proto, 2);
  return (writer, object) => {
    write(writer, object);
    writer.tag(tag);
  };
}

function listField(element: TypeRef, name: string, proto: number): WriteField {
  const { wire, write } = valueWriter(element);
  const tag = tagOf(proto, wire);
  return (writer, object) => {
    const list = object[name] as readonly unknown[] | null | undefined;
    if (list === undefined || list === null) return;
    for (let i = list.length - 1; i >= 0; i--) {
      write(writer, list[i]);
      writer.tag(tag);
    }
  };
}

function mapField(type: MapType, name: string, proto: number): WriteField {
  const { wire, write } = valueWriter(type.value);
  const tag = tagOf(proto, 2);
  const valueTag = tagOf(2, wire);
  return (writer, object) => {
    const map = object[name] as JsonObject | null | undefined;
    if (map === undefined || map === null) return;
    const keys = sortKeys(Object.keys(map));
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as string;
      const before = writer.size;
      write(writer, map[key]);
      writer.tag(valueTag);
      writer.text(key);
      writer.tag(0x0a);
      writer.uint(writer.size - before);
      writer.tag(tag);
    }
  };
}

let schema: ValueWriter | undefined;
function schemaWriter(): ValueWriter {
  if (schema === undefined) {
    const struct = structByName('apiextensions/v1.JSONSchemaProps');
    if (struct === undefined) throw new BrokenInvariant('the type tables have no JSONSchemaProps');
    schema = structWriter(struct);
  }
  return schema;
}

/** A message of field 1, a schema, or field 2, many values. */
function oneOrMany(element: ValueWriter): ValueWriter {
  return {
    wire: 2,
    write: (writer, value) => {
      const before = writer.size;
      if (Array.isArray(value)) {
        for (let i = value.length - 1; i >= 0; i--) {
          element.write(writer, value[i]);
          writer.tag(0x12);
        }
      } else if (value !== null && value !== undefined) {
        schemaWriter().write(writer, value);
        writer.tag(0x0a);
      }
      writer.uint(writer.size - before);
    },
  };
}

function writeSchemaOrBool(writer: Writer, value: unknown): void {
  const before = writer.size;
  const isSchema = typeof value === 'object' && value !== null;
  if (isSchema) {
    schemaWriter().write(writer, value);
    writer.tag(0x12);
  }
  // A schema allows, too.
  writer.byte(isSchema || value === true ? 1 : 0);
  writer.tag(0x08);
  writer.uint(writer.size - before);
}

function specialWriter(special: SpecialName): ValueWriter {
  switch (special) {
    case 'JSONSchemaPropsOrBool':
      return { wire: 2, write: writeSchemaOrBool };
    case 'JSONSchemaPropsOrArray':
      return oneOrMany(schemaWriter());
    case 'JSONSchemaPropsOrStringArray':
      return oneOrMany(SCALAR_WRITERS.string);
    default:
      return LEAF_WRITERS[special];
  }
}

const scratch = new Writer();

/** A message of the struct. The value must have the struct's JSON form, as decoding gives it. */
export function encodeProtobuf(struct: StructDef, value: JsonObject): Uint8Array {
  scratch.reset();
  writeFields(messageOf(struct)(), scratch, value);
  return scratch.take();
}
