import { BrokenInvariant } from '../errors.js';
import { structByName } from '@capstan/api/kubernetes';
import type { FieldDef, ListType, MapType, SpecialName, StructDef, TypeRef } from '@capstan/api/kubernetes';
import { isDeeperThan, maxObjectDepth, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { tooDeep, wrongWireType } from './errors.js';
import { goFieldName } from './go-names.js';
import { readMessage, type MessageReader, type ReadField } from './message.js';
import { LEAF_READERS, SCALAR_READERS, customReader, repeatedReader, type ValueReader } from './read-values.js';
import { Reader } from './reader.js';

/*
 * Every struct becomes a table of closures by field number. What comes out is the JSON form of the message, but not
 * yet the canonical one, which typed decoding makes of it: zero values that Go would not print are left out only where
 * that costs nothing, and quantities stay as they were written.
 */

const messages = new WeakMap<StructDef, MessageReader>();

function messageOf(struct: StructDef): MessageReader {
  let message = messages.get(struct);
  if (message === undefined) {
    let fields: (ReadField | undefined)[] | undefined;
    message = { name: struct.name, fields: () => (fields ??= compileFields(struct)) };
    messages.set(struct, message);
  }
  return message;
}

function compileFields(struct: StructDef): (ReadField | undefined)[] {
  const fields: (ReadField | undefined)[] = [];
  for (const field of struct.ownFields) if (field.proto > 0) fields[field.proto] = compileField(field);
  return fields;
}

/** How a value of the type is read, where it is not repeated. */
function valueReader(type: TypeRef): ValueReader {
  switch (type.kind) {
    case 'scalar':
      return SCALAR_READERS[type.scalar];
    case 'special':
      return specialReader(type.special);
    case 'struct':
      return structReader(type.struct);
    case 'list':
      return wrappedReader(type);
    case 'map':
      throw new BrokenInvariant('a map is no single value');
  }
}

/** How a struct is read as a part of another. */
function structReader(struct: StructDef): ValueReader {
  const message = messageOf(struct);
  return {
    wire: 2,
    zero: () => ({}),
    read: (reader, post, before) => {
      const out = (before ?? {}) as JsonObject;
      readMessage(message, reader, post, out);
      return out;
    },
  };
}

let schema: ValueReader | undefined;
function schemaReader(): ValueReader {
  if (schema === undefined) {
    const struct = structByName('apiextensions/v1.JSONSchemaProps');
    if (struct === undefined) throw new BrokenInvariant('the type tables have no JSONSchemaProps');
    schema = structReader(struct);
  }
  return schema;
}

/** Where one and several are there, the several win, as where Go prints them. */
function specialReader(special: SpecialName): ValueReader {
  switch (special) {
    case 'JSONSchemaPropsOrBool': {
      const allows = [1, 'Allows', SCALAR_READERS.bool] as const;
      return customReader(
        special,
        [allows, [2, 'Schema', schemaReader()]],
        (parts) => parts['Schema'] ?? parts['Allows'] ?? false,
      );
    }
    case 'JSONSchemaPropsOrArray': {
      const several = [2, 'JSONSchemas', repeatedReader(schemaReader())] as const;
      return customReader(
        special,
        [[1, 'Schema', schemaReader()], several],
        (parts) => parts['JSONSchemas'] ?? parts['Schema'] ?? null,
      );
    }
    case 'JSONSchemaPropsOrStringArray': {
      const several = [2, 'Property', repeatedReader(SCALAR_READERS.string)] as const;
      return customReader(
        special,
        [[1, 'Schema', schemaReader()], several],
        (parts) => parts['Property'] ?? parts['Schema'] ?? null,
      );
    }
    default:
      return LEAF_READERS[special];
  }
}

/** A list that is a message of its own. */
function wrappedReader(type: ListType): ValueReader {
  const items = listField(type.element, 'items', 'Items');
  const fields = [undefined, items];
  const message: MessageReader = { name: type.goName?.split('.').at(-1) ?? '', fields: () => fields };
  return {
    wire: 2,
    zero: () => [],
    read: (reader, post, before) => {
      const out: JsonObject = { items: before ?? [] };
      readMessage(message, reader, post, out);
      return out['items'];
    },
  };
}

function compileField(field: FieldDef): ReadField {
  const { type, name } = field;
  const goName = goFieldName(field);
  if (field.inline && type.kind === 'struct') return inlineField(type.struct, goName);
  if (type.kind === 'list' && !type.wrapped) return listField(type.element, name, goName);
  if (type.kind === 'map') return mapField(type, name, goName);
  if (type.kind === 'scalar' && type.scalar === 'string')
    return textField(name, goName, !type.pointer && field.omitEmpty);
  const value = valueReader(type);
  // Go would not print the zero value, so that it need not be kept.
  const dropped = type.kind === 'scalar' && !type.pointer && field.omitEmpty ? value.zero() : undefined;
  return singleField(value, name, goName, dropped);
}

function singleField(value: ValueReader, name: string, goName: string, dropped: unknown): ReadField {
  const { wire: expected, read } = value;
  return (reader, wire, out) => {
    if (wire !== expected) throw wrongWireType(wire, goName);
    const before = out[name];
    const post = expected === 2 ? reader.length() : 0;
    const after = read(reader, post, before);
    if (expected === 2) reader.at = post;
    if (after !== dropped || before !== undefined) out[name] = after;
  };
}

/** The commonest field by far; where Go would not print an empty text it need not be kept. */
function textField(name: string, goName: string, dropsEmpty: boolean): ReadField {
  return (reader, wire, out) => {
    if (wire !== 2) throw wrongWireType(wire, goName);
    const text = reader.text(reader.length());
    if (text !== '' || !dropsEmpty || out[name] !== undefined) out[name] = text;
  };
}

/** An embedded struct, flattened in JSON. */
function inlineField(struct: StructDef, goName: string): ReadField {
  const message = messageOf(struct);
  return (reader, wire, out) => {
    if (wire !== 2) throw wrongWireType(wire, goName);
    readMessage(message, reader, reader.length(), out);
  };
}

function listField(element: TypeRef, name: string, goName: string): ReadField {
  const { wire: expected, read } = valueReader(element);
  return (reader, wire, out) => {
    const list = (out[name] ??= []) as unknown[];
    if (wire === expected) {
      const post = expected === 2 ? reader.length() : 0;
      list.push(read(reader, post, undefined));
      if (expected === 2) reader.at = post;
      return;
    }
    // Numbers may come packed, though Go does not send them so.
    if (wire !== 2) throw wrongWireType(wire, goName);
    const post = reader.length();
    while (reader.at < post) list.push(read(reader, 0, undefined));
  };
}

function mapField(type: MapType, name: string, goName: string): ReadField {
  const value = valueReader(type.value);
  return (reader, wire, out) => {
    if (wire !== 2) throw wrongWireType(wire, goName);
    const post = reader.length();
    const map = (out[name] ??= {}) as JsonObject;
    readEntry(reader, post, value, map);
    reader.at = post;
  };
}

/** One entry of a map. Go minds no wire types here, and lets the parts of an entry reach beyond its end. */
function readEntry(reader: Reader, post: number, value: ValueReader, map: JsonObject): void {
  let key = '';
  let held: unknown;
  while (reader.at < post) {
    const start = reader.at;
    reader.varint();
    const number = (reader.lo >>> 3) | (reader.hi << 29);
    if (number === 1) {
      key = reader.text(reader.length());
    } else if (number === 2) {
      const end = value.wire === 2 ? reader.length() : 0;
      held = value.read(reader, end, undefined);
      if (value.wire === 2) reader.at = end;
    } else {
      reader.at = start;
      reader.skip(post);
    }
  }
  setOwn(map, key, held === undefined ? value.zero() : held);
}

/** So few messages in each other are not too deep, though lists, maps and JSON inside them are levels of their own. */
const SURELY_SHALLOW = maxObjectDepth / 8;

/** Reads a whole message into its JSON form, for typed decoding to make canonical; throws {@link ProtobufError}. */
export function decodeProtobuf(struct: StructDef, bytes: Uint8Array): JsonObject {
  const reader = new Reader(bytes);
  const out: JsonObject = {};
  readMessage(messageOf(struct), reader, bytes.length, out);
  if (reader.deepest > SURELY_SHALLOW && isDeeperThan(out, maxObjectDepth)) throw tooDeep();
  return out;
}
