import { Buffer } from 'node:buffer';
import { ProtobufError, integerOverflow, negativeLength, unexpectedEnd } from './errors.js';

const TWO_32 = 0x1_0000_0000;
/** Texts up to this long are looked for among those read before: names of fields, phases and policies come again and again. */
const SHORT_TEXT = 24;
const REMEMBERED = 2048;
const remembered: string[] = new Array<string>(REMEMBERED).fill('');

/** Reads the wire format. `end` is the end of the message being read; nothing beyond it is looked at. */
export class Reader {
  readonly bytes: Buffer;
  at = 0;
  end: number;
  /** How many messages are around the place. */
  depth = 0;
  /** The most there were around any. */
  deepest = 0;
  /** The two halves of the last varint, as signed 32-bit integers. */
  lo = 0;
  hi = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** Reads a varint into `lo` and `hi`. */
  varint(): void {
    if (this.at >= this.end) throw unexpectedEnd();
    const first = this.bytes[this.at] as number;
    if (first >= 0x80) return this.#longVarint();
    this.at++;
    this.lo = first;
    this.hi = 0;
  }

  #longVarint(): void {
    let lo = 0;
    let hi = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw integerOverflow();
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = this.bytes[this.at++] as number;
      const bits = byte & 0x7f;
      if (shift < 32) lo |= bits << shift;
      if (shift === 28) hi = bits >>> 4;
      else if (shift > 28) hi |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.lo = lo;
    this.hi = hi;
  }

  /** Reads the length of what follows; gives where that ends. */
  length(): number {
    this.varint();
    if (this.hi < 0) throw negativeLength();
    const length = this.hi * TWO_32 + (this.lo >>> 0);
    // Go adds in 64 bits, and finds a sum that wrapped around to be negative.
    if (this.hi === 0x7fff_ffff && (this.lo >>> 0) + this.at >= TWO_32) throw negativeLength();
    const post = this.at + length;
    if (post > this.end) throw unexpectedEnd();
    return post;
  }

  int32(): number {
    this.varint();
    return this.lo;
  }

  /** A number where it is exact, else a bigint. */
  int64(): number | bigint {
    this.varint();
    const { lo, hi } = this;
    if (hi < 0x20_0000 && hi >= -0x20_0000) {
      const value = hi * TWO_32 + (lo >>> 0);
      if (Number.isSafeInteger(value)) return value;
    }
    return (BigInt(hi) << 32n) | BigInt(lo >>> 0);
  }

  bool(): boolean {
    this.varint();
    return this.lo !== 0 || this.hi !== 0;
  }

  double(): number {
    if (this.at + 8 > this.end) throw unexpectedEnd();
    const value = this.bytes.readDoubleLE(this.at);
    this.at += 8;
    if (!Number.isFinite(value)) throw new ProtobufError(`json: unsupported value: ${goFloat(value)}`);
    return value;
  }

  /** The text from here to `post`. */
  text(post: number): string {
    const { at } = this;
    this.at = post;
    const length = post - at;
    if (length === 0) return '';
    return length > SHORT_TEXT ? this.bytes.toString('utf8', at, post) : shortText(this.bytes, at, post);
  }

  /** Passes over the field whose tag comes next. */
  skip(end: number = this.end): void {
    let depth = 0;
    do {
      this.varint();
      const wire = this.lo & 7;
      switch (wire) {
        case 0:
          this.varint();
          break;
        case 1:
          this.at += 8;
          break;
        case 2:
          this.at = this.length();
          break;
        case 3:
          depth++;
          break;
        case 4:
          if (depth-- === 0) throw new ProtobufError('proto: unexpected end of group');
          break;
        case 5:
          this.at += 4;
          break;
        default:
          throw new ProtobufError(`proto: illegal wireType ${wire}`);
      }
      if (this.at > this.end) throw unexpectedEnd();
    } while (depth > 0);
    if (this.at > end) throw unexpectedEnd();
  }
}

function goFloat(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** A text of few bytes, the very string it was last time if it still is at its place. */
function shortText(bytes: Buffer, at: number, post: number): string {
  let hash = post - at;
  for (let i = at; i < post; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80) return bytes.toString('utf8', at, post);
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const place = (hash ^ (hash >>> 15)) & (REMEMBERED - 1);
  const known = remembered[place] as string;
  if (known.length === post - at && isTextAt(bytes, at, known)) return known;
  const text = bytes.toString('latin1', at, post);
  remembered[place] = text;
  return text;
}

function isTextAt(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
