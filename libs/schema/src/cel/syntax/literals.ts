/** The values of literals. */
import { pushAll } from '@capstan/meta';
import type { TokenType } from './lexer.js';
import { CelBytes, CelDouble, CelUint, fitsInt, normalInt } from '../values/values.js';

const simple: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  '\\': 0x5c,
  "'": 0x27,
  '"': 0x22,
  '`': 0x60,
  '?': 0x3f,
};
const encoder = new TextEncoder();

/** A malformed literal. */
export class LiteralError extends Error {}

interface Quoted {
  body: string;
  raw: boolean;
}

function unquote(text: string): Quoted {
  const raw = /^r/i.test(text);
  const start = raw ? 1 : 0;
  const width = /^("""|''')/.test(text.slice(start)) && text.length - start >= 6 ? 3 : 1;
  const body = text.slice(start + width, text.length - width);
  return { body: body.replaceAll('\r\n', '\n').replaceAll('\r', '\n'), raw };
}

interface Escape {
  code: number;
  length: number;
}

/** Reads the escape after a backslash; the lexer has checked its shape. */
function readEscape(body: string, at: number): Escape {
  const char = body[at] ?? '';
  const known = simple[char];
  if (known !== undefined) return { code: known, length: 1 };
  const digits = char === 'U' ? 8 : char === 'u' ? 4 : 2;
  if (/[xXuU]/.test(char))
    return { code: Number.parseInt(body.slice(at + 1, at + 1 + digits), 16), length: digits + 1 };
  return { code: Number.parseInt(body.slice(at, at + 3), 8), length: 3 };
}

/** The text of a string literal. Throws {@link LiteralError}. */
function parseString(text: string): string {
  const { body, raw } = unquote(text);
  if (raw || !body.includes('\\')) return body;
  let out = '';
  for (let at = 0; at < body.length;) {
    if (body[at] !== '\\') {
      out += body[at++];
      continue;
    }
    const { code, length } = readEscape(body, at + 1);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new LiteralError('invalid unicode code point');
    out += String.fromCodePoint(code);
    at += 1 + length;
  }
  return out;
}

/** The bytes of a bytes literal, `b` included in the text. Throws {@link LiteralError}. */
function parseBytes(text: string): CelBytes {
  const { body, raw } = unquote(text.slice(1));
  if (raw || !body.includes('\\')) return new CelBytes(encoder.encode(body));
  const out: number[] = [];
  for (let at = 0; at < body.length;) {
    if (body[at] !== '\\') {
      const char = String.fromCodePoint(body.codePointAt(at) ?? 0);
      pushAll(out, encoder.encode(char));
      at += char.length;
      continue;
    }
    if (/[uU]/.test(body[at + 1] ?? '')) throw new LiteralError('unable to unescape string');
    const { code, length } = readEscape(body, at + 1);
    out.push(code & 0xff);
    at += 1 + length;
  }
  return new CelBytes(Uint8Array.from(out));
}

/** An int literal with its sign. Throws {@link LiteralError}. */
function parseInt64(text: string, negative: boolean): number | bigint {
  const magnitude = BigInt(text);
  const value = negative ? -magnitude : magnitude;
  if (!fitsInt(value)) throw new LiteralError('invalid int literal');
  return normalInt(value);
}

/** A uint literal, the `u` included. Throws {@link LiteralError}. */
function parseUint64(text: string): CelUint {
  const value = BigInt(text.slice(0, -1));
  if (value >= 2n ** 64n) throw new LiteralError('invalid uint literal');
  return new CelUint(value);
}

/** A double literal with its sign. Throws {@link LiteralError}. */
function parseDouble(text: string, negative: boolean): CelDouble {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new LiteralError('invalid double literal');
  return new CelDouble(negative ? -value : value);
}

/** The value of a literal token. Throws {@link LiteralError}. */
export function literalValue(type: TokenType, text: string, negative: boolean): unknown {
  switch (type) {
    case 'int':
      return parseInt64(text, negative);
    case 'float':
      return parseDouble(text, negative);
    case 'uint':
      return parseUint64(text);
    case 'string':
      return parseString(text);
    case 'bytes':
      return parseBytes(text);
    case 'null':
      return null;
    default:
      return type === 'true';
  }
}
