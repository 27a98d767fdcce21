import { Buffer } from 'node:buffer';

const TWO_32 = 0x1_0000_0000;
const FIRST_SIZE = 64 * 1024;
/** A larger scratch is not kept for the next message. */
const KEPT_SIZE = 4 * 1024 * 1024;
/** Shorter texts are written here: a call into the runtime costs more than they do. */
const SHORT_TEXT = 24;

/**
 * Writes the wire format from the end to the start: a message is written before its length, so that lengths are known
 * without measuring anything beforehand.
 */
export class Writer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
  /** Where the last written byte is; what was written ends with the buffer. */
  #at = FIRST_SIZE;

  /** How much was written; the difference of two sizes is the length of what came between. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  /** Starts with an empty message. */
  reset(): void {
    if (this.#buffer.length > KEPT_SIZE) this.#buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
    this.#at = this.#buffer.length;
  }

  /** What was written, in memory of its own. */
  take(): Uint8Array {
    const size = this.size;
    // Not from Buffer's pool: what is kept long would keep the slab of its short-lived neighbours.
    const out = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(out, 0, this.#at);
    return out;
  }

  byte(value: number): void {
    if (this.#at === 0) this.#grow(1);
    this.#buffer[--this.#at] = value;
  }

  /** A field's number and wire type, as one number. */
  tag(tag: number): void {
    if (tag >= 0x80) {
      this.byte(tag >>> 7);
      this.byte((tag & 0x7f) | 0x80);
    } else this.byte(tag);
  }

  /** A length or any other small number. */
  uint(value: number): void {
    if (value < 0x80) return this.byte(value);
    if (value >= 0x8000_0000) return this.#halves(value | 0, Math.floor(value / TWO_32));
    const size = value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    const buffer = this.#buffer;
    let at = this.#at;
    let left = value;
    for (; left >= 0x80; left >>>= 7) buffer[at++] = (left & 0x7f) | 0x80;
    buffer[at] = left;
  }

  /** A signed integer; negative ones take ten bytes. */
  int(value: number | bigint): void {
    if (typeof value === 'bigint')
      this.#halves(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
    else if (value >= 0) this.uint(value);
    else this.#halves(value | 0, Math.floor(value / TWO_32));
  }

  /** A 64-bit varint from its halves. */
  #halves(lo: number, hi: number): void {
    if (this.#at < 10) this.#grow(10);
    const bytes: number[] = [];
    let low = lo >>> 0;
    let high = hi >>> 0;
    while (high !== 0 || low >= 0x80) {
      bytes.push((low & 0x7f) | 0x80);
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    bytes.push(low);
    for (let i = bytes.length - 1; i >= 0; i--) this.byte(bytes[i] as number);
  }

  double(value: number): void {
    if (this.#at < 8) this.#grow(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
  }

  /** A text with its length before it. */
  text(text: string): void {
    const { length } = text;
    if (length === 0) return this.byte(0);
    if (length > SHORT_TEXT || !this.#shortText(text, length)) this.#longText(text, length);
  }

  #shortText(text: string, length: number): boolean {
    if (this.#at <= length) this.#grow(length + 1);
    const buffer = this.#buffer;
    const start = this.#at - length;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return false;
      buffer[start + i] = code;
    }
    buffer[start - 1] = length;
    this.#at = start - 1;
    return true;
  }

  #longText(text: string, length: number): void {
    const size = Buffer.byteLength(text, 'utf8');
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    this.#buffer.write(text, this.#at, size, size === length ? 'latin1' : 'utf8');
    this.uint(size);
  }

  /** Base64 text as bytes, with their length before them. */
  base64(text: string): void {
    const size = Buffer.byteLength(text, 'base64');
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    this.#buffer.write(text, this.#at, size, 'base64');
    this.uint(size);
  }

  /** Bytes as they are, without a length. */
  raw(bytes: Uint8Array): void {
    const size = bytes.length;
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    this.#buffer.set(bytes, this.#at);
  }

  #grow(room: number): void {
    const size = this.size;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, size + room));
    this.#buffer.copy(larger, larger.length - size, this.#at);
    this.#at = larger.length - size;
    this.#buffer = larger;
  }
}
