import { Cursor } from './cursor.js';
import { scanAnchor, scanBlockScalar, scanDirective, scanPlain, scanQuoted, scanTag } from './scalars.js';
import type { SimpleKey, Token, TokenType } from './token.js';

type Place = Pick<Token, 'at' | 'line'>;

const NO_KEY: SimpleKey = { isPossible: false, isRequired: false, number: -1, at: 0, line: 0, column: 0 };
const MAX_KEY_LENGTH = 1024;
const MAX_DEPTH = 10_000;
const STARTS_NO_PLAIN = new Set('-?:,[]{}#&*!|>\'"%@`');

/**
 * Tokens of a YAML text, with what the reader of the real server finds wrong in them, in the order in which it finds it:
 * it reads ahead no further than it must to know whether something was a key.
 */
export class Tokens {
  readonly #cursor: Cursor;
  /** Read, but not taken. */
  #waiting: Token[] = [];
  #taken = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #mayBeKey = true;
  /** One for each level of brackets. */
  readonly #keys: SimpleKey[] = [NO_KEY];
  /** The levels by the number of the token. */
  readonly #keyLevels = new Map<number, number>();

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    const [token] = this.#waiting;
    return token ?? { type: 'stream end', at: this.#cursor.at, line: this.#cursor.line };
  }

  take(): void {
    this.#waiting.shift();
    this.#taken += 1;
  }

  #needsMore(): boolean {
    if (this.#waiting.length === 0) return true;
    const level = this.#keyLevels.get(this.#taken);
    const key = level === undefined ? undefined : this.#keys[level];
    return key !== undefined && this.#isStillKey(key);
  }

  #add(type: TokenType, rest: Omit<Token, 'type' | 'line' | 'at'> = {}, start: Place = this.#cursor): void {
    this.#waiting.push({ type, at: start.at, line: start.line, ...rest });
  }

  #insert(type: TokenType, { number, at, line }: SimpleKey): void {
    this.#waiting.splice(number - this.#taken, 0, { type, at, line });
  }

  #place(): Place {
    const { at, line } = this.#cursor;
    return { at, line };
  }

  #isStillKey(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    const { line, at } = this.#cursor;
    if (key.line === line && key.at + MAX_KEY_LENGTH >= at) return true;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    return false;
  }

  #key(): SimpleKey {
    return this.#keys.at(-1) ?? NO_KEY;
  }

  #saveKey(): void {
    if (!this.#mayBeKey) return;
    const { at, line, column } = this.#cursor;
    const isRequired = this.#flowLevel === 0 && this.#indent === column;
    const number = this.#taken + this.#waiting.length;
    this.#dropKey();
    this.#keys[this.#keys.length - 1] = { isPossible: true, isRequired, number, at, line, column };
    this.#keyLevels.set(number, this.#keys.length - 1);
  }

  #dropKey(): void {
    const key = this.#key();
    if (!key.isPossible) return;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    this.#keyLevels.delete(key.number);
  }

  /** Opens a block where the column is deeper than before. */
  #roll(column: number, type: TokenType, at?: SimpleKey): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > MAX_DEPTH) this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    if (at === undefined) this.#add(type);
    else this.#insert(type, at);
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#add('block end');
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.column === 0 && cursor.peek() === '\ufeff') cursor.skip();
      while (cursor.peek() === ' ' || (cursor.peek() === '\t' && (this.#flowLevel > 0 || !this.#mayBeKey)))
        cursor.skip();
      cursor.skipComment();
      if (!cursor.isBreak()) return;
      cursor.skipLine();
      if (this.#flowLevel === 0) this.#mayBeKey = true;
    }
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unroll(cursor.column);
    if (cursor.isEnd()) return this.#fetchEnd();
    if (cursor.column === 0 && cursor.peek() === '%') return this.#fetchDirective();
    if (cursor.isDocumentIndicator()) return this.#fetchIndicator();
    const char = cursor.peek();
    switch (char) {
      case '[':
      case '{':
        return this.#fetchOpen(char);
      case ']':
      case '}':
        return this.#fetchClose(char);
      case ',':
        return this.#fetchComma();
      case '-':
      case '?':
      case ':':
        return this.#fetchMark(char);
      default:
        return this.#fetchContent(char);
    }
  }

  /** What is a mark by itself, and else begins a text. */
  #fetchMark(char: '-' | '?' | ':'): void {
    const isAlone = this.#cursor.isSpaceOrEnd(1);
    if (char === '-') return isAlone ? this.#fetchEntry() : this.#fetchContent(char);
    if (this.#flowLevel === 0 && !isAlone) return this.#fetchContent(char);
    return char === '?' ? this.#fetchKey() : this.#fetchValue();
  }

  #fetchContent(char: string): void {
    const start = this.#place();
    if ((char === '|' || char === '>') && this.#flowLevel === 0) {
      this.#dropKey();
      this.#mayBeKey = true;
      scanBlockScalar(this.#cursor, this.#indent);
      return this.#add('scalar', {}, start);
    }
    const isMarked = '*&!\'"'.includes(char);
    if (!isMarked && !this.#startsPlain(char)) this.#cursor.fail('found character that cannot start any token');
    this.#saveKey();
    this.#mayBeKey = false;
    if (char === '*') this.#add('alias', { text: scanAnchor(this.#cursor) }, start);
    else if (char === '&') this.#add('anchor', { text: scanAnchor(this.#cursor) }, start);
    else if (char === '!') this.#add('tag', { text: scanTag(this.#cursor) }, start);
    else {
      if (isMarked) scanQuoted(this.#cursor);
      else if (scanPlain(this.#cursor, this.#indent + 1, this.#flowLevel > 0)) this.#mayBeKey = true;
      this.#add('scalar', {}, start);
    }
  }

  #startsPlain(char: string): boolean {
    const cursor = this.#cursor;
    if (!STARTS_NO_PLAIN.has(char)) return !cursor.isBlank();
    if (char === '-') return !cursor.isBlank(1);
    return this.#flowLevel === 0 && (char === '?' || char === ':') && !cursor.isSpaceOrEnd(1);
  }

  #fetchEnd(): void {
    const cursor = this.#cursor;
    // What does not end its last line is read as if it did.
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line += 1;
    }
    this.#unroll(-1);
    this.#dropKey();
    this.#mayBeKey = false;
    this.#add('stream end');
  }

  #fetchDirective(): void {
    const start = this.#place();
    this.#unroll(-1);
    this.#dropKey();
    this.#mayBeKey = false;
    this.#add('directive', { directive: scanDirective(this.#cursor) }, start);
  }

  #fetchIndicator(): void {
    const type = this.#cursor.peek() === '-' ? 'document start' : 'document end';
    this.#unroll(-1);
    this.#dropKey();
    this.#mayBeKey = false;
    this.#add(type);
    this.#cursor.skip(3);
  }

  #fetchOpen(char: '[' | '{'): void {
    this.#saveKey();
    this.#keys.push({ ...NO_KEY, number: this.#taken + this.#waiting.length });
    this.#flowLevel += 1;
    if (this.#flowLevel > MAX_DEPTH) this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.#mayBeKey = true;
    this.#add(char);
    this.#cursor.skip();
  }

  #fetchClose(char: ']' | '}'): void {
    this.#dropKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel -= 1;
      this.#keyLevels.delete(this.#key().number);
      this.#keys.pop();
    }
    this.#mayBeKey = false;
    this.#add(char);
    this.#cursor.skip();
  }

  #fetchComma(): void {
    this.#dropKey();
    this.#mayBeKey = true;
    this.#add(',');
    this.#cursor.skip();
  }

  #fetchEntry(): void {
    const cursor = this.#cursor;
    if (this.#flowLevel === 0) {
      if (!this.#mayBeKey) cursor.fail('block sequence entries are not allowed in this context');
      this.#roll(cursor.column, 'block sequence start');
    }
    this.#dropKey();
    this.#mayBeKey = true;
    this.#add('block entry');
    cursor.skip();
  }

  #fetchKey(): void {
    const cursor = this.#cursor;
    if (this.#flowLevel === 0) {
      if (!this.#mayBeKey) cursor.fail('mapping keys are not allowed in this context');
      this.#roll(cursor.column, 'block mapping start');
    }
    this.#dropKey();
    this.#mayBeKey = this.#flowLevel === 0;
    this.#add('key');
    cursor.skip();
  }

  #fetchValue(): void {
    const cursor = this.#cursor;
    const key = this.#key();
    if (this.#isStillKey(key)) {
      this.#insert('key', key);
      this.#roll(key.column, 'block mapping start', key);
      key.isPossible = false;
      this.#keyLevels.delete(key.number);
      this.#mayBeKey = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#mayBeKey) cursor.fail('mapping values are not allowed in this context');
        this.#roll(cursor.column, 'block mapping start');
      }
      this.#mayBeKey = this.#flowLevel === 0;
    }
    this.#add('value');
    cursor.skip();
  }
}
