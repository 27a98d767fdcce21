import { YamlSyntaxError } from '../errors.js';

/** What ends a line, as the inside of a character class. */
export const BREAKS = '\\n\\r\\u0085\\u2028\\u2029';
/** White space of any kind. */
export const SPACES = ` \\t${BREAKS}`;

/** A pattern to be looked for where a reader is, and nowhere else. */
export function here(source: string): RegExp {
  return new RegExp(source, 'yu');
}

/** Breaks that texts keep; all others are one to them. */
const OWN_BREAKS = new Set(['\u2028', '\u2029']);

const BREAK = here(`\\r\\n|[${BREAKS}]`);
const BLANKS = here('[ \\t]+');
const COMMENT = here(`#[^${BREAKS}]*`);
/** Before white space, or at the end. */
const GAP = here(`(?![^${SPACES}])`);
const DOCUMENT_MARK = here(`(?:---|\\.\\.\\.)(?![^${SPACES}])`);

/** The error once so much of a text has been read that its next part is looked at, and that part is no text. */
export interface Wall {
  readonly at: number;
  readonly words: string;
}

/** A place in a text. Lines and columns count from zero. */
export class Reader {
  readonly #text: string;
  readonly #wall: string | undefined;
  #lineStart = 0;
  at = 0;
  line = 0;

  constructor(text: string, wall?: Wall) {
    this.#text = wall === undefined ? text : text.slice(0, wall.at);
    this.#wall = wall?.words;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  get isAtEnd(): boolean {
    this.look(1);
    return this.at >= this.#text.length;
  }

  get isAtLineStart(): boolean {
    return this.at === this.#lineStart;
  }

  get isAtBreak(): boolean {
    return this.sees(BREAK);
  }

  /** White space or the end. */
  get isAtGap(): boolean {
    return this.sees(GAP);
  }

  /** `---` or `...` at the beginning of a line. */
  get isAtDocumentMark(): boolean {
    return this.isAtLineStart && this.sees(DOCUMENT_MARK);
  }

  /** Makes sure that so many characters can be looked at. */
  look(count: number): void {
    if (this.#wall !== undefined && this.at + count > this.#text.length)
      throw new YamlSyntaxError(`yaml: ${this.#wall}`);
  }

  /** The character here; empty at the end. */
  get char(): string {
    this.look(1);
    return this.#text[this.at] ?? '';
  }

  /** Whether the next character is followed by white space or nothing. */
  get isAlone(): boolean {
    this.look(2);
    GAP.lastIndex = this.at + 1;
    return GAP.test(this.#text);
  }

  sees(pattern: RegExp): boolean {
    this.look(1);
    pattern.lastIndex = this.at;
    return pattern.test(this.#text);
  }

  /** Reads what a pattern finds here, which holds no line break; empty where it finds nothing. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    // It may go on in the part that is no text.
    this.look(1);
    return found;
  }

  skip(count = 1): void {
    this.at += count;
  }

  /** Reads a line break; gives what it is in a text. */
  takeBreak(): string {
    const char = this.#text[this.at] ?? '';
    this.at += this.#text.startsWith('\r\n', this.at) ? 2 : 1;
    this.beginLine();
    return OWN_BREAKS.has(char) ? char : '\n';
  }

  /** What does not end its last line is read as if it did. */
  beginLine(): void {
    this.#lineStart = this.at;
    this.line += 1;
  }

  takeBlanks(): string {
    return this.take(BLANKS);
  }

  takeComment(): void {
    this.take(COMMENT);
  }

  /** The rest of a line that may hold nothing more. */
  takeLineEnd(): void {
    this.takeBlanks();
    this.takeComment();
    if (this.isAtBreak) this.takeBreak();
    else if (!this.isAtEnd) this.fail('did not find expected comment or line break');
  }

  /** Refuses the text here; the number of the first line is not shown. */
  fail(words: string): never {
    throw new YamlSyntaxError(this.line === 0 ? `yaml: ${words}` : `yaml: line ${this.line + 1}: ${words}`);
  }
}
