/** Renders values in messages the way the Go server prints them; used on error paths only. */
import { compareBytes } from '../json/compare-bytes.js';
import { goQuote } from '../json/go-text.js';

/** Go's notion of printable: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Whether Go's `unicode.IsPrint` holds for the one code point given as a string. */
export function isPrintable(character: string): boolean {
  unprintable.lastIndex = 0;
  return !unprintable.test(character);
}

/** A string list as `%#v` prints it: `[]string{"a", "b"}`. */
export function goStringSlice(list: readonly string[]): string {
  return `[]string{${list.map(goQuote).join(', ')}}`;
}

/**
 * A number as `%v` prints it. Whole numbers are taken for 64-bit integers, as JSON decoding does; others have an
 * exponent from a million on and below a ten-thousandth (`1e-05`, where JavaScript writes `0.00001`).
 */
export function goNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
  const size = Math.abs(value);
  if (Object.is(value, -0)) return '-0';
  if (Number.isInteger(value) ? size < 2 ** 63 : size >= 1e-4 && size < 1e6) {
    return String(value);
  }
  return value.toExponential().replace(/e([+-])([0-9])$/, 'e$10$2');
}

const jsonUnsafe = /[<>&\u2028\u2029\ud800-\udfff]/;
const jsonUnsafeEach = /[<>&\u2028\u2029]|\p{Surrogate}/gu;

function jsonString(text: string): string {
  if (!jsonUnsafe.test(text)) return JSON.stringify(text);
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd');
  return JSON.stringify(wellFormed).replace(
    jsonUnsafeEach,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A JSON value as Go's `json.Marshal` writes an unstructured one: keys sorted, `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : JSON.stringify(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
      const entries = Object.entries(value).filter(([, item]) => item !== undefined);
      entries.sort(([a], [b]) => compareBytes(a, b));
      return `{${entries.map(([key, item]) => `${jsonString(key)}:${goJson(item)}`).join(',')}}`;
    }
    default:
      return 'null';
  }
}

/** The length of a string in UTF-8 bytes, which is what every Kubernetes length limit counts. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    // A pair is two units and four bytes; a lone surrogate becomes U+FFFD, three bytes.
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) i++;
    }
  }
  return bytes;
}
