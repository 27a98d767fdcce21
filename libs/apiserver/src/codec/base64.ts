/** Standard base64 as Go reads it: padding required, line breaks ignored, the spare bits of the last character too. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const FOREIGN = /[^A-Za-z0-9+/]/;
const PAD = 61;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Last characters without spare bits before `=` and before `==`. */
const CLEAN_TWO = 'AEIMQUYcgkosw048';
const CLEAN_ONE = 'AQgw';

const SIXES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) SIXES[ALPHABET.charCodeAt(i)] = i;

/** Either the canonical text (the very same string where it is canonical already), or the offset Go complains about. */
export function canonicalBase64(text: string): string | { readonly corruptAt: number } {
  if (isCanonical(text)) return text;
  const bytes = decode(text);
  return typeof bytes === 'number' ? { corruptAt: bytes } : encode(bytes);
}

function isCanonical(text: string): boolean {
  const length = text.length;
  if (length % 4 !== 0) return false;
  const foreign = text.search(FOREIGN);
  if (foreign < 0) return true;
  if (foreign === length - 1) return text.charCodeAt(foreign) === PAD && CLEAN_TWO.includes(text.charAt(length - 2));
  return foreign === length - 2 && text.endsWith('==') && CLEAN_ONE.includes(text.charAt(length - 3));
}

function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBreak(text.charCodeAt(at))) at++;
  return at;
}

/**
 * The decoded bytes, or the offset of the trouble. Offsets count bytes; all characters before the first foreign one
 * are ASCII, so characters do as well.
 */
function decode(text: string): number[] | number {
  const bytes: number[] = [];
  let quantum = 0;
  let filled = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) continue;
    const six = code < 128 ? (SIXES[code] ?? -1) : -1;
    if (six < 0) {
      const trouble = code === PAD ? troubleFromPad(text, at, filled) : at;
      if (trouble !== undefined) return trouble;
      if (filled === 2) bytes.push((quantum >> 4) & 255);
      else bytes.push((quantum >> 10) & 255, (quantum >> 2) & 255);
      return bytes;
    }
    quantum = (quantum << 6) | six;
    if (++filled < 4) continue;
    bytes.push((quantum >> 16) & 255, (quantum >> 8) & 255, quantum & 255);
    quantum = 0;
    filled = 0;
  }
  return filled === 0 ? bytes : text.length - filled;
}

/** From the first `=` on there may be a second one where two are due, and line breaks; anything else is trouble. */
function troubleFromPad(text: string, pad: number, filled: number): number | undefined {
  if (filled < 2) return pad;
  let at = skipBreaks(text, pad + 1);
  if (filled === 2) {
    if (at === text.length) return at;
    // Go points one before the character it did not like.
    if (text.charCodeAt(at) !== PAD) return at - 1;
    at = skipBreaks(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

/** Bytes as canonical base64. */
export function encode(bytes: readonly number[]): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    text += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | ((b ?? 0) >> 4));
    text += b === undefined ? '=' : ALPHABET.charAt(((b & 15) << 2) | ((c ?? 0) >> 6));
    text += c === undefined ? '=' : ALPHABET.charAt(c & 63);
  }
  return text;
}
