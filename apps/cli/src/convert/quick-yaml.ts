/**
 * The YAML that programs write: blocks of keys and dashes, texts on one line. It is read two hundred times faster than by
 * a reader that knows all of YAML; whatever is not surely understood is left to that one.
 */
import { setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/** Thrown inside, never let out: somebody else has to read this. */
class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

const NOT_PLAIN = new NotPlain('more than the plain part of YAML');

const KEY = /^([A-Za-z_/][A-Za-z0-9_./-]*|"[^"\\]*"|'[^']*')\s*:(?:\s+|$)/;
const NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
/** Might be a number of some form, an hour or a date: those that know better decide. */
const NUMBER_LIKE = /^[-+.]?[0-9][0-9_,.:eExXoOA-Fa-f+-]*$/;
const DOTTED = /^[0-9]+(?:\.[0-9]+){2,}$/;
/** Words that are no texts, or not to everybody. */
const WORDS: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off']);
const LONGEST_WORD = 5;
/** A text cannot begin with these, or means something else. */
const SPECIAL = new Set('&*!|>@`%{[]},?#="\'~<-');
const EXPONENT = /^[eE][0-9_]*$/;
/** Blanks of other kinds, which not every reader takes for one. */
const ODD_BLANK = /[\t\v\f\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/;

/** What is no text, and the same to everybody. */
const MEANINGS: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['{}', () => ({})],
  ['[]', () => []],
  ['true', () => true],
  ['false', () => false],
  ['null', () => null],
]);

interface Line {
  /** Where the text begins. */
  readonly indent: number;
  readonly text: string;
}

class Reader {
  readonly #lines: readonly string[];
  #at = 0;
  #line: Line | undefined;

  constructor(text: string) {
    this.#lines = text.split('\n');
    this.#advance(0);
  }

  /** The whole document. */
  document(): unknown {
    const { line } = this;
    if (line === undefined) return null;
    const value = this.#block(line.indent);
    if (this.line !== undefined) throw NOT_PLAIN;
    return value;
  }

  get line(): Line | undefined {
    return this.#line;
  }

  /** Goes to the next line that says something, from the one named on. */
  #advance(from: number): void {
    for (let at = from; at < this.#lines.length; at++) {
      const text = (this.#lines[at] as string).trimEnd();
      const indent = text.length - text.trimStart().length;
      if (indent === text.length || text[indent] === '#') continue;
      this.#at = at;
      this.#line = { indent, text: text.slice(indent) };
      return;
    }
    this.#at = this.#lines.length;
    this.#line = undefined;
  }

  #next(): void {
    this.#advance(this.#at + 1);
  }

  #block(indent: number): unknown {
    const { text = '' } = this.line ?? {};
    if (text === '-' || text.startsWith('- ')) return this.#list(indent);
    if (KEY.test(text)) return this.#record(indent);
    throw NOT_PLAIN;
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let { line } = this; line !== undefined && line.indent === indent; { line } = this) {
      if (line.text !== '-' && !line.text.startsWith('- ')) break;
      items.push(this.#item(line, indent));
    }
    return items;
  }

  #item({ text }: Line, indent: number): unknown {
    const rest = text.slice(1).trimStart();
    if (rest === '') {
      this.#next();
      const { line } = this;
      return line !== undefined && line.indent > indent ? this.#block(line.indent) : null;
    }
    if (!KEY.test(rest) && !rest.startsWith('- ') && rest !== '-') return this.#scalar(rest, indent);
    // What stands beside the dash is as if it stood on a line of its own.
    const inner = indent + text.length - rest.length;
    this.#line = { indent: inner, text: rest };
    return this.#block(inner);
  }

  #record(indent: number): JsonObject {
    const record: JsonObject = {};
    for (let { line } = this; line !== undefined && line.indent === indent; { line } = this) {
      const match = KEY.exec(line.text);
      if (match === null) break;
      const name = keyOf(match[1] as string);
      if (Object.hasOwn(record, name)) throw NOT_PLAIN;
      setOwn(record, name, this.#value(line.text.slice(match[0].length), indent));
    }
    const { line } = this;
    if (line !== undefined && line.indent >= indent && !(line.indent === indent && line.text.startsWith('-')))
      throw NOT_PLAIN;
    return record;
  }

  #value(rest: string, indent: number): unknown {
    if (rest !== '' && !rest.startsWith('#')) return this.#scalar(rest, indent);
    this.#next();
    const { line } = this;
    if (line === undefined || line.indent < indent) return null;
    if (line.indent > indent) return this.#block(line.indent);
    // A list may stand as far left as the key it belongs to.
    return line.text === '-' || line.text.startsWith('- ') ? this.#list(indent) : null;
  }

  #scalar(text: string, indent: number): unknown {
    if (/^\|[-+]?$/.test(text)) return this.#literal(text.slice(1), indent);
    const value = scalarOf(text);
    this.#next();
    // What goes on below is one text over several lines.
    if (this.line !== undefined && this.line.indent > indent) throw NOT_PLAIN;
    return value;
  }

  /** The text below `|`: line by line, without what all are indented by. */
  #literal(chomping: string, indent: number): string {
    if (chomping === '+') throw NOT_PLAIN;
    const first = this.#lines[this.#at + 1] ?? '';
    const margin = first.length - first.trimStart().length;
    if (margin <= indent || margin === first.length) throw NOT_PLAIN;
    const lines: string[] = [];
    let at = this.#at + 1;
    for (; at < this.#lines.length; at++) {
      const line = literalLine(this.#lines[at] as string, margin);
      if (line === undefined) break;
      lines.push(line);
    }
    this.#advance(at);
    const body = lines.join('\n').replace(/\n+$/, '');
    return chomping === '-' ? body : `${body}\n`;
  }
}

/** A line of a text below `|`; undefined where that has ended. */
function literalLine(raw: string, margin: number): string | undefined {
  const depth = raw.length - raw.trimStart().length;
  const isBlank = depth === raw.length;
  if (raw.includes('\r') || (isBlank && depth > margin)) throw NOT_PLAIN;
  if (isBlank) return '';
  return depth < margin ? undefined : raw.slice(margin);
}

function keyOf(text: string): string {
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1);
  if (isWord(text)) throw NOT_PLAIN;
  return text;
}

/** Whether a plain text means something else than itself, to somebody. */
function isWord(text: string): boolean {
  if (text.length > LONGEST_WORD) return EXPONENT.test(text);
  const low = text.toLowerCase();
  return WORDS.has(low) || low === 'true' || low === 'false' || low === 'null' || EXPONENT.test(text);
}

function scalarOf(text: string): unknown {
  const first = text[0] as string;
  if (first === '"') return doubleQuoted(text);
  if (first === "'") return singleQuoted(text);
  const made = MEANINGS.get(text);
  if (made !== undefined) return made();
  if (NUMBER.test(text) && !text.startsWith('-0')) return Number(text);
  if (!isText(text, first)) throw NOT_PLAIN;
  return text;
}

function isText(text: string, first: string): boolean {
  if (SPECIAL.has(first) || text.includes(' #') || text.includes(': ') || text.endsWith(':')) return false;
  return !isWord(text) && (!NUMBER_LIKE.test(text) || DOTTED.test(text));
}

function doubleQuoted(text: string): string {
  // What JSON takes YAML takes the same way; YAML's own escapes JSON refuses.
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
  } catch {
    // Left to the other reader.
  }
  throw NOT_PLAIN;
}

function singleQuoted(text: string): string {
  const body = text.slice(1, -1);
  if (text.length < 2 || !text.endsWith("'") || body.replaceAll("''", '').includes("'")) throw NOT_PLAIN;
  return body.replaceAll("''", "'");
}

/** The value of one document, if it is written as plainly as programs do. */
export function readQuickly(text: string): { readonly value: unknown } | undefined {
  if (ODD_BLANK.test(text)) return undefined;
  try {
    return { value: new Reader(text).document() };
  } catch (error) {
    // Blocks in blocks are read by recursion: what is too deep for it is for the other reader too.
    if (error instanceof NotPlain || error instanceof RangeError) return undefined;
    throw error;
  }
}
