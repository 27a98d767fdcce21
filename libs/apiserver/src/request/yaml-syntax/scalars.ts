/** Where scalars, tags, anchors and directives end, and what is wrong with them. Their values are read by others. */
import type { Cursor } from './cursor.js';

const ESCAPES = new Set('0abtnvfre "\'\\N_LP\t');
const ESCAPE_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A text in quotes. */
export function scanQuoted(cursor: Cursor): void {
  const quote = cursor.peek();
  const isSingle = quote === "'";
  cursor.skip();
  for (;;) {
    if (cursor.isDocumentIndicator()) cursor.fail('found unexpected document indicator');
    if (cursor.isEnd()) cursor.fail('found unexpected end of stream');
    if (isSingle) scanSingleQuoted(cursor);
    else scanDoubleQuoted(cursor);
    if (cursor.peek() === quote) break;
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBlank()) cursor.skip();
      else cursor.skipLine();
    }
  }
  cursor.skip();
}

/** Up to white space or the closing quote. */
function scanSingleQuoted(cursor: Cursor): void {
  while (!cursor.isSpaceOrEnd()) {
    const isQuote = cursor.peek() === "'";
    if (isQuote && cursor.peek(1) !== "'") return;
    cursor.skip(isQuote ? 2 : 1);
  }
}

/** Up to white space, an escaped line break or the closing quote. */
function scanDoubleQuoted(cursor: Cursor): void {
  while (!cursor.isSpaceOrEnd() && cursor.peek() !== '"') {
    if (cursor.peek() !== '\\') cursor.skip();
    else if (!cursor.isBreak(1)) scanEscape(cursor);
    else {
      cursor.skip();
      cursor.skipLine();
      return;
    }
  }
}

function scanEscape(cursor: Cursor): void {
  const kind = cursor.peek(1);
  const digits = ESCAPE_DIGITS[kind];
  if (digits === undefined && !ESCAPES.has(kind)) cursor.fail('found unknown escape character');
  cursor.skip(2);
  if (digits === undefined) return;
  let hex = '';
  for (let k = 0; k < digits; k += 1) {
    if (!cursor.isHex(k)) cursor.fail('did not find expected hexdecimal number');
    hex += cursor.peek(k);
  }
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) cursor.fail('found invalid Unicode character escape code');
  cursor.skip(digits);
}

const FLOW_INDICATORS = new Set(',?[]{}');

/** A text without quotes; says whether it ended at the beginning of a line. */
export function scanPlain(cursor: Cursor, indent: number, isFlow: boolean): boolean {
  let isLineStart = false;
  for (;;) {
    if (cursor.isDocumentIndicator() || cursor.peek() === '#') return isLineStart;
    if (scanPlainWord(cursor, isFlow)) isLineStart = false;
    if (!cursor.isBlank() && !cursor.isBreak()) return isLineStart;
    isLineStart = scanPlainSpace(cursor, indent, isLineStart);
    if (!isFlow && cursor.column < indent) return isLineStart;
  }
}

/** Says whether there was anything. */
function scanPlainWord(cursor: Cursor, isFlow: boolean): boolean {
  const start = cursor.at;
  while (!cursor.isSpaceOrEnd()) {
    if (cursor.peek() === ':' && cursor.isSpaceOrEnd(1)) break;
    if (isFlow && FLOW_INDICATORS.has(cursor.peek())) break;
    cursor.skip();
  }
  return cursor.at > start;
}

/** Says whether a line has begun. */
function scanPlainSpace(cursor: Cursor, indent: number, hadBreak: boolean): boolean {
  let isLineStart = hadBreak;
  while (cursor.isBlank() || cursor.isBreak()) {
    if (cursor.isBreak()) {
      cursor.skipLine();
      isLineStart = true;
      continue;
    }
    if (isLineStart && cursor.column < indent && cursor.peek() === '\t')
      cursor.fail('found a tab character that violates indentation');
    cursor.skip();
  }
  return isLineStart;
}

/** A text behind `|` or `>`. */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): void {
  cursor.skip();
  const increment = scanBlockHeader(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) cursor.fail('did not find expected comment or line break');
  if (cursor.isBreak()) cursor.skipLine();
  const given = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  const indent = scanBlockBreaks(cursor, given, parentIndent);
  while (cursor.column === indent && !cursor.isEnd()) {
    while (!cursor.isBreakOrEnd()) cursor.skip();
    if (cursor.isBreak()) cursor.skipLine();
    scanBlockBreaks(cursor, indent, parentIndent);
  }
}

/** How much deeper the text is, where it says so itself, before or behind how it ends. */
function scanBlockHeader(cursor: Cursor): number {
  const isChomping = (): boolean => cursor.peek() === '+' || cursor.peek() === '-';
  const isChomped = isChomping();
  if (isChomped) cursor.skip();
  if (!cursor.isDigit()) return 0;
  const increment = Number(cursor.peek());
  if (increment === 0) cursor.fail('found an indentation indicator equal to 0');
  cursor.skip();
  if (!isChomped && isChomping()) cursor.skip();
  return increment;
}

/** Skips indentation and empty lines; gives the indentation, found by the way where it is not known. */
function scanBlockBreaks(cursor: Cursor, indent: number, parentIndent: number): number {
  const isBefore = (): boolean => indent === 0 || cursor.column < indent;
  let widest = 0;
  for (;;) {
    while (isBefore() && cursor.peek() === ' ') cursor.skip();
    widest = Math.max(widest, cursor.column);
    if (isBefore() && cursor.peek() === '\t')
      cursor.fail('found a tab character where an indentation space is expected');
    if (!cursor.isBreak()) break;
    cursor.skipLine();
  }
  return indent === 0 ? Math.max(widest, parentIndent + 1, 1) : indent;
}

/** The name behind `&` or `*`. */
export function scanAnchor(cursor: Cursor): string {
  cursor.skip();
  const name = cursor.word();
  const isOver = cursor.isSpaceOrEnd() || '?:,]}%@`'.includes(cursor.peek());
  if (name === '' || !isOver) cursor.fail('did not find expected alphabetic or numeric character');
  return name;
}

/** A tag; gives its handle. */
export function scanTag(cursor: Cursor): string {
  let handle = '';
  if (cursor.peek(1) === '<') {
    cursor.skip(2);
    scanTagUri(cursor, false);
    if (cursor.peek() !== '>') cursor.fail("did not find the expected '>'");
    cursor.skip();
  } else {
    cursor.skip();
    const word = cursor.word();
    const isNamed = cursor.peek() === '!';
    if (isNamed) cursor.skip();
    handle = isNamed ? `!${word}!` : '!';
    scanTagUri(cursor, !isNamed);
  }
  if (!cursor.isSpaceOrEnd()) cursor.fail('did not find expected whitespace or line break');
  return handle;
}

function scanTagUri(cursor: Cursor, mayBeEmpty: boolean): void {
  let isEmpty = !mayBeEmpty;
  while (cursor.isWord() || (!cursor.isEnd() && ";/?:@&=+$,.!~*'()[]%".includes(cursor.peek()))) {
    if (cursor.peek() === '%') {
      if (!cursor.isHex(1) || !cursor.isHex(2)) cursor.fail('did not find URI escaped octet');
      cursor.skip(2);
    }
    cursor.skip();
    isEmpty = false;
  }
  if (isEmpty) cursor.fail('did not find expected tag URI');
}

/** What a line that begins with `%` says. */
export interface Directive {
  readonly name: 'YAML' | 'TAG';
  /** The version, or the handle. */
  readonly value: string;
}

/** A directive. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.skip();
  const name = cursor.word();
  if (name === '') cursor.fail('could not find expected directive name');
  if (!cursor.isSpaceOrEnd()) cursor.fail('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') cursor.fail('found unknown directive name');
  cursor.skipBlanks();
  const value = name === 'YAML' ? scanVersion(cursor) : scanHandle(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) cursor.fail('did not find expected comment or line break');
  if (cursor.isBreak()) cursor.skipLine();
  return { name: name as Directive['name'], value };
}

function scanVersion(cursor: Cursor): string {
  const major = scanVersionNumber(cursor);
  if (cursor.peek() !== '.') cursor.fail("did not find expected digit or '.' character");
  cursor.skip();
  return `${major}.${scanVersionNumber(cursor)}`;
}

function scanVersionNumber(cursor: Cursor): number {
  let digits = '';
  while (cursor.isDigit()) {
    digits += cursor.peek();
    if (digits.length > 2) cursor.fail('found extremely long version number');
    cursor.skip();
  }
  if (digits === '') cursor.fail('did not find expected version number');
  return Number(digits);
}

function scanHandle(cursor: Cursor): string {
  if (cursor.peek() !== '!') cursor.fail("did not find expected '!'");
  cursor.skip();
  const word = cursor.word();
  const isNamed = cursor.peek() === '!';
  if (isNamed) cursor.skip();
  else if (word !== '') cursor.fail("did not find expected '!'");
  if (!cursor.isBlank()) cursor.fail('did not find expected whitespace');
  cursor.skipBlanks();
  scanTagUri(cursor, false);
  if (!cursor.isSpaceOrEnd()) cursor.fail('did not find expected whitespace or line break');
  return isNamed ? `!${word}!` : '!';
}
