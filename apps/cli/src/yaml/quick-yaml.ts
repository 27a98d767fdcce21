/**
 * The YAML that programs write: blocks of keys and dashes, texts on one line or several, short flows. It is read a hundred
 * times faster than by a reader that knows all of YAML; whatever is not surely understood is left to that one.
 */
import { setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { foldQuoted, readBlockText } from './quick-texts.js';
import { isKeyword, NOT_PLAIN, NotPlain, quickFlow, quickScalar } from './quick-scalars.js';

const SPACE = 0x20;
const DASH = 0x2d;
const HASH = 0x23;
const COLON = 0x3a;
const KEY = /([A-Za-z_/$][A-Za-z0-9_./$-]*|"[^"\\\n]*"|'[^'\n]*') *:(?= |\n|$)/y;
/** Blanks of other kinds, which not every reader takes for one, and what no reader of Kubernetes takes. */
const ODD =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ufffe\uffff]/;

// An expression is compiled when it runs for the second time; interpreted it takes longer than all the rest.
ODD.test('');

/** The line of each member of the objects and lists of a document, as numbered from its first. */
export type LineMarks = WeakMap<object, Map<string | number, number>>;

class Reader {
  readonly #text: string;
  readonly #marks: LineMarks | undefined;
  /** Where the present line begins, where what it states begins, and where it ends. */
  #start = 0;
  #at = 0;
  #end = 0;
  #line = 0;

  constructor(text: string, marks: LineMarks | undefined) {
    this.#text = text;
    this.#marks = marks;
    this.#enter(0);
  }

  /** The whole document. */
  document(): unknown {
    if (this.#isOver()) return null;
    const value = this.#block(this.#indent());
    if (!this.#isOver()) throw NOT_PLAIN;
    return value;
  }

  #isOver(): boolean {
    return this.#start > this.#text.length;
  }

  /** How far what the line states is indented; less than any other behind the last line. */
  #indent(): number {
    return this.#isOver() ? -1 : this.#at - this.#start;
  }

  /** Goes to the first line from there on that states something. */
  #enter(from: number): void {
    const text = this.#text;
    for (let start = from; start < text.length;) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      let at = start;
      while (text.charCodeAt(at) === SPACE) at += 1;
      this.#line += 1;
      if (at < end && text.charCodeAt(at) !== HASH) {
        this.#start = start;
        this.#at = at;
        this.#end = end;
        return;
      }
      start = end + 1;
    }
    this.#start = text.length + 1;
  }

  #next(): void {
    this.#enter(this.#end + 1);
  }

  /** Goes on behind a value that ends there, which may be in another line. */
  #leave(end: number): void {
    for (let at = this.#text.indexOf('\n', this.#end); at >= 0 && at < end; at = this.#text.indexOf('\n', at + 1))
      this.#line += 1;
    const newline = this.#text.indexOf('\n', end);
    this.#enter(newline < 0 ? this.#text.length : newline + 1);
  }

  #isDash(): boolean {
    if (this.#text.charCodeAt(this.#at) !== DASH) return false;
    return this.#at + 1 === this.#end || this.#text.charCodeAt(this.#at + 1) === SPACE;
  }

  /** Where the key ends that begins there; 0 where there is none. */
  #keyEnd(at: number): number {
    KEY.lastIndex = at;
    return KEY.test(this.#text) ? KEY.lastIndex : 0;
  }

  #block(indent: number): unknown {
    if (this.#isDash()) return this.#list(indent);
    if (this.#keyEnd(this.#at) > 0) return this.#record(indent);
    throw NOT_PLAIN;
  }

  #mark(parent: object, key: string | number): void {
    if (this.#marks === undefined) return;
    const known = this.#marks.get(parent) ?? new Map<string | number, number>();
    this.#marks.set(parent, known.set(key, this.#line));
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    while (this.#indent() === indent && this.#isDash()) {
      this.#mark(items, items.length);
      items.push(this.#item(indent));
    }
    return items;
  }

  #item(indent: number): unknown {
    let at = this.#at + 1;
    while (this.#text.charCodeAt(at) === SPACE) at += 1;
    if (at >= this.#end || this.#text.charCodeAt(at) === HASH) {
      this.#next();
      const inner = this.#indent();
      return inner > indent ? this.#block(inner) : null;
    }
    // What follows the dash is as if it were on a line of its own.
    const dash = this.#at;
    this.#at = at;
    if (this.#isDash() || this.#keyEnd(at) > 0) return this.#block(at - this.#start);
    this.#at = dash;
    return this.#scalar(at, indent);
  }

  #record(indent: number): JsonObject {
    const record: JsonObject = {};
    while (this.#indent() === indent) {
      const end = this.#keyEnd(this.#at);
      if (end === 0) break;
      const name = keyOf(this.#text, this.#at, end);
      if (Object.hasOwn(record, name)) throw NOT_PLAIN;
      this.#mark(record, name);
      setOwn(record, name, this.#value(end, indent));
    }
    if (this.#indent() > indent || (this.#indent() === indent && !this.#isDash())) throw NOT_PLAIN;
    return record;
  }

  #value(from: number, indent: number): unknown {
    let at = from;
    while (this.#text.charCodeAt(at) === SPACE) at += 1;
    if (at < this.#end && this.#text.charCodeAt(at) !== HASH) return this.#scalar(at, indent);
    this.#next();
    const inner = this.#indent();
    if (inner > indent) return this.#block(inner);
    // A list may stand as far left as the key it belongs to.
    return inner === indent && this.#isDash() ? this.#list(indent) : null;
  }

  #scalar(at: number, indent: number): unknown {
    const text = this.#text;
    const first = text[at] as string;
    if (first === '"' || first === "'") {
      const quoted = foldQuoted(text, at, indent);
      this.#leave(quoted.end);
      return quoted.value;
    }
    if (first === '|' || first === '>') {
      const block = readBlockText(text, at, this.#end, indent);
      this.#leave(block.end);
      return block.value;
    }
    return this.#plain(at, indent, first === '[' || first === '{');
  }

  #plain(at: number, indent: number, isFlow: boolean): unknown {
    const [first, hasComment] = withoutComment(this.#text.slice(at, this.#end));
    const line = this.#line;
    this.#next();
    const value = isFlow ? quickFlow(first) : quickScalar(first);
    if (this.#indent() <= indent) return value;
    if (typeof value !== 'string' || hasComment) throw NOT_PLAIN;
    return this.#folded(value, line, indent);
  }

  /** One text over several lines. */
  #folded(first: string, firstLine: number, indent: number): string {
    let folded = first;
    for (let line = firstLine + 1; this.#indent() > indent; line += 1) {
      const more = this.#text.slice(this.#at, this.#end).trimEnd();
      // An empty line between is a line break, and a comment ends a text.
      if (this.#line !== line || isBeyondPlain(more)) throw NOT_PLAIN;
      folded += ` ${more}`;
      this.#next();
    }
    return folded;
  }
}

/** A plain text without the comment behind it, and whether there was one. */
function withoutComment(text: string): readonly [string, boolean] {
  const at = text.indexOf(' #');
  return at < 0 ? [text.trimEnd(), false] : [text.slice(0, at).trimEnd(), true];
}

/** Whether a further line of a plain text is more than text. */
function isBeyondPlain(line: string): boolean {
  return line.includes(': ') || line.includes(' #') || line.charCodeAt(line.length - 1) === COLON;
}

function keyOf(text: string, at: number, end: number): string {
  const key = text.slice(at, end - 1).trimEnd();
  if (key.startsWith('"') || key.startsWith("'")) return key.slice(1, -1);
  if (isKeyword(key)) throw NOT_PLAIN;
  return key;
}

/** The value of one document, if it is written as plainly as programs do. */
export function readQuickly(text: string, marks?: LineMarks): { readonly value: unknown } | undefined {
  const unix = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  if (ODD.test(unix)) return undefined;
  try {
    return { value: new Reader(unix, marks).document() };
  } catch (error) {
    // Blocks in blocks are read by recursion: what is too deep for it is for the other reader too.
    if (error instanceof NotPlain || error instanceof RangeError) return undefined;
    throw error;
  }
}
