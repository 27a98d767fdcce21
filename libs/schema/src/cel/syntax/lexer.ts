/** Splits an expression into tokens, with the complaints of the server about text that is none. */
import type { CelIssue } from './issues.js';

/** Punctuation and keywords stand for themselves. */
export type TokenType =
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'ident'
  | 'escaped'
  | 'eof'
  | (typeof punctuation)[number]
  | 'in'
  | 'true'
  | 'false'
  | 'null';

/** A token; the text is cut from the source when needed. */
export interface Token {
  readonly type: TokenType;
  readonly start: number;
  readonly end: number;
}

const punctuation = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
] as const;

const bySpelling = new Map<string, TokenType>(punctuation.map((text) => [text, text]));
const keywords = new Map<string, TokenType>([
  ['in', 'in'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);

const blank = /[\t \r\n\f]+|\/\/[^\n]*/y;
const number = /0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const escape = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7][0-7])/y;
/** The longest beginning of an escape, to find where a bad one breaks. */
const escapeStart = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;

function matchAt(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : -1;
}

/** Where a quoted text ends, or where it fails as -1 - index. */
function quotedEnd(source: string, at: number, quote: string, raw: boolean): number {
  const triple = quote.length === 3;
  let pos = at + quote.length;
  for (;;) {
    if (pos >= source.length) return -1 - pos;
    const char = source[pos];
    if (source.startsWith(quote, pos)) return pos + quote.length;
    if (!triple && (char === '\n' || char === '\r')) return -1 - pos;
    if (char !== '\\' || raw) pos++;
    else {
      const end = matchAt(escape, source, pos);
      if (end === -1) return -1 - matchAt(escapeStart, source, pos);
      pos = end;
    }
  }
}

/** The tokens of one expression. */
export class Lexer {
  readonly tokens: Token[] = [];
  readonly issues: CelIssue[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    while (this.#at < source.length) this.#next();
    this.tokens.push({ type: 'eof', start: source.length, end: source.length });
  }

  #push(type: TokenType, end: number): void {
    this.tokens.push({ type, start: this.#at, end });
    this.#at = end;
  }

  #next(): void {
    const source = this.#source;
    const skipped = matchAt(blank, source, this.#at);
    if (skipped !== -1) {
      this.#at = skipped;
      return;
    }
    if (this.#string()) return;
    const name = matchAt(identifier, source, this.#at);
    if (name !== -1) return this.#push(keywords.get(source.slice(this.#at, name)) ?? 'ident', name);
    const digits = matchAt(number, source, this.#at);
    if (digits !== -1) return this.#number(digits);
    for (const length of [2, 1]) {
      const mark = bySpelling.get(source.slice(this.#at, this.#at + length));
      if (mark !== undefined) return this.#push(mark, this.#at + length);
    }
    const quoted = matchAt(escapedIdentifier, source, this.#at);
    if (quoted !== -1) return this.#push('escaped', quoted);
    // The beginning of an operator takes the next character with it.
    this.#fail(this.#at + ('=&|'.includes(source[this.#at] ?? ' ') ? 1 : 0));
  }

  #number(end: number): void {
    const text = this.#source.slice(this.#at, end);
    const hex = text.startsWith('0x');
    if (text.endsWith('u') || text.endsWith('U')) return this.#push('uint', end);
    this.#push(!hex && /[.eE]/.test(text) ? 'float' : 'int', end);
  }

  /** A string or bytes literal; false when the text here cannot be one. */
  #string(): boolean {
    const source = this.#source;
    if (!/["'bBrR]/.test(source[this.#at] ?? '')) return false;
    const [, prefix, quote] = /^([bB]?[rR]?)("""|'''|"|')/.exec(source.slice(this.#at, this.#at + 5)) ?? [];
    if (prefix === undefined || quote === undefined) return false;
    const type = /^b/i.test(prefix) ? 'bytes' : 'string';
    const end = quotedEnd(source, this.#at + prefix.length, quote, /r$/i.test(prefix));
    if (end >= 0) this.#push(type, end);
    // Three quotes without an end are an empty text and one more quote.
    else if (quote.length === 3) this.#push(type, this.#at + prefix.length + 2);
    else if (prefix !== '') return false;
    else this.#fail(-1 - end);
    return true;
  }

  #fail(breaks: number): void {
    // What does not fit is one character, and not half of one.
    const width = (this.#source.codePointAt(breaks) ?? 0) > 0xffff ? 2 : 1;
    const end = Math.min(breaks + width, this.#source.length);
    const text = this.#source
      .slice(this.#at, end)
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll('\t', '\\t');
    this.issues.push({
      offset: this.#at,
      message: `Syntax error: token recognition error at: '${text}'`,
    });
    this.#at = end;
  }
}
