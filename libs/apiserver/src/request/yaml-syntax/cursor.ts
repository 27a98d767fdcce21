import { YamlSyntaxError } from '../yaml-errors.js';

/** A place in a text, as the scanner of the real server's reader counts it: lines from zero. */
export class Cursor {
  readonly #text: string;
  at = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The character so many places ahead; empty behind the end. */
  peek(ahead = 0): string {
    return this.#text[this.at + ahead] ?? '';
  }

  isBlank(ahead = 0): boolean {
    const char = this.peek(ahead);
    return char === ' ' || char === '\t';
  }

  isBreak(ahead = 0): boolean {
    const char = this.peek(ahead);
    return char === '\n' || char === '\r' || char === '\u0085' || char === '\u2028' || char === '\u2029';
  }

  isEnd(ahead = 0): boolean {
    return this.peek(ahead) === '';
  }

  isBreakOrEnd(ahead = 0): boolean {
    return this.isEnd(ahead) || this.isBreak(ahead);
  }

  isSpaceOrEnd(ahead = 0): boolean {
    return this.isBlank(ahead) || this.isBreakOrEnd(ahead);
  }

  /** What names of anchors, tags and directives are made of. */
  isWord(): boolean {
    return /^[0-9A-Za-z_-]$/.test(this.peek());
  }

  isDigit(): boolean {
    return /^[0-9]$/.test(this.peek());
  }

  isHex(ahead = 0): boolean {
    return /^[0-9A-Fa-f]$/.test(this.peek(ahead));
  }

  /** `---` or `...` at the beginning of a line. */
  isDocumentIndicator(): boolean {
    if (this.column !== 0 || !this.isSpaceOrEnd(3)) return false;
    const three = this.#text.slice(this.at, this.at + 3);
    return three === '---' || three === '...';
  }

  skip(count = 1): void {
    this.at += count;
    this.column += count;
  }

  skipLine(): void {
    this.at += this.peek() === '\r' && this.peek(1) === '\n' ? 2 : 1;
    this.column = 0;
    this.line += 1;
  }

  skipBlanks(): void {
    while (this.isBlank()) this.skip();
  }

  skipComment(): void {
    if (this.peek() === '#') while (!this.isBreakOrEnd()) this.skip();
  }

  /** The letters and digits that follow; they are read. */
  word(): string {
    const start = this.at;
    while (this.isWord()) this.skip();
    return this.#text.slice(start, this.at);
  }

  /** Refuses the text where the scanner is: it tells the line itself, and nothing of the first. */
  fail(words: string): never {
    throw new YamlSyntaxError(this.line === 0 ? `yaml: ${words}` : `yaml: line ${this.line + 1}: ${words}`);
  }
}
