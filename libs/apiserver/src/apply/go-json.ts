/** Values as Go prints them into path elements and messages. */
import { compareBytes, getOwn, goFormat, goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

const PLAIN = /^[ !#-%'-;=?-[\]-\u007f]*$/;
const ESCAPED = /["\\<>&\u2028\u2029\ud800-\udfff]|[\u0000-\u001f]/gu;

/** `path`: as path elements are written; `document`: as whole objects are. They differ in two escapes and in integers. */
export type GoJsonStyle = 'path' | 'document';

function escapeInDocument(text: string): string {
  return text === '\b' ? '\\b' : text === '\f' ? '\\f' : escapeInPath(text);
}

function escapeInPath(text: string): string {
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

/** A JSON string with `<`, `>` and `&` escaped; in paths without short forms but `\n`, `\r` and `\t`. */
export function goJsonString(text: string, style: GoJsonStyle = 'path'): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return `"${text.replace(ESCAPED, style === 'path' ? escapeInPath : escapeInDocument)}"`;
}

/** A JSON value as Go encodes it: keys sorted, strings as {@link goJsonString}. */
export function goJson(value: unknown, style: GoJsonStyle = 'path'): string {
  if (typeof value === 'string') return goJsonString(value, style);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => goJson(item, style)).join(',')}]`;
  const object = value as JsonObject;
  const members: string[] = [];
  for (const key of Object.keys(object).sort(compareBytes)) {
    const item = getOwn(object, key);
    if (item !== undefined) members.push(`${goJsonString(key, style)}:${goJson(item, style)}`);
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
