/** Renders values in messages the way the Go server prints them; used on error paths only. */

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Go's notion of printable: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** Nearly every text: nothing to escape. Unicode classes are slow, so they are asked only about the rest. */
const plainText = /^[ !#-[\]-~]*$/;

/** Whether Go's `unicode.IsPrint` holds for the one code point given as a string. */
export function isPrintable(character: string): boolean {
  unprintable.lastIndex = 0;
  return !unprintable.test(character);
}

function escapeRune(character: string): string {
  const known = escapes[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  // A lone surrogate cannot exist in a Go string: decoding has made it U+FFFD, which is printable.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A string as `%q` prints it. */
export function goQuote(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  return `"${text.replace(/[\\"]/g, (character) => `\\${character}`).replace(unprintable, escapeRune)}"`;
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

/** Orders strings by their UTF-8 bytes, as Go does; plain `<` orders by UTF-16 units and differs beyond the BMP. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above every other unit.
    if (x >= 0xd800) x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
    if (y >= 0xd800) y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    return x - y;
  }
  return a.length - b.length;
}

/** A JSON value as Go's `json.Marshal` writes an unstructured one: keys sorted, `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'number':
      return JSON.stringify(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
      const entries = Object.entries(value).filter(([, item]) => item !== undefined);
      entries.sort(([a], [b]) => compareUtf8(a, b));
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
