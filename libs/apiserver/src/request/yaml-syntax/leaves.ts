/** Where texts, tags, anchors and directives end, and what is wrong with them. Their values are read by others. */
import { BREAKS, SPACES, here, type Reader } from './reader.js';
import type { Token } from './tokens.js';

const NAME = here('[0-9A-Za-z_-]*');

const IN_SINGLE_QUOTES = here(`(?:[^'${SPACES}]|'')+`);
const IN_DOUBLE_QUOTES = here(`[^"\\\\${SPACES}]+`);
const ESCAPED_BREAK = here(`\\\\(?=[${BREAKS}])`);
const ESCAPE = here('\\\\[0abtnvfre "\'\\\\N_LP\\txuU]');
const HEX_DIGITS: Readonly<Record<string, RegExp>> = {
  x: here('[0-9A-Fa-f]{2}'),
  u: here('[0-9A-Fa-f]{4}'),
  U: here('[0-9A-Fa-f]{8}'),
};

/** A text in quotes. */
export function readQuoted(reader: Reader, quote: '"' | "'"): void {
  reader.skip();
  for (;;) {
    if (reader.isAtDocumentMark) reader.fail('found unexpected document indicator');
    if (reader.isAtEnd) reader.fail('found unexpected end of stream');
    if (quote === "'") reader.take(IN_SINGLE_QUOTES);
    else readEscaped(reader);
    if (reader.char === quote) break;
    readSpace(reader);
  }
  reader.skip();
}

/** Up to white space, behind an escaped line break, or to the closing quote. */
function readEscaped(reader: Reader): void {
  for (;;) {
    reader.take(IN_DOUBLE_QUOTES);
    if (reader.char !== '\\') return;
    if (reader.sees(ESCAPED_BREAK)) {
      reader.skip();
      reader.takeBreak();
      return;
    }
    readEscape(reader);
  }
}

function readEscape(reader: Reader): void {
  const escape = reader.take(ESCAPE);
  if (escape === '') reader.fail('found unknown escape character');
  const digits = HEX_DIGITS[escape.slice(1)];
  if (digits === undefined) return;
  const hex = reader.take(digits);
  if (hex === '') reader.fail('did not find expected hexdecimal number');
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) reader.fail('found invalid Unicode character escape code');
}

function readSpace(reader: Reader): void {
  while (reader.takeBlanks() !== '' || reader.isAtBreak) if (reader.isAtBreak) reader.takeBreak();
}

/** A colon is part of a text where no white space follows. */
const PLAIN_WORD = here(`(?:[^:${SPACES}]|:(?=[^${SPACES}]))+`);
const PLAIN_WORD_IN_BRACKETS = here(`(?:[^:,?[\\]{}${SPACES}]|:(?=[^${SPACES}]))+`);

/** A text without quotes, which must be as deep as the floor; says whether it ended at the beginning of a line. */
export function readPlain(reader: Reader, floor: number, isInBrackets: boolean): boolean {
  let isLineStart = false;
  while (!reader.isAtDocumentMark && reader.char !== '#') {
    if (reader.take(isInBrackets ? PLAIN_WORD_IN_BRACKETS : PLAIN_WORD) !== '') isLineStart = false;
    if (reader.isAtEnd || !reader.isAtGap) break;
    isLineStart = readFold(reader, floor, isLineStart);
    if (!isInBrackets && reader.column < floor) break;
  }
  return isLineStart;
}

/** White space inside a text; says whether a line has begun. */
function readFold(reader: Reader, floor: number, wasLineStart: boolean): boolean {
  let isLineStart = wasLineStart;
  for (;;) {
    const { column } = reader;
    const tab = reader.takeBlanks().indexOf('\t');
    if (isLineStart && tab >= 0 && column + tab < floor) reader.fail('found a tab character that violates indentation');
    if (!reader.isAtBreak) return isLineStart;
    reader.takeBreak();
    isLineStart = true;
  }
}

const CHOMPING = here('[+-]');
const DIGIT = here('[0-9]');
const SPACES_ONLY = here(' +');
const LINE = here(`[^${BREAKS}]+`);

/** A text behind `|` or `>`. */
export function readBlockText(reader: Reader, parentIndent: number): void {
  reader.skip();
  const deeper = readBlockHeader(reader);
  reader.takeLineEnd();
  const given = deeper === 0 ? undefined : Math.max(parentIndent, 0) + deeper;
  const indent = given ?? Math.max(readEmptyLines(reader, Infinity), parentIndent + 1, 1);
  if (given !== undefined) readEmptyLines(reader, given);
  while (reader.column === indent && !reader.isAtEnd) {
    reader.take(LINE);
    if (reader.isAtBreak) reader.takeBreak();
    readEmptyLines(reader, indent);
  }
}

/** How much deeper the text is, where it says so itself, before or behind how it ends. */
function readBlockHeader(reader: Reader): number {
  const isChomped = reader.take(CHOMPING) !== '';
  const digit = reader.take(DIGIT);
  if (digit === '0') reader.fail('found an indentation indicator equal to 0');
  if (digit !== '' && !isChomped) reader.take(CHOMPING);
  return Number(digit);
}

/** Skips indentation up to a column, and lines that have no more; gives the deepest column met. */
function readEmptyLines(reader: Reader, indent: number): number {
  let deepest = 0;
  for (;;) {
    if (reader.column < indent) {
      reader.take(SPACES_ONLY);
      // What is deeper belongs to the text.
      if (reader.column > indent) reader.skip(indent - reader.column);
    }
    deepest = Math.max(deepest, reader.column);
    if (reader.column < indent && reader.char === '\t')
      reader.fail('found a tab character where an indentation space is expected');
    if (!reader.isAtBreak) return deepest;
    reader.takeBreak();
  }
}

/** The name behind `&` or `*`. */
export function readAnchor(reader: Reader): string {
  reader.skip();
  const name = reader.take(NAME);
  const isOver = reader.isAtGap || '?:,]}%@`'.includes(reader.char);
  if (name === '' || !isOver) reader.fail('did not find expected alphabetic or numeric character');
  return name;
}

const VERBATIM_TAG = here('!<');
const URI = here("(?:[0-9A-Za-z_\\-;/?:@&=+$,.!~*'()[\\]]|%[0-9A-Fa-f]{2})+");

/** A tag; gives its handle. */
export function readTag(reader: Reader): string {
  let handle = '';
  if (reader.sees(VERBATIM_TAG)) {
    reader.skip(2);
    readUri(reader, false);
    if (reader.char !== '>') reader.fail("did not find the expected '>'");
    reader.skip();
  } else {
    reader.skip();
    const word = reader.take(NAME);
    const isNamed = reader.char === '!';
    if (isNamed) reader.skip();
    handle = isNamed ? `!${word}!` : '!';
    readUri(reader, !isNamed);
  }
  requireGap(reader);
  return handle;
}

function requireGap(reader: Reader): void {
  if (!reader.isAtGap) reader.fail('did not find expected whitespace or line break');
}

function readUri(reader: Reader, mayBeEmpty: boolean): void {
  const uri = reader.take(URI);
  if (reader.char === '%') reader.fail('did not find URI escaped octet');
  if (uri === '' && !mayBeEmpty) reader.fail('did not find expected tag URI');
}

/** A line that begins with `%`: its name, and the version or the handle. */
export function readDirective(reader: Reader): Required<Pick<Token, 'directive' | 'text'>> {
  reader.skip();
  const directive = reader.take(NAME);
  if (directive === '') reader.fail('could not find expected directive name');
  if (!reader.isAtGap) reader.fail('found unexpected non-alphabetical character');
  if (directive !== 'YAML' && directive !== 'TAG') reader.fail('found unknown directive name');
  reader.takeBlanks();
  const text = directive === 'YAML' ? readVersion(reader) : readHandle(reader);
  reader.takeLineEnd();
  return { directive: directive as 'YAML' | 'TAG', text };
}

const DIGITS = here('[0-9]{1,3}');

function readVersion(reader: Reader): string {
  const major = readVersionNumber(reader);
  if (reader.char !== '.') reader.fail("did not find expected digit or '.' character");
  reader.skip();
  return `${major}.${readVersionNumber(reader)}`;
}

function readVersionNumber(reader: Reader): number {
  const digits = reader.take(DIGITS);
  if (digits.length > 2) reader.fail('found extremely long version number');
  if (digits === '') reader.fail('did not find expected version number');
  return Number(digits);
}

function readHandle(reader: Reader): string {
  if (reader.char !== '!') reader.fail("did not find expected '!'");
  reader.skip();
  const word = reader.take(NAME);
  const isNamed = reader.char === '!';
  if (isNamed) reader.skip();
  else if (word !== '') reader.fail("did not find expected '!'");
  if (reader.takeBlanks() === '') reader.fail('did not find expected whitespace');
  readUri(reader, false);
  requireGap(reader);
  return isNamed ? `!${word}!` : '!';
}
