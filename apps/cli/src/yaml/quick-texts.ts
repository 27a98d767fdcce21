/** Texts that may take several lines: quoted ones and those below `|` and `>`. */
import { doubleQuoted, NOT_PLAIN } from './quick-scalars.js';

/** A text, and where in the document it ends. */
export interface ReadText {
  readonly value: string;
  readonly end: number;
}

const BACKSLASH = 0x5c;
/** Behind a value there may be a comment, and nothing else. */
const REST = / *(?: #[^\n]*)?(?=\n|$)/y;

function isLast(text: string, at: number): boolean {
  REST.lastIndex = at;
  return REST.test(text);
}

/** Where the quote is that ends the text. */
function closingQuote(text: string, at: number): number {
  const quote = text[at] as string;
  for (let end = at + 1; ; end += 1) {
    end = text.indexOf(quote, end);
    if (end < 0) throw NOT_PLAIN;
    if (quote === "'") {
      if (text[end + 1] !== "'") return end;
      end += 1;
      continue;
    }
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

/** The quoted text that begins there; its further lines must be indented more than what it belongs to. */
export function foldQuoted(text: string, at: number, indent: number): ReadText {
  const end = closingQuote(text, at);
  if (!isLast(text, end + 1)) throw NOT_PLAIN;
  const raw = text.slice(at + 1, end);
  const isDouble = text[at] === '"';
  const body = raw.includes('\n') ? foldedLines(raw, indent, isDouble) : raw;
  return { value: isDouble ? unescaped(body) : body.replaceAll("''", "'"), end };
}

/** By JSON, whose escapes are YAML's too; an escaped blank is one that stays at the beginning or end of a line. */
function unescaped(body: string): string {
  const blanks = body.includes('\\ ') ? body.replaceAll(/\\([^])/g, (pair, char) => (char === ' ' ? ' ' : pair)) : body;
  return doubleQuoted(`"${blanks.replaceAll('\n', '\\n')}"`);
}

/** Whether a line break is escaped: behind an odd number of backslashes. */
function isEscaped(line: string): boolean {
  let slashes = 0;
  while (line.charCodeAt(line.length - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

function foldedLines(raw: string, indent: number, isDouble: boolean): string {
  const lines = raw.split('\n');
  let folded = endOf(lines[0] as string, isDouble);
  let empty = 0;
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const words = line.trimStart();
    const isLastLine = at === lines.length - 1;
    if (words === '' && !isLastLine) {
      empty += 1;
      continue;
    }
    if (line.length - words.length <= indent) throw NOT_PLAIN;
    const isJoined = isDouble && isEscaped(folded);
    // An escaped break before an empty line is rare, and not the same to all.
    if (isJoined && empty > 0) throw NOT_PLAIN;
    const gap = isJoined ? '' : empty > 0 ? '\n'.repeat(empty) : ' ';
    folded = (isJoined ? folded.slice(0, -1) : folded) + gap + (isLastLine ? words : endOf(words, isDouble));
    empty = 0;
  }
  return folded;
}

/** A line without the blanks at its end; with one that is escaped the other reader knows what to do. */
function endOf(line: string, isDouble: boolean): string {
  const end = line.trimEnd();
  if (isDouble && end !== line && isEscaped(end)) throw NOT_PLAIN;
  return end;
}

/** The text below `|` or `>`, whose mark stands there. */
export function readBlockText(text: string, at: number, lineEnd: number, indent: number): ReadText {
  const mark = text.slice(at, lineEnd).trimEnd();
  if (!/^[|>]-?$/.test(mark)) throw NOT_PLAIN;
  const { end, lines } = blockLines(text, lineEnd + 1, indent);
  const body = mark.startsWith('|') ? lines.join('\n') : foldedBlock(lines);
  return { value: mark.endsWith('-') ? body : `${body}\n`, end };
}

/** The lines of such a text without what all are indented by, and without the empty ones at its end. */
function blockLines(text: string, from: number, indent: number): { lines: string[]; end: number } {
  let margin = from;
  while (text[margin] === ' ') margin += 1;
  margin -= from;
  if (margin <= indent || text[from + margin] === '\n' || from + margin >= text.length) throw NOT_PLAIN;
  const lines: string[] = [];
  let end = from;
  let full = 0;
  for (let start = from; start < text.length;) {
    const newline = text.indexOf('\n', start);
    // At the very end of a text without a line end readers differ in whether there is one.
    if (newline < 0) throw NOT_PLAIN;
    const line = text.slice(start, newline);
    const depth = line.length - line.trimStart().length;
    const isBlank = depth === line.length;
    if (isBlank ? depth > margin : depth < margin) {
      if (isBlank) throw NOT_PLAIN;
      break;
    }
    lines.push(isBlank ? '' : line.slice(margin));
    if (!isBlank) full = lines.length;
    end = newline;
    start = newline + 1;
  }
  lines.length = full;
  return { lines, end };
}

function foldedBlock(lines: readonly string[]): string {
  let folded = '';
  let empty = 0;
  for (const [at, line] of lines.entries()) {
    if (line === '') {
      empty += 1;
      continue;
    }
    if (line.startsWith(' ')) throw NOT_PLAIN;
    folded += (at === 0 ? '' : empty > 0 ? '\n'.repeat(empty) : ' ') + line;
    empty = 0;
  }
  return folded;
}
