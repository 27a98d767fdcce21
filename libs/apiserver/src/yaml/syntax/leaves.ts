/** Texts, tags, anchors and directives: what they say, where they end, and what is wrong with them. */
import { Buffer } from 'node:buffer';
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

/** What escapes of one character stand for. */
const ESCAPED: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** A text in quotes. */
export function readQuoted(reader: Reader, quote: '"' | "'"): string {
  let text = '';
  reader.skip();
  for (;;) {
    if (reader.isAtDocumentMark) reader.fail('found unexpected document indicator');
    if (reader.isAtEnd) reader.fail('found unexpected end of stream');
    const { part, isBroken } = quote === "'" ? { part: readSingle(reader), isBroken: false } : readEscaped(reader);
    text += part;
    if (reader.char === quote) break;
    text += readGap(reader, isBroken);
  }
  reader.skip();
  return text;
}

function readSingle(reader: Reader): string {
  return reader.take(IN_SINGLE_QUOTES).replaceAll("''", "'");
}

/** Up to white space, behind an escaped line break, or to the closing quote. */
function readEscaped(reader: Reader): { readonly part: string; readonly isBroken: boolean } {
  let part = '';
  for (;;) {
    part += reader.take(IN_DOUBLE_QUOTES);
    if (reader.char !== '\\') return { part, isBroken: false };
    if (reader.sees(ESCAPED_BREAK)) {
      reader.skip();
      reader.takeBreak();
      return { part, isBroken: true };
    }
    part += readEscape(reader);
  }
}

function readEscape(reader: Reader): string {
  const escape = reader.take(ESCAPE).slice(1);
  if (escape === '') reader.fail('found unknown escape character');
  const digits = HEX_DIGITS[escape];
  if (digits === undefined) return ESCAPED[escape] ?? escape;
  const hex = reader.take(digits);
  if (hex === '') reader.fail('did not find expected hexdecimal number');
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) reader.fail('found invalid Unicode character escape code');
  return String.fromCodePoint(code);
}

/** White space inside quotes, as the text has it; behind an escaped break only further breaks count. */
function readGap(reader: Reader, isBehindBreak: boolean): string {
  const blanks = reader.takeBlanks();
  if (!reader.isAtBreak) return isBehindBreak ? '' : blanks;
  const first = isBehindBreak ? '' : reader.takeBreak();
  for (let rest = ''; ; rest += reader.takeBreak()) {
    reader.takeBlanks();
    if (!reader.isAtBreak) return folded(first, rest);
  }
}

/** Lines become one: a single break is a space, of several the first is none. */
function folded(first: string, rest: string): string {
  if (!first.startsWith('\n')) return first + rest;
  return rest === '' ? ' ' : rest;
}

/** A colon is part of a text where no white space follows. */
const PLAIN_WORD = here(`(?:[^:${SPACES}]|:(?=[^${SPACES}]))+`);
const PLAIN_WORD_IN_BRACKETS = here(`(?:[^:,?[\\]{}${SPACES}]|:(?=[^${SPACES}]))+`);

/** A text without quotes. */
export interface PlainText {
  readonly text: string;
  /** Whether it ended at the beginning of a line. */
  readonly isAtLineStart: boolean;
}

/** Reads a text without quotes, which must be as deep as the floor. */
export function readPlain(reader: Reader, floor: number, isInBrackets: boolean): PlainText {
  let text = '';
  let gap: Gap = { text: '', isAtLineStart: false };
  while (!reader.isAtDocumentMark && reader.char !== '#') {
    const word = reader.take(isInBrackets ? PLAIN_WORD_IN_BRACKETS : PLAIN_WORD);
    if (word !== '') {
      text += gap.text + word;
      gap = { text: '', isAtLineStart: false };
    }
    if (reader.isAtEnd || !reader.isAtGap) break;
    gap = readPlainGap(reader, floor);
    if (!isInBrackets && reader.column < floor) break;
  }
  return { text, isAtLineStart: gap.isAtLineStart };
}

type Gap = PlainText;

/** White space inside a text: it counts only where more of the text follows. */
function readPlainGap(reader: Reader, floor: number): Gap {
  const blanks = reader.takeBlanks();
  if (!reader.isAtBreak) return { text: blanks, isAtLineStart: false };
  const first = reader.takeBreak();
  let rest = '';
  for (;;) {
    const { column } = reader;
    const tab = reader.takeBlanks().indexOf('\t');
    if (tab >= 0 && column + tab < floor) reader.fail('found a tab character that violates indentation');
    if (!reader.isAtBreak) return { text: folded(first, rest), isAtLineStart: true };
    rest += reader.takeBreak();
  }
}

const CHOMPING = here('[+-]');
const DIGIT = here('[0-9]');
const SPACES_ONLY = here(' +');
const LINE = here(`[^${BREAKS}]+`);

/** A text behind `|` or `>`. */
export function readBlockText(reader: Reader, parentIndent: number): string {
  const isFolded = reader.char === '>';
  reader.skip();
  const { deeper, chomping } = readBlockHeader(reader);
  reader.takeLineEnd();
  const given = deeper === 0 ? undefined : Math.max(parentIndent, 0) + deeper;
  const before = readEmptyLines(reader, given ?? Infinity);
  const indent = given ?? Math.max(before.deepest, parentIndent + 1, 1);
  const { text, lastBreak, breaks } = readLines(reader, indent, isFolded, before.breaks);
  if (chomping === '-') return text;
  return chomping === '+' ? text + lastBreak + breaks : text + lastBreak;
}

/** The lines of a text, and the breaks behind the last. */
function readLines(
  reader: Reader,
  indent: number,
  isFolded: boolean,
  before: string,
): { readonly text: string; readonly lastBreak: string; readonly breaks: string } {
  let [text, lastBreak, breaks] = ['', '', before];
  let wasBlank = false;
  while (reader.column === indent && !reader.isAtEnd) {
    const isBlank = reader.char === ' ' || reader.char === '\t';
    const isJoined = isFolded && !wasBlank && !isBlank && lastBreak.startsWith('\n');
    text += isJoined ? folded(lastBreak, breaks) : lastBreak + breaks;
    text += reader.take(LINE);
    wasBlank = isBlank;
    lastBreak = reader.isAtBreak ? reader.takeBreak() : '';
    ({ breaks } = readEmptyLines(reader, indent));
  }
  return { text, lastBreak, breaks };
}

/** How much deeper the text is, where its header gives it, before or behind the chomping mark. */
function readBlockHeader(reader: Reader): { readonly deeper: number; readonly chomping: string } {
  const before = reader.take(CHOMPING);
  const digit = reader.take(DIGIT);
  if (digit === '0') reader.fail('found an indentation indicator equal to 0');
  const chomping = digit !== '' && before === '' ? reader.take(CHOMPING) : before;
  return { deeper: Number(digit), chomping };
}

/** Skips indentation up to a column, and lines that have no more; gives the deepest column met and their breaks. */
function readEmptyLines(reader: Reader, indent: number): { readonly deepest: number; readonly breaks: string } {
  let deepest = 0;
  let breaks = '';
  for (;;) {
    if (reader.column < indent) {
      reader.take(SPACES_ONLY);
      // What is deeper belongs to the text.
      if (reader.column > indent) reader.skip(indent - reader.column);
    }
    deepest = Math.max(deepest, reader.column);
    if (reader.column < indent && reader.char === '\t')
      reader.fail('found a tab character where an indentation space is expected');
    if (!reader.isAtBreak) return { deepest, breaks };
    breaks += reader.takeBreak();
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
const OCTETS = /(?:%[0-9A-Fa-f]{2})+/g;
const URI = here("(?:[0-9A-Za-z_\\-;/?:@&=+$,.!~*'()[\\]]|%[0-9A-Fa-f]{2})+");

/** A tag: its handle, and what stands behind it. */
export function readTag(reader: Reader): Required<Pick<Token, 'text' | 'rest'>> {
  let text = '';
  let rest = '';
  if (reader.sees(VERBATIM_TAG)) {
    reader.skip(2);
    rest = readUri(reader, false);
    if (reader.char !== '>') reader.fail("did not find the expected '>'");
    reader.skip();
  } else {
    reader.skip();
    const word = reader.take(NAME);
    const isNamed = reader.char === '!';
    if (isNamed) reader.skip();
    text = isNamed ? `!${word}!` : '!';
    rest = (isNamed ? '' : word) + readUri(reader, !isNamed);
  }
  requireGap(reader);
  // A mark of its own: what follows is a text.
  return text === '!' && rest === '' ? { text: '', rest: '!' } : { text, rest };
}

function requireGap(reader: Reader): void {
  if (!reader.isAtGap) reader.fail('did not find expected whitespace or line break');
}

function readUri(reader: Reader, mayBeEmpty: boolean): string {
  const uri = reader.take(URI);
  if (reader.char === '%') reader.fail('did not find URI escaped octet');
  if (uri === '' && !mayBeEmpty) reader.fail('did not find expected tag URI');
  return uri.replaceAll(OCTETS, (octets) => Buffer.from(octets.replaceAll('%', ''), 'hex').toString());
}

/** A line that begins with `%`: its name, and the version, or the handle and what it stands for. */
export function readDirective(reader: Reader): Required<Pick<Token, 'directive' | 'text' | 'rest'>> {
  reader.skip();
  const directive = reader.take(NAME);
  if (directive === '') reader.fail('could not find expected directive name');
  if (!reader.isAtGap) reader.fail('found unexpected non-alphabetical character');
  if (directive !== 'YAML' && directive !== 'TAG') reader.fail('found unknown directive name');
  reader.takeBlanks();
  const parameter = directive === 'YAML' ? { text: readVersion(reader), rest: '' } : readHandle(reader);
  reader.takeLineEnd();
  return { directive: directive as 'YAML' | 'TAG', ...parameter };
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

function readHandle(reader: Reader): Required<Pick<Token, 'text' | 'rest'>> {
  if (reader.char !== '!') reader.fail("did not find expected '!'");
  reader.skip();
  const word = reader.take(NAME);
  const isNamed = reader.char === '!';
  if (isNamed) reader.skip();
  else if (word !== '') reader.fail("did not find expected '!'");
  if (reader.takeBlanks() === '') reader.fail('did not find expected whitespace');
  const rest = readUri(reader, false);
  requireGap(reader);
  return { text: isNamed ? `!${word}!` : '!', rest };
}
