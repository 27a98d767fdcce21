import { isScalar, visit } from 'yaml';
import type { Document, YAMLParseError } from 'yaml';

/** A text that is no YAML, in the words of the reader the real server has. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}

/*
 * The real server's reader has a scanner of tokens and a parser behind it. Both count lines from zero and leave out the
 * first one; what the scanner says is of the line itself, what the parser says of the one before.
 */
type Stage = 'scanner' | 'parser';

const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const MAPPING_VALUE = /:(?=\s|$)/g;

/** Refuses what no reader takes before it reads. */
export function refuseControlCharacters(text: string): void {
  if (CONTROL.test(text)) throw new YamlSyntaxError('yaml: control characters are not allowed');
}

const SURROGATE = /\\u[dD][89a-fA-F]|\\U(?!000|0010)/g;

/** Escapes of what is no character are refused inside double quotes, unless something else is wrong before. */
export function refuseSurrogates(text: string, document: Document, before = Infinity): void {
  for (const { index } of text.matchAll(SURROGATE)) {
    if (index > before || !isDoubleQuoted(document, index)) continue;
    throw new YamlSyntaxError(said('found invalid Unicode character escape code', 'scanner', lineAt(text, index)));
  }
}

/** Behind the end of what is read one token is looked at, which must be able to be one. */
export function refuseStrayCharacter(text: string, end: number): void {
  const stray = end === Infinity ? undefined : /^\s*[@`]/.exec(text.slice(end));
  if (!stray) return;
  const line = lineAt(text, end + stray[0].length - 1);
  throw new YamlSyntaxError(said('found character that cannot start any token', 'scanner', line));
}

function isDoubleQuoted(document: Document, at: number): boolean {
  let found = false;
  visit(document, (_key, node) => {
    const range = isScalar(node) && node.type === 'QUOTE_DOUBLE' ? node.range : undefined;
    if (range && range[0] < at && at < range[1]) found = true;
    return found ? visit.BREAK : undefined;
  });
  return found;
}

/** The error of the real server's reader for that of ours. */
export function worded(error: YAMLParseError, text: string): YamlSyntaxError {
  return new YamlSyntaxError(describe(error, text), { cause: error });
}

/** What is wrong with aliases and merges is found only when the value is made. */
export function wordedValueError(cause: unknown, text: string): YamlSyntaxError {
  const loop = cause instanceof RangeError ? /&(\S+)\s[^]*\*\1/.exec(text)?.[1] : undefined;
  if (loop !== undefined) return new YamlSyntaxError(`yaml: anchor '${loop}' value contains itself`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  const alias = /^Unresolved alias .*: (.+)$/.exec(reason)?.[1];
  if (alias !== undefined) return new YamlSyntaxError(`yaml: unknown anchor '${alias}' referenced`, { cause });
  if (reason.startsWith('Merge sources'))
    return new YamlSyntaxError('yaml: map merge requires map or sequence of maps as the value', { cause });
  if (reason.startsWith('Excessive alias')) {
    return new YamlSyntaxError('yaml: document contains excessive aliasing', { cause });
  }
  return new YamlSyntaxError(`yaml: ${reason}`, { cause });
}

function describe(error: YAMLParseError, text: string): string {
  const [at] = error.pos;
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return tab(text, at);
    case 'BAD_SCALAR_START':
      return said('found character that cannot start any token', 'scanner', lineAt(text, at));
    case 'BAD_DQ_ESCAPE':
      return said('found unknown escape character', 'scanner', lineAt(text, at));
    case 'BLOCK_AS_IMPLICIT_KEY':
      return /["'[{]/.test(text[at] ?? '') ? noKey(text, at) : strayValue(text, at);
    case 'MULTILINE_IMPLICIT_KEY':
      return multilineKey(text, at);
    case 'MISSING_CHAR':
    case 'BAD_INDENT':
    case 'UNEXPECTED_TOKEN':
      return missing(error.message, text, at);
    default:
      return `yaml: ${error.message.split('\n', 1)[0] ?? ''}`;
  }
}

function missing(message: string, text: string, at: number): string {
  if (message.startsWith('Missing closing')) {
    return said('found unexpected end of stream', 'scanner', lineAt(text, text.length));
  }
  if (message.startsWith('Implicit map keys')) return noColon(text, at);
  if (message.startsWith('Missing directives-end')) return 'yaml: could not find expected directive name';
  if (/^Flow|^Missing , /.test(message)) return unfinishedFlow(message, text, at);
  if (message.startsWith('Sequence item') || isInSequence(text, at)) {
    return said("did not find expected '-' indicator", 'parser', lineAt(text, at));
  }
  return noKey(text, at);
}

/** A tab where a token should start; behind a plain text it is part of its next line. */
function tab(text: string, at: number): string {
  const before = text.slice(0, at).trimEnd();
  const words =
    before === '' || /[:\-?,[{]$/.test(before)
      ? 'found character that cannot start any token'
      : 'found a tab character that violates indentation';
  return said(words, 'scanner', lineAt(text, at));
}

function multilineKey(text: string, at: number): string {
  if (/^-\s/.test(text.slice(at, at + 2))) return noKey(text, at);
  const end = text.indexOf('\n', at);
  const before = text.slice(0, at).trimEnd();
  // Inside a mapping a text on a line of its own is a key; anywhere else it goes on until a colon says it was one.
  return before !== '' && !before.endsWith('-') && end !== -1 ? noColon(text, at) : strayValue(text, at);
}

function noColon(text: string, at: number): string {
  return said("could not find expected ':'", 'scanner', lineAt(text, at) + 1);
}

function noKey(text: string, at: number): string {
  return said('did not find expected key', 'parser', lineAt(text, at));
}

/** A colon in the middle of a text that had begun. */
function strayValue(text: string, at: number): string {
  MAPPING_VALUE.lastIndex = at;
  const colon = MAPPING_VALUE.exec(text)?.index ?? at;
  return said('mapping values are not allowed in this context', 'scanner', lineAt(text, colon));
}

function unfinishedFlow(message: string, text: string, at: number): string {
  const before = text.slice(0, at).trimEnd();
  const isAtEnd = text.slice(at).trim() === '';
  // The reader ends the last line itself where the text does not.
  const line = isAtEnd ? lineAt(text, text.length) + (text.endsWith('\n') ? 0 : 1) : lineAt(text, at);
  const close = message.startsWith('Flow sequence') ? ']' : '}';
  const words = /[:,[{]$/.test(before)
    ? 'did not find expected node content'
    : `did not find expected ',' or '${close}'`;
  return said(words, 'parser', line);
}

/** Whether the line before is an item of a list that starts at the same column. */
function isInSequence(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const indent = /^ */.exec(text.slice(lineStart))?.[0].length ?? 0;
  const before = text.slice(0, lineStart).trimEnd();
  const previous = before.slice(before.lastIndexOf('\n') + 1);
  return previous.slice(indent).startsWith('- ') && previous.slice(0, indent).trim() === '';
}

/** Counted from zero. */
function lineAt(text: string, at: number): number {
  let line = 0;
  for (let k = text.indexOf('\n'); k !== -1 && k < at; k = text.indexOf('\n', k + 1)) line++;
  return line;
}

function said(words: string, stage: Stage, line: number): string {
  if (line === 0) return `yaml: ${words}`;
  return `yaml: line ${stage === 'scanner' ? line + 1 : line}: ${words}`;
}
