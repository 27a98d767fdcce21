import { maxObjectDepth } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { ProtobufError, tooDeep } from './errors.js';
import type { Reader } from './reader.js';

/** Reads one field, whose tag was read, into the object. */
export type ReadField = (reader: Reader, wire: number, out: JsonObject) => void;

/** How a struct is read. */
export interface MessageReader {
  readonly name: string;
  /** By field number; made when the first message of the kind comes, for structs may hold themselves. */
  fields(): readonly (ReadField | undefined)[];
}

/** Reads a message that ends at `post` into the object; what the object holds already is added to, as in Go. */
export function readMessage(message: MessageReader, reader: Reader, post: number, out: JsonObject): void {
  if (++reader.depth > reader.deepest) reader.deepest = reader.depth;
  if (reader.depth > maxObjectDepth) throw tooDeep();
  const held = reader.end;
  const fields = message.fields();
  reader.end = post;
  while (reader.at < post) {
    const start = reader.at;
    reader.varint();
    const wire = reader.lo & 7;
    const number = (reader.lo >>> 3) | (reader.hi << 29);
    if (wire === 4) throw new ProtobufError(`proto: ${message.name}: wiretype end group for non-group`);
    if (number <= 0) throw illegalTag(message.name, number, reader);
    const field = fields[number];
    if (field === undefined) {
      reader.at = start;
      reader.skip();
    } else field(reader, wire, out);
  }
  reader.end = held;
  reader.depth--;
}

function illegalTag(name: string, number: number, reader: Reader): ProtobufError {
  const tag = (BigInt(reader.hi >>> 0) << 32n) | BigInt(reader.lo >>> 0);
  return new ProtobufError(`proto: ${name}: illegal tag ${number} (wire type ${tag})`);
}
