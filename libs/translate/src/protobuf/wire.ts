import { TranslationError } from '../errors.js';

/** Wire types of protobuf that matter here. */
const VARINT = 0;
const FIXED_64 = 1;
/** A string, bytes or a message, behind its length. */
export const DELIMITED = 2;
const GROUP_START = 3;
const GROUP_END = 4;
const FIXED_32 = 5;

const LONGEST_VARINT = 10;
/** Go keeps 32 bits of a field's number; a tag that is longer could pass for another one. */
const LARGEST_TAG = 0xffff_ffff;

/** Reads fields of a message one after another; throws a TranslationError where there is none. */
export class WireReader {
  readonly bytes: Buffer;
  /** The next byte. */
  at = 0;
  /** The field that was read last: its number, wire type, first byte, and where its length and its content begin. */
  number = 0;
  wire = 0;
  start = 0;
  lengthAt = 0;
  contentAt = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Reads the field that begins here and passes over it, within a message that ends at `end`. */
  field(end: number): void {
    const { bytes, at } = this;
    this.start = at;
    const first = bytes[at] as number;
    const length = bytes[at + 1] as number;
    // Nearly all of them: a field of few bytes with a low number.
    if (first < 0x80 && (first & 7) === DELIMITED && length < 0x80 && first > 7 && at + 2 + length <= end) {
      this.wire = DELIMITED;
      this.number = first >>> 3;
      this.lengthAt = at + 1;
      this.contentAt = at + 2;
      this.at = at + 2 + length;
      return;
    }
    this.#anyField(end);
  }

  #anyField(end: number): void {
    const tag = this.#varint(end);
    this.wire = tag & 7;
    this.number = tag >>> 3;
    if (tag > LARGEST_TAG || this.number === 0) throw malformed('a field has no number', this.start);
    this.lengthAt = this.at;
    this.contentAt = this.at;
    if (this.wire === DELIMITED) {
      const length = this.#varint(end);
      this.contentAt = this.at;
      this.at += length;
      if (this.at > end) throw malformed('a field is longer than what it is in', this.start);
    } else this.#skip(this.wire, end);
  }

  #varint(end: number): number {
    const { bytes } = this;
    let value = 0;
    let factor = 1;
    for (let size = 1; size <= LONGEST_VARINT; size += 1) {
      if (this.at >= end) throw malformed('the message ends inside a number', this.at);
      const byte = bytes[this.at] as number;
      this.at += 1;
      if (byte < 0x80) return value + byte * factor;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    }
    throw malformed('a number is too long', this.at);
  }

  #skip(wire: number, end: number): void {
    let depth = 0;
    for (let next = wire; ; next = this.#varint(end) & 7) {
      if (next === VARINT) this.#varint(end);
      else if (next === FIXED_64) this.at += 8;
      else if (next === FIXED_32) this.at += 4;
      else if (next === DELIMITED) this.at += this.#varint(end);
      else if (next === GROUP_START) depth += 1;
      else if (next === GROUP_END && depth > 0) depth -= 1;
      else throw malformed('a field has no known type', this.start);
      if (this.at > end) throw malformed('a field is longer than what it is in', this.start);
      if (depth === 0) return;
    }
  }
}

/**
 * The declared length of the object in an envelope, read from its first bytes; undefined while they do not contain it.
 * An envelope begins with four bytes of its own and its type, then comes the length of the object.
 */
export function declaredLength(bytes: Buffer, prefixBytes: number, objectField: number): number | undefined {
  let at = prefixBytes;
  const varint = (): number | undefined => {
    let [value, factor] = [0, 1];
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    return undefined;
  };
  for (;;) {
    const tag = varint();
    if (tag === undefined || (tag & 7) !== DELIMITED) return undefined;
    const length = varint();
    if (length === undefined || tag >>> 3 === objectField) return length;
    at += length;
  }
}

/** A body that is no message. */
export function malformed(why: string, at: number): TranslationError {
  return new TranslationError('MALFORMED', `the body is no protobuf message: ${why}, at byte ${at}`);
}

/** How many bytes a number takes when none is wasted. */
export function varintSize(value: number): number {
  let size = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) size += 1;
  return size;
}

/** Writes a number into exactly so many bytes, at least as many as it needs. */
export function writeVarint(value: number, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let left = value;
  for (let index = 0; index < size; index += 1) {
    out[index] = (left % 0x80) | (index === size - 1 ? 0 : 0x80);
    left = Math.floor(left / 0x80);
  }
  return out;
}
