import type { BodyRewriter } from '../body.js';
import { TranslationError } from '../errors.js';
import type { GroupMapping } from '../groups/mapping.js';
import { groupOfApiPath, groupOfSchema } from '../surfaces/openapi.js';
import { Edits } from './edits.js';
import { Parts, RESPONSE_LIMIT_BYTES } from './streams.js';
import { DELIMITED, WireReader } from './wire.js';

/** Fields of the message that an OpenAPI v2 document is, and of what is in them. */
const PATHS = { field: 8, entries: 2, groupOf: groupOfApiPath };
const DEFINITIONS = { field: 9, entries: 1, groupOf: groupOfSchema };
const NAME = 1;

/**
 * The OpenAPI v2 document as protobuf, without the groups that have another name: clients look into it only for what is
 * in no document of version 3, and must find there that such a kind is not served.
 */
export class OpenApiProtobuf implements BodyRewriter {
  readonly #mapping: GroupMapping;
  readonly #limitBytes: number;
  readonly #held = new Parts();

  constructor(mapping: GroupMapping, limitBytes = RESPONSE_LIMIT_BYTES) {
    this.#mapping = mapping;
    this.#limitBytes = limitBytes;
  }

  get peak(): number {
    return this.#held.peak;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    this.#held.add(chunk);
    if (this.#held.size > this.#limitBytes) throw new TranslationError('TOO_LARGE', `limit is ${this.#limitBytes}`);
    return [];
  }

  end(): Uint8Array[] {
    return this.#held.size === 0 ? [] : [this.#without(this.#held.take())];
  }

  #without(document: Buffer): Buffer {
    const edits = new Edits();
    const reader = new WireReader(document);
    while (reader.at < document.length) {
      reader.field(document.length);
      const { at: end, contentAt, lengthAt, number, wire } = reader;
      const part = [PATHS, DEFINITIONS].find(({ field }) => field === number);
      if (part === undefined || wire !== DELIMITED) continue;
      let growth = 0;
      reader.at = contentAt;
      while (reader.at < end) {
        reader.field(end);
        const { at: entryEnd, start } = reader;
        const isEntry = reader.number === part.entries && reader.wire === DELIMITED;
        if (isEntry && this.#mapping.side(part.groupOf(nameAt(document, reader.contentAt, entryEnd))) !== undefined)
          growth += edits.remove(start, entryEnd);
        reader.at = entryEnd;
      }
      edits.lengthen({ lengthAt, contentAt, end }, growth);
    }
    return edits.size === 0 ? document : edits.apply(document);
  }
}

/** The name of a named value. */
function nameAt(document: Buffer, start: number, end: number): string {
  const reader = new WireReader(document);
  reader.at = start;
  while (reader.at < end) {
    reader.field(end);
    if (reader.number === NAME && reader.wire === DELIMITED)
      return document.toString('utf8', reader.contentAt, reader.at);
  }
  return '';
}
