/** Text as Go prints and decodes it, because the server's messages are made of it. */

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const plainAscii = /^[ !#-[\]-~]*$/;

const named: Readonly<Record<number, string>> = {
  0x07: '\\a',
  0x08: '\\b',
  0x09: '\\t',
  0x0a: '\\n',
  0x0b: '\\v',
  0x0c: '\\f',
  0x0d: '\\r',
  0x5c: '\\\\',
};

/** Bytes that are no text are kept as lone surrogates, which no text has, from here on. */
const KEPT_BYTE = 0xdc00;
const FIRST_KEPT = KEPT_BYTE + 0x80;
const LAST_KEPT = KEPT_BYTE + 0xff;

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

function quoteBody(text: string, quote: string): string {
  let out = '';
  for (const char of text) out += char === quote ? `\\${quote}` : quotedChar(char);
  return out;
}

function quotedChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const name = named[code];
  if (name !== undefined) return name;
  if (code >= FIRST_KEPT && code <= LAST_KEPT) return `\\x${hex(code - KEPT_BYTE, 2)}`;
  // Go strings cannot hold a lone surrogate.
  if (code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (printable.test(char)) return char;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** The text in double quotes with Go's escapes (`%q`). */
export function goQuote(text: string): string {
  return plainAscii.test(text) ? `"${text}"` : `"${quoteBody(text, '"')}"`;
}

/** One byte in single quotes, as the JSON scanner names an offending one: bytes above ASCII read as Latin-1. */
export function goQuoteByte(byte: number): string {
  if (byte === 0x22) return `'"'`;
  return `'${quoteBody(String.fromCharCode(byte), "'")}'`;
}

/** Length of the sequence a first byte announces, or 0. */
function announcedLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether the second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF. */
function isSecond(first: number, second: number): boolean {
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

/** Length of the well-formed sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  const length = announcedLength(first);
  if (length <= 1) return length;
  if (at + length > end || !isSecond(first, bytes[at + 1] ?? 0)) return 0;
  for (let k = 2; k < length; k++) {
    if (((bytes[at + k] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** The same with bad bytes kept, as `goQuote` prints them; undefined where there is none. */
export function decodeKeepingBytes(bytes: Uint8Array, start: number, end: number): string | undefined {
  let isText = true;
  const text = decodeWith(bytes, { start, end }, (bad) => {
    isText = false;
    return String.fromCharCode(KEPT_BYTE + bad);
  });
  return isText ? undefined : text;
}

/** Decodes UTF-8 with one U+FFFD per bad byte, as Go does; the platform decoder merges truncated sequences. */
export function decodeGoUtf8(bytes: Uint8Array, start: number, end: number): string {
  return decodeWith(bytes, { start, end }, () => '\ufffd');
}

function decodeWith(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  repair: (bad: number) => string,
): string {
  let out = '';
  for (let at = start; at < end;) {
    const length = sequenceLength(bytes, at, end);
    const first = bytes[at] ?? 0;
    if (length === 0) out += repair(first);
    else if (length === 1) out += String.fromCharCode(first);
    else {
      let code = first & (0xff >> (length + 1));
      for (let k = 1; k < length; k++) code = (code << 6) | ((bytes[at + k] ?? 0) & 0x3f);
      out += String.fromCodePoint(code);
    }
    at += length || 1;
  }
  return out;
}
