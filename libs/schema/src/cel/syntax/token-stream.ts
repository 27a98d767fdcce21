/** The tokens of an expression with the server's way of complaining about the one that does not fit. */
import type { CelIssue } from './issues.js';
import { Lexer } from './lexer.js';
import type { Token, TokenType } from './lexer.js';

const operandNames =
  "'[' '{' '(' '.' '-' '!' 'true' 'false' 'null' NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER".split(' ');
const operandStart = new Set<TokenType>(
  '[ { ( . - ! true false null float int uint string bytes ident'.split(' ') as TokenType[],
);

/** What stands between two operands; a minus may begin one. */
const operators = new Set<TokenType>('< <= >= > == != in + * / % && || ?'.split(' ') as TokenType[]);

/** Reading cannot go on. */
export class Halt extends Error {}

/** Whether an operand may begin with the token. */
export function startsOperand(token: Token): boolean {
  return operandStart.has(token.type);
}

/** Whether the token stands between two operands. */
export function isBinary(token: Token): boolean {
  return operators.has(token.type);
}

/** What an operand may begin with, and what else may stand there. */
function operandsOr(extra: "')'" | "'?'" | undefined): string {
  const names = [...operandNames];
  if (extra !== undefined) names.splice(extra === "')'" ? 3 : 6, 0, extra);
  return names.join(', ');
}

/** What a list or map may begin with, or be over with. */
function itemsOr(close: ']' | '}'): string {
  const names = [...operandNames];
  names.splice(6, 0, "'?'");
  names.splice(4, 0, "','");
  names.splice(close === ']' ? 1 : 2, 0, `'${close}'`);
  return names.join(', ');
}

/** Whether an item of a list or map may begin with the token. */
export function startsItem(token: Token): boolean {
  return startsOperand(token) || token.type === '?';
}

/** Whether the token may be the name of a field. */
export function isFieldName({ type }: Token): boolean {
  return type === 'ident' || type === 'escaped';
}

/** What the name of a field may be. */
export const FIELD_NAMES = '{IDENTIFIER, ESC_IDENTIFIER}';

/** Whether a field of a struct may begin with the token. */
export function startsField(token: Token): boolean {
  return isFieldName(token) || token.type === '?';
}

/** Whether the token may stand behind an operand, wherever that is. */
export function followsOperand(token: Token): boolean {
  const { type } = token;
  return isBinary(token) || type === '-' || type === '.' || type === '[' || type === 'eof';
}

/** A cursor over the tokens. */
export class TokenStream {
  readonly issues: CelIssue[];
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: string) {
    const lexer = new Lexer(source);
    this.#source = source;
    this.#tokens = lexer.tokens;
    this.issues = lexer.issues;
  }

  /** The current token, or one further on. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  /** Takes tokens off and gives the first of them. */
  take(count = 1): Token {
    const token = this.peek();
    this.#at += count;
    return token;
  }

  /** Whether the current token is of the type. */
  is(type: TokenType): boolean {
    return this.peek().type === type;
  }

  /** Takes the token if it is of the type. */
  accept(type: TokenType): Token | undefined {
    return this.is(type) ? this.take() : undefined;
  }

  /** The source text of a token. */
  text(token: Token): string {
    return this.#source.slice(token.start, token.end);
  }

  /** The source text from a token to the end of the current one. */
  between(first: Token): string {
    return this.#source.slice(first.start, this.peek().end);
  }

  /** The token as messages name it. */
  shown(token: Token): string {
    return token.type === 'eof' ? '<EOF>' : this.text(token);
  }

  /** Records an issue. */
  complain(offset: number, message: string): void {
    this.issues.push({ offset, message });
  }

  /** Records a syntax error at the current token and gives up. */
  halt(message: string): never {
    this.complain(this.peek().start, `Syntax error: ${message}`);
    throw new Halt();
  }

  /** Takes a closing token, skipping one stray token or supplying a missing one as the server does. */
  expect(type: TokenType, follows: (token: Token) => boolean): Token {
    const token = this.accept(type);
    if (token !== undefined) return token;
    const found = this.peek();
    if (this.peek(1).type === type) {
      this.complain(found.start, `Syntax error: extraneous input '${this.shown(found)}' expecting '${type}'`);
      this.take();
      return this.take();
    }
    if (!follows(found)) this.halt(`mismatched input '${this.shown(found)}' expecting '${type}'`);
    this.complain(found.start, `Syntax error: missing '${type}' at '${this.shown(found)}'`);
    return found;
  }

  /**
   * Makes sure an operand may begin here; one stray token before it is skipped. False where an operator stands in its
   * place: it is reported, and parsing continues behind it.
   */
  needOperand(extra?: "')'" | "'?'"): boolean {
    const found = this.peek();
    if (startsOperand(found)) return true;
    const isOperator = isBinary(found);
    if (isOperator && this.#isReported(found)) return false;
    const skip = this.#isFitAfter(extra);
    const afterNot = this.#isAfterNot(found);
    const verb = skip || afterNot ? 'extraneous' : 'mismatched';
    const message = `${verb} input '${this.shown(found)}' expecting {${operandsOr(extra)}}`;
    if (!skip && !isOperator) this.halt(message);
    this.complain(found.start, `Syntax error: ${message}`);
    if (!skip && !afterNot) return false;
    this.take();
    return skip ? startsOperand(this.peek()) : this.needOperand();
  }

  /** Whether the token behind the current one would do. */
  #isFitAfter(extra: "')'" | "'?'" | undefined): boolean {
    const next = this.peek(1);
    return startsOperand(next) || (extra === "')'" && next.type === ')');
  }

  #isAfterNot(token: Token): boolean {
    return this.#at > 0 && this.peek(-1).type === '!' && (isBinary(token) || token.type === 'eof');
  }

  /** Whether a token has already been reported as misplaced: that happens once. */
  #isReported(token: Token): boolean {
    const last = this.issues.at(-1);
    return last?.offset === token.start && last.message.startsWith('Syntax error: mismatched');
  }

  /** Records a syntax error at the current token; where it is an operator reading may go on with it, else it ends. */
  haltUnlessOperator(message: string): void {
    if (!isBinary(this.peek()) && !this.is('-')) this.halt(message);
    this.complain(this.peek().start, `Syntax error: ${message}`);
  }

  /** Refuses what is in the place of a field's name; ends the reading unless it is an operator. */
  refuseField(token: Token, isOptional: boolean): void {
    if (isOptional) {
      this.complain(token.start, `Syntax error: mismatched input '${this.shown(token)}' expecting ${FIELD_NAMES}`);
      this.complain(token.start, 'unsupported ident kind');
      if (!isBinary(token)) throw new Halt();
      return;
    }
    const isWord = token.type === 'true' || token.type === 'false' || token.type === 'null';
    if (isWord) this.halt(`mismatched input '${token.type}' expecting IDENTIFIER`);
    this.haltUnlessOperator(`no viable alternative at input '.${token.type === 'eof' ? '' : this.text(token)}'`);
  }

  /** Behind the opening of a list or map. One stray token is skipped; false where reading goes on with an operator. */
  opens(close: ']' | '}'): boolean {
    const isFit = (token: Token): boolean => startsItem(token) || token.type === ',' || token.type === close;
    return this.#opensWith(isFit, itemsOr(close));
  }

  /** The same behind that of a struct. */
  opensFields(): boolean {
    const isFit = (token: Token): boolean => startsField(token) || token.type === ',' || token.type === '}';
    return this.#opensWith(isFit, "'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER");
  }

  #opensWith(isFit: (token: Token) => boolean, expected: string): boolean {
    const found = this.peek();
    if (isFit(found)) return true;
    const isSkipped = isFit(this.peek(1));
    const verb = isSkipped ? 'extraneous' : 'mismatched';
    const message = `${verb} input '${this.shown(found)}' expecting {${expected}}`;
    if (!isSkipped) {
      this.haltUnlessOperator(message);
      return false;
    }
    this.complain(found.start, `Syntax error: ${message}`);
    this.take();
    return true;
  }

  /** A comma or the end of a list, map or struct; one stray token before it is skipped. */
  comma(close: ']' | '}'): void {
    if (this.accept(',') !== undefined || this.is(close)) return;
    const found = this.peek();
    const next = this.peek(1).type;
    const isSkipped = next === ',' || next === close;
    const verb = isSkipped ? 'extraneous' : 'mismatched';
    const message = `${verb} input '${this.shown(found)}' expecting {'${close}', ','}`;
    if (!isSkipped) this.halt(message);
    this.complain(found.start, `Syntax error: ${message}`);
    this.take();
    this.accept(',');
  }
}
