/** The selector language: `a=b,c in (d,e),!f`. Accepts and refuses what the server does, in its words. */
import { fieldErrorMessage } from '../validation/field-error.js';
import { compareBytes } from '../json/compare-bytes.js';
import { LabelMatcher } from './label-matcher.js';
import {
  binaryOperators,
  checkRequirementKey,
  labelRequirement,
  SelectorError,
  type LabelOperator,
  type LabelRequirement,
} from './requirement.js';

type TokenType = 'identifier' | 'end' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '<' | '>' | 'in' | 'notin';

interface Token {
  readonly type: TokenType;
  readonly text: string;
}

const operators: ReadonlyMap<TokenType, LabelOperator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

const endToken: Token = { type: 'end', text: '' };

/** A NUL byte ends a word and, between words, the whole input: the server reads it as its own end mark. */
const word = /[^=!(),<> \t\r\n\0]+/y;
const space = /[ \t\r\n]*/y;

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    space.lastIndex = position;
    space.test(text);
    position = space.lastIndex;
    const character = text[position];
    if (character === undefined || character === '\0') break;
    word.lastIndex = position;
    const match = word.exec(text);
    if (match !== null) {
      const found = match[0];
      tokens.push({ type: found === 'in' || found === 'notin' ? found : 'identifier', text: found });
      position = word.lastIndex;
    } else {
      const pair = text.slice(position, position + 2);
      const type = pair === '==' || pair === '!=' ? pair : (character as '=' | '!' | '(' | ')' | ',' | '<' | '>');
      tokens.push({ type, text: type });
      position += type.length;
    }
    if (text[position] === '\0') position++;
  }
  tokens.push(endToken);
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #path: string;
  #position = 0;

  constructor(text: string, path: string) {
    this.#tokens = scan(text);
    this.#path = path;
  }

  /** The token here; `in` and `notin` are plain words except where an operator stands. */
  #peek(): Token {
    const token = this.#tokens[this.#position] ?? endToken;
    return token.type === 'in' || token.type === 'notin' ? { type: 'identifier', text: token.text } : token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #nextOperator(): Token {
    return this.#tokens[this.#position++] ?? endToken;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    const first = this.#peek();
    if (first.type === 'end') return requirements;
    if (first.type !== 'identifier' && first.type !== '!') {
      throw new SelectorError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
    }
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#next();
      if (separator.type === 'end') return requirements;
      if (separator.type !== ',') {
        throw new SelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
      }
      const following = this.#peek();
      if (following.type !== 'identifier' && following.type !== '!') {
        throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#parseRequirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`, error.fieldErrors);
    }
  }

  #parseRequirement(): LabelRequirement {
    let token = this.#next();
    const negated = token.type === '!';
    if (negated) token = this.#next();
    if (token.type !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const keyError = checkRequirementKey(key, this.#path);
    if (keyError !== undefined) throw new SelectorError(fieldErrorMessage(keyError), [keyError]);
    if (negated) return labelRequirement(key, '!', [], this.#path);
    const following = this.#peek().type;
    if (following === 'end' || following === ',') return labelRequirement(key, 'exists', [], this.#path);

    const operatorToken = this.#nextOperator();
    const operator = operators.get(operatorToken.type);
    if (operator === undefined) {
      throw new SelectorError(`found '${operatorToken.text}', expected: ${binaryOperators.join(', ')}`);
    }
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : [this.#exactValue()];
    return labelRequirement(key, operator, values, this.#path);
  }

  #exactValue(): string {
    const { type } = this.#peek();
    if (type === 'end' || type === ',') return '';
    const token = this.#next();
    if (token.type !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** `(a,b)`: sorted, each once; an empty place between commas is the empty value. */
  #valueSet(): string[] {
    const open = this.#next();
    if (open.type !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.type === ')') {
      this.#next();
      return [''];
    }
    if (first.type !== 'identifier' && first.type !== ',') {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = new Set<string>();
    while (this.#peek().type !== ')') this.#valueOrComma(values);
    this.#next();
    return [...values].sort(compareBytes);
  }

  #valueOrComma(values: Set<string>): void {
    const token = this.#next();
    const following = this.#peek();
    if (token.type === 'identifier') {
      values.add(token.text);
      if (following.type !== ',' && following.type !== ')') {
        throw new SelectorError(`found '${following.text}', expected: ',' or ')'`);
      }
    } else if (token.type === ',') {
      if (values.size === 0 || following.type === ')' || following.type === ',') values.add('');
    } else throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
  }
}

/** The selector a text means; throws {@link SelectorError}. `path` is where messages say it stands. */
export function parseLabelSelector(text: string, path = ''): LabelMatcher {
  return text === '' ? LabelMatcher.everything : LabelMatcher.of(new Parser(text, path).parse());
}
