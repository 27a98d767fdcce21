/** The tokens of JSON, read byte by byte with the grammar and messages of the API server's decoder. */
import { Buffer, isUtf8 } from 'node:buffer';
import { JsonSyntaxError } from './errors.js';
import { decodeGoUtf8, decodeKeepingBytes, goQuoteByte } from './go-text.js';

const space = 0x20;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
/** Longer texts are beyond int64, as JSON has no leading zeros; a bigint of them takes more time than they have digits. */
const maxInt64Length = String(minInt64).length;

const escapes: Readonly<Record<number, string>> = {
  0x22: '"',
  0x2f: '/',
  0x5c: '\\',
  0x62: '\b',
  0x66: '\f',
  0x6e: '\n',
  0x72: '\r',
  0x74: '\t',
};

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** A place in the bytes, and what can be read there. */
export class ByteScanner {
  /** Whether an integer beyond 2^53 was read. */
  hasBigInt = false;
  /** How the number read last was written, where its value does not show it: with a point, an exponent, or beyond int64. */
  spelling: string | undefined;
  /** The text read last as it was written, quotes included, where it has half a surrogate pair or bytes that are none. */
  writtenText: string | undefined;
  /** Whether the key read last has bytes that are no text. */
  isOddKey = false;
  /** The first number no float64 can hold; a fault only where the rest of the text is sound. */
  numberError: JsonSyntaxError | undefined;
  readonly #bytes: Uint8Array;
  readonly #text: Buffer;
  readonly #wellFormed: boolean;
  #at = 0;
  #metHalfPair = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#wellFormed = isUtf8(bytes);
  }

  /** How many bytes are behind. */
  get offset(): number {
    return this.#at;
  }

  /** Moves past the byte here. */
  advance(): void {
    this.#at++;
  }

  /** The scalar that starts here. */
  literal(): unknown {
    const byte = this.peek();
    switch (byte) {
      case 0x22:
        return this.#textValue();
      case 0x74:
        this.#word('true');
        return true;
      case 0x66:
        this.#word('false');
        return false;
      case 0x6e:
        this.#word('null');
        return null;
      default:
        if (byte === 0x2d || isDigit(byte)) return this.#number();
        return this.fail('looking for beginning of value');
    }
  }

  #word(word: string): void {
    for (let k = 1; k < word.length; k++) {
      this.#at++;
      if (this.#peekInside() !== word.charCodeAt(k))
        this.#failInside(`in literal ${word} (expecting '${word[k] ?? ''}')`);
    }
    this.#at++;
  }

  #digits(context: string): void {
    if (!isDigit(this.#peekInside())) this.#failInside(context);
    while (isDigit(this.#peekInside())) this.#at++;
  }

  #number(): number | bigint {
    const start = this.#at;
    let integral = true;
    if (this.peek() === 0x2d) this.#at++;
    if (this.#peekInside() === 0x30) this.#at++;
    else this.#digits('in numeric literal');
    if (this.#peekInside() === 0x2e) {
      integral = false;
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if ((this.#peekInside() | 0x20) === 0x65) {
      integral = false;
      this.#at++;
      const sign = this.#peekInside();
      if (sign === 0x2b || sign === 0x2d) this.#at++;
      this.#digits('in exponent of numeric literal');
    }
    return this.#convert(this.#text.toString('latin1', start, this.#at), integral);
  }

  #convert(literal: string, integral: boolean): number | bigint {
    const value = Number(literal);
    if (integral && !Number.isSafeInteger(value)) {
      const exact = literal.length > maxInt64Length ? undefined : BigInt(literal);
      if (exact !== undefined && exact >= minInt64 && exact <= maxInt64) {
        this.hasBigInt = true;
        return exact;
      }
      this.spelling = literal;
    }
    if (!integral || literal === '-0') this.spelling = literal;
    if (!Number.isFinite(value)) {
      this.numberError ??= this.#error(
        `json: cannot unmarshal number ${literal} into Go value of type float64`,
        this.#at,
      );
    }
    // Adding zero turns -0 into 0.
    return value + 0;
  }

  /** At an opening quote: the decoded string, the reader behind the closing quote. */
  string(): string {
    const bytes = this.#bytes;
    let out = '';
    let start = ++this.#at;
    for (;;) {
      const byte = bytes[this.#at];
      if (byte === undefined) return this.fail('in string literal');
      if (byte === 0x22) break;
      if (byte < 0x20) this.fail('in string literal');
      if (byte !== 0x5c) {
        this.#at++;
        continue;
      }
      out += this.#slice(start, this.#at);
      this.#at++;
      out += this.#escape();
      start = this.#at;
    }
    out += this.#slice(start, this.#at);
    this.#at++;
    return out;
  }

  /** At an opening quote: the same for a key. */
  key(): string {
    const start = this.#at;
    const text = this.string();
    this.isOddKey = !this.#wellFormed && !isUtf8(this.#bytes.subarray(start, this.#at));
    return text;
  }

  #textValue(): string {
    const start = this.#at;
    this.#metHalfPair = false;
    const text = this.string();
    if (!this.#wellFormed) this.writtenText = decodeKeepingBytes(this.#bytes, start, this.#at);
    if (this.#metHalfPair) this.writtenText ??= this.#slice(start, this.#at);
    return text;
  }

  #slice(start: number, end: number): string {
    return this.#wellFormed ? this.#text.toString('utf8', start, end) : decodeGoUtf8(this.#bytes, start, end);
  }

  /** Behind a backslash. */
  #escape(): string {
    const byte = this.#peekInside();
    if (byte !== 0x75) {
      const char = escapes[byte] ?? this.#failInside('in string escape code');
      this.#at++;
      return char;
    }
    this.#at++;
    const unit = this.#hex4();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    // A pair is consumed whole; any other surrogate becomes U+FFFD and what follows is read on its own.
    if (unit < 0xdc00 && this.#bytes[this.#at] === 0x5c && this.#bytes[this.#at + 1] === 0x75) {
      const resume = this.#at;
      this.#at += 2;
      const low = this.#hex4();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(unit, low);
      this.#at = resume;
    }
    this.#metHalfPair = true;
    return '\ufffd';
  }

  #hex4(): number {
    let unit = 0;
    for (let k = 0; k < 4; k++) {
      const digit = hexDigit(this.#peekInside());
      if (digit < 0) this.#failInside('in \\u hexadecimal character escape');
      unit = unit * 16 + digit;
      this.#at++;
    }
    return unit;
  }

  /** Moves to the next byte that is not blank. */
  skipSpace(): void {
    const bytes = this.#bytes;
    for (;;) {
      const byte = bytes[this.#at];
      if (byte !== space && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at++;
    }
  }

  /** The byte here, or -1 at the end. */
  peek(): number {
    return this.#bytes[this.#at] ?? -1;
  }

  /** Inside a token the decoder meets the end of input as if it were a space. */
  #peekInside(): number {
    return this.#bytes[this.#at] ?? space;
  }

  /** Throws for the byte here, met between tokens. */
  fail(context: string): never {
    if (this.#at >= this.#bytes.length) throw this.#error('unexpected end of JSON input', this.#at);
    return this.#failInside(context);
  }

  /** Inside a token, where the end of input is reported as a space. */
  #failInside(context: string): never {
    const offset = Math.min(this.#at + 1, this.#bytes.length);
    throw this.#error(`invalid character ${goQuoteByte(this.#peekInside())} ${context}`, offset);
  }

  #error(message: string, offset: number): JsonSyntaxError {
    const at = Math.max(0, Math.min(offset, this.#bytes.length) - 1);
    let line = 1;
    let lineStart = 0;
    for (let k = this.#bytes.indexOf(0x0a); k !== -1 && k < at; k = this.#bytes.indexOf(0x0a, k + 1)) {
      line++;
      lineStart = k + 1;
    }
    return new JsonSyntaxError(message, offset, line, at - lineStart + 1);
  }
}
