import { readAnchor, readBlockText, readDirective, readPlain, readQuoted, readTag } from './leaves.js';
import { MARKS, type Mark } from './marks.table.js';
import { Reader, here, type Wall } from './reader.js';
import type { Token, TokenType } from './tokens.js';

/** What may turn out to have been a key, once a colon follows. */
interface Candidate {
  /** The number of the token that the key would begin with. */
  readonly number: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
  /** There can be nothing but a key here. */
  readonly isRequired: boolean;
  /** Its token is held back until it is known. */
  isAwaited: boolean;
}

/** The text outside brackets, or inside one. */
interface Level {
  /** The number of the token that opens it. */
  readonly opening: number;
  /** The number of its candidate. */
  candidate: number;
}

type Place = Pick<Token, 'at' | 'line'>;

const NO_CANDIDATE = -1;
const MAX_KEY_LENGTH = 1024;
const MAX_DEPTH = 10_000;
/** How far ahead is looked before anything is read. */
const LOOKAHEAD = 4;

const SPACES_ONLY = here(' +');
const SPACES_AND_TABS = here('[ \\t]+');
/** What neither stands for itself nor begins a text without quotes. */
const NEVER_PLAIN = new Set(',[]{}#&*!|>\'"%@`\t');

/**
 * Tokens of a YAML text, with what the reader of the real server finds wrong in them, in the order in which it finds it:
 * it reads ahead no further than it must to know whether something was a key.
 */
export class Lexer {
  readonly #reader: Reader;
  /** Read, but not taken. */
  readonly #queue: Token[] = [];
  #taken = 0;
  /** The columns of the open blocks, and the brackets around the place; blocks are opened outside brackets alone. */
  readonly #columns: number[] = [];
  readonly #levels: Level[] = [{ opening: NO_CANDIDATE, candidate: NO_CANDIDATE }];
  #keyMayFollow = true;
  /** What is still a candidate, by its number. */
  readonly #candidates = new Map<number, Candidate>();

  constructor(text: string, wall?: Wall) {
    this.#reader = new Reader(text, wall);
  }

  /** The token that comes next. */
  peek(): Token {
    while (this.#isUndecided()) this.#read();
    return this.#queue[0] ?? { type: 'stream end', ...this.#place() };
  }

  take(): void {
    this.#queue.shift();
    this.#taken += 1;
  }

  #isUndecided(): boolean {
    if (this.#queue.length === 0) return true;
    const candidate = this.#candidates.get(this.#taken);
    return candidate?.isAwaited === true && this.#isAlive(candidate);
  }

  get #isInBrackets(): boolean {
    return this.#levels.length > 1;
  }

  get #indent(): number {
    return this.#columns.at(-1) ?? -1;
  }

  #place(): Place {
    const { at, line } = this.#reader;
    return { at, line };
  }

  #add(type: TokenType): void {
    const { at, line } = this.#reader;
    this.#queue.push({ type, at, line });
  }

  /** A key is on one line, and not too long. */
  #isAlive({ number, line, at, isRequired }: Candidate): boolean {
    if (line === this.#reader.line && this.#reader.at <= at + MAX_KEY_LENGTH) return true;
    if (isRequired) this.#reader.fail("could not find expected ':'");
    this.#candidates.delete(number);
    return false;
  }

  #candidate(): Candidate | undefined {
    return this.#candidates.get(this.#levels.at(-1)?.candidate ?? NO_CANDIDATE);
  }

  /** What follows begins a key, perhaps. */
  #offerCandidate(): void {
    if (!this.#keyMayFollow) return;
    this.#dropCandidate();
    const { at, line, column } = this.#reader;
    const number = this.#taken + this.#queue.length;
    const isRequired = !this.#isInBrackets && this.#indent === column;
    this.#candidates.set(number, { number, at, line, column, isRequired, isAwaited: true });
    const level = this.#levels.at(-1);
    if (level !== undefined) level.candidate = number;
  }

  #dropCandidate(): void {
    const candidate = this.#candidate();
    if (candidate === undefined) return;
    if (candidate.isRequired) this.#reader.fail("could not find expected ':'");
    this.#candidates.delete(candidate.number);
  }

  /** Opens a block where the column is deeper than that of the last; returns whether it did. */
  #opensBlock(column: number): boolean {
    if (this.#isInBrackets || this.#indent >= column) return false;
    this.#columns.push(column);
    this.#requireDepth(this.#columns.length);
    return true;
  }

  #closeBlocks(column: number): void {
    if (this.#isInBrackets) return;
    while (this.#indent > column) {
      this.#add('block end');
      this.#columns.pop();
    }
  }

  #requireDepth(depth: number): void {
    if (depth > MAX_DEPTH) this.#reader.fail(`exceeded max depth of ${MAX_DEPTH}`);
  }

  /** Tabs are no indentation: where a key may follow they are not skipped. */
  #skipSpace(): void {
    const reader = this.#reader;
    for (;;) {
      reader.take(this.#isInBrackets || !this.#keyMayFollow ? SPACES_AND_TABS : SPACES_ONLY);
      reader.takeComment();
      if (!reader.isAtBreak) return;
      reader.takeBreak();
      if (!this.#isInBrackets) this.#keyMayFollow = true;
    }
  }

  #read(): void {
    const reader = this.#reader;
    reader.look(LOOKAHEAD);
    this.#skipSpace();
    reader.look(LOOKAHEAD);
    this.#closeBlocks(reader.column);
    if (reader.isAtEnd) return this.#readEnd();
    if (reader.isAtLineStart && reader.char === '%') return this.#readDirective();
    if (reader.isAtDocumentMark) return this.#readMark(MARKS[reader.char === '-' ? '---' : '...']);
    const { char } = reader;
    switch (char) {
      case '[':
      case '{':
      case ']':
      case '}':
      case ',':
        return this.#readMark(MARKS[char]);
      case '-':
        return reader.isAlone ? this.#readMark(MARKS[char]) : this.#readContent(char);
      case '?':
        return this.#isInBrackets || reader.isAlone ? this.#readMark(MARKS[char]) : this.#readContent(char);
      case ':':
        return this.#isInBrackets || reader.isAlone ? this.#readColon() : this.#readContent(char);
      default:
        return this.#readContent(char);
    }
  }

  #readMark(mark: Mark): void {
    const reader = this.#reader;
    if (mark.endsBlocks) this.#closeBlocks(-1);
    if (mark.isCandidate) this.#offerCandidate();
    if (mark.block !== undefined && !this.#isInBrackets) {
      if (!this.#keyMayFollow) reader.fail(mark.block.refusal);
      if (this.#opensBlock(reader.column)) this.#add(mark.block.type);
    }
    if (!mark.isCandidate) this.#dropCandidate();
    if (mark.bracket !== undefined) this.#changeLevel(mark.bracket);
    this.#keyMayFollow =
      mark.key === 'may follow' || (mark.key === 'may follow outside brackets' && !this.#isInBrackets);
    this.#add(mark.type);
    reader.skip(mark.width);
  }

  #changeLevel(bracket: 'opens' | 'closes'): void {
    if (bracket === 'opens') {
      this.#levels.push({ opening: this.#taken + this.#queue.length, candidate: NO_CANDIDATE });
      this.#requireDepth(this.#levels.length - 1);
    } else if (this.#isInBrackets) {
      const level = this.#levels.pop();
      // The real server's reader does not wait for what follows brackets with nothing inside.
      const opened = level?.candidate === NO_CANDIDATE ? this.#candidates.get(level.opening) : undefined;
      if (opened !== undefined) opened.isAwaited = false;
    }
  }

  /** A colon makes a key of its candidate; without one its own place is where the block begins. */
  #readColon(): void {
    const candidate = this.#candidate();
    if (candidate === undefined || !this.#isAlive(candidate)) return this.#readMark(MARKS[':']);
    const { number, at, line, column } = candidate;
    const opensBlock = this.#opensBlock(column);
    // What was not waited for has been taken.
    const index = number < this.#taken ? this.#queue.length : number - this.#taken;
    this.#queue.splice(index, 0, { type: 'key', at, line });
    if (opensBlock) this.#queue.splice(index, 0, { type: 'block mapping start', at, line });
    this.#candidates.delete(number);
    this.#keyMayFollow = false;
    this.#add('value');
    this.#reader.skip();
  }

  #readEnd(): void {
    if (!this.#reader.isAtLineStart) this.#reader.beginLine();
    this.#endDocument();
    this.#add('stream end');
  }

  #readDirective(): void {
    const { at, line } = this.#place();
    this.#endDocument();
    this.#queue.push({ type: 'directive', at, line, ...readDirective(this.#reader) });
  }

  #endDocument(): void {
    this.#closeBlocks(-1);
    this.#dropCandidate();
    this.#keyMayFollow = false;
  }

  #readContent(char: string): void {
    const reader = this.#reader;
    const place = this.#place();
    if ((char === '|' || char === '>') && !this.#isInBrackets) {
      this.#dropCandidate();
      this.#keyMayFollow = true;
      this.#queue.push({ type: 'scalar', ...place, text: readBlockText(reader, this.#indent) });
      return;
    }
    if (!'*&!\'"'.includes(char) && !this.#beginsPlain(char))
      reader.fail('found character that cannot start any token');
    this.#offerCandidate();
    this.#keyMayFollow = false;
    this.#queue.push(this.#readLeaf(char, place));
  }

  /** Objects are written out: most tokens are made here, and a spread takes longer than the reading. */
  #readLeaf(char: string, { at, line }: Place): Token {
    const reader = this.#reader;
    switch (char) {
      case '*':
        return { type: 'alias', at, line, text: readAnchor(reader) };
      case '&':
        return { type: 'anchor', at, line, text: readAnchor(reader) };
      case '!':
        return { type: 'tag', at, line, ...readTag(reader) };
      case '"':
      case "'":
        return { type: 'scalar', at, line, text: readQuoted(reader, char) };
      default:
        return { type: 'scalar', at, line, text: this.#readPlain(), isPlain: true };
    }
  }

  #readPlain(): string {
    const { text, isAtLineStart } = readPlain(this.#reader, this.#indent + 1, this.#isInBrackets);
    // A text that ran into another line has a key behind it, perhaps.
    if (isAtLineStart) this.#keyMayFollow = true;
    return text;
  }

  /** Marks that get here do not stand alone. */
  #beginsPlain(char: string): boolean {
    if (char === '-') return true;
    if (char === '?' || char === ':') return !this.#isInBrackets;
    return !NEVER_PLAIN.has(char);
  }
}
