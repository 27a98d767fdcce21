/** Base64 as the `byte` format of schemas reads it: the URL alphabet, padded, line breaks ignored. */

const shape = /^(?:[\w-]{4})*(?:[\w-]{2}==|[\w-]{3}=)?$/;

/** The bytes, or the index of the first character that does not belong. */
export function base64Decode(text: string): Uint8Array | number {
  const plain = text.replace(/[\r\n]/g, '');
  if (shape.test(plain)) {
    const bytes = atob(plain.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(bytes, (char) => char.charCodeAt(0));
  }
  return firstFault(text);
}

const alphabet = /[\w-]/;
const lineBreak = /[\r\n]/;

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && lineBreak.test(text[at] as string)) at++;
  return at;
}

/** Where padding that begins before `at`, after `count` characters of its group, goes wrong. */
function paddingFault(text: string, at: number, count: number): number {
  if (count < 2) return at - 1;
  if (count === 3) return skipBreaks(text, at);
  const second = skipBreaks(text, at);
  if (second === text.length) return second;
  return text[second] === '=' ? skipBreaks(text, second + 1) : second - 1;
}

/** A group that ends too early is at fault where it began, unless breaks are in it: those count as if they were not. */
function firstFault(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (lineBreak.test(char)) continue;
    if (char === '=') return paddingFault(text, at + 1, count);
    if (!alphabet.test(char)) return at;
    count = (count + 1) % 4;
  }
  return text.length - count;
}
