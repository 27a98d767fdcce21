/** Values as Go prints them into path elements and messages. */
import { compareBytes, getOwn, goFormat, goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

// eslint-disable-next-line no-control-regex
const PLAIN = /^[ !#-%'-;=?-[\]-\u007f]*$/;
// eslint-disable-next-line no-control-regex
const ESCAPED = /["\\<>&\u2028\u2029\ud800-\udfff]|[\u0000-\u001f]/gu;

function escapeCharacter(text: string): string {
  switch (text) {
    case '"':
      return '\\"';
    case '\\':
      return '\\\\';
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default: {
      const code = text.charCodeAt(0);
      // With the `u` flag only a lone surrogate is met, which no Go string can hold.
      if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
      return `\\u${code.toString(16).padStart(4, '0')}`;
    }
  }
}

/** A JSON string with `<`, `>` and `&` escaped and no short forms but `\n`, `\r` and `\t`. */
export function goJsonString(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : `"${text.replace(ESCAPED, escapeCharacter)}"`;
}

/** A JSON value as Go encodes it: keys sorted, strings as {@link goJsonString}. */
export function goJson(value: unknown): string {
  if (typeof value === 'string') return goJsonString(value);
  // Numbers in path elements are floats to the server once they have been stored.
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  const object = value as JsonObject;
  const members: string[] = [];
  for (const key of Object.keys(object).sort(compareBytes)) {
    const item = getOwn(object, key);
    if (item !== undefined) members.push(`${goJsonString(key)}:${goJson(item)}`);
  }
  return `{${members.join(',')}}`;
}

/** `%#v` of a decoded JSON value. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return goFormat(value);
  const object = value as JsonObject;
  const members = Object.keys(object)
    .sort(compareBytes)
    .map((key) => `${goQuote(key)}:${goSyntax(getOwn(object, key))}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
