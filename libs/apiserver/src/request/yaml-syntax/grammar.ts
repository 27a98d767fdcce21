import { YamlSyntaxError } from '../yaml-errors.js';
import type { Token, TokenType } from './token.js';
import { Tokens } from './tokens.js';

type State =
  | 'document content'
  | 'document end'
  | 'node'
  | 'block sequence first'
  | 'block sequence'
  | 'indentless sequence'
  | 'block mapping first'
  | 'block mapping'
  | 'block mapping value'
  | 'flow sequence first'
  | 'flow sequence'
  | 'flow pair key'
  | 'flow pair value'
  | 'flow pair end'
  | 'flow mapping first'
  | 'flow mapping'
  | 'flow mapping value'
  | 'flow mapping no value';

const isOneOf = (token: Token, ...types: readonly TokenType[]): boolean => types.includes(token.type);

/**
 * The first document of a YAML text, which is all that is read. Refuses what is wrong with it in the words of the reader
 * the real server has: the first of several faults that it would meet. The stack is its own, so that depth is no matter.
 */
export function firstDocument(text: string): string {
  return text.slice(0, new Grammar(text).run());
}

class Grammar {
  readonly #tokens: Tokens;
  readonly #handles = new Set<string>();
  readonly #anchors = new Set<string>();
  /** What is gone on with after the present part. */
  readonly #after: State[] = ['document end'];
  #state: State | undefined;
  #end = Infinity;

  readonly #steps: Readonly<Record<State, () => void>> = {
    'document content': () => this.#documentContent(),
    'document end': () => this.#documentEnd(),
    node: () => this.#node(true),
    'block sequence first': () => this.#blockSequence(true),
    'block sequence': () => this.#blockSequence(false),
    'indentless sequence': () => this.#indentlessSequence(),
    'block mapping first': () => this.#blockMapping(true),
    'block mapping': () => this.#blockMapping(false),
    'block mapping value': () => this.#blockMappingValue(),
    'flow sequence first': () => this.#flowSequence(true),
    'flow sequence': () => this.#flowSequence(false),
    'flow pair key': () => this.#flowPairKey(),
    'flow pair value': () => this.#flowPairValue(),
    'flow pair end': () => {
      this.#state = 'flow sequence';
    },
    'flow mapping first': () => this.#flowMapping(true),
    'flow mapping': () => this.#flowMapping(false),
    'flow mapping value': () => this.#flowMappingValue(),
    'flow mapping no value': () => {
      this.#tokens.peek();
      this.#state = 'flow mapping';
    },
  };

  constructor(text: string) {
    this.#tokens = new Tokens(text);
  }

  /** Gives where the document ends. */
  run(): number {
    this.#documentStart();
    while (this.#state !== undefined) this.#steps[this.#state]();
    return this.#end;
  }

  #documentStart(): void {
    const first = this.#tokens.peek();
    if (first.type === 'stream end') return;
    if (!isOneOf(first, 'directive', 'document start')) {
      this.#state = 'node';
      return;
    }
    this.#directives();
    const token = this.#tokens.peek();
    if (token.type !== 'document start') fail('did not find expected <document start>', token);
    this.#tokens.take();
    this.#state = 'document content';
  }

  #directives(): void {
    let hasVersion = false;
    for (let token = this.#tokens.peek(); token.directive !== undefined; token = this.#tokens.peek()) {
      const { name, value } = token.directive;
      if (name === 'TAG') {
        if (this.#handles.has(value)) fail('found duplicate %TAG directive', token);
        this.#handles.add(value);
      } else {
        if (hasVersion) fail('found duplicate %YAML directive', token);
        if (value !== '1.1') fail('found incompatible YAML document', token);
        hasVersion = true;
      }
      this.#tokens.take();
    }
  }

  #documentContent(): void {
    const isEmpty = isOneOf(this.#tokens.peek(), 'directive', 'document start', 'document end', 'stream end');
    if (isEmpty) this.#leave();
    else this.#node(true);
  }

  #documentEnd(): void {
    // Nothing behind it is read, but the next token is looked at.
    this.#end = this.#tokens.peek().at;
    this.#state = undefined;
  }

  #leave(): void {
    this.#state = this.#after.pop();
  }

  /** Skips one token and looks at the next. */
  #next(): Token {
    this.#tokens.take();
    return this.#tokens.peek();
  }

  #node(isBlock: boolean, mayBeIndentless = false): void {
    const first = this.#tokens.peek();
    if (first.type === 'alias') return this.#alias(first);
    const { token, anchor, isMarked } = this.#properties(first);
    const known = (): void => {
      if (anchor !== undefined) this.#anchors.add(anchor);
    };
    const inner = mayBeIndentless && token.type === 'block entry' ? 'indentless sequence' : innerState(token, isBlock);
    if (inner !== undefined) {
      known();
      this.#state = inner;
      return;
    }
    if (token.type !== 'scalar' && !isMarked) fail('did not find expected node content', token);
    known();
    if (token.type === 'scalar') this.#tokens.take();
    this.#leave();
  }

  #alias(token: Token): void {
    this.#tokens.take();
    const { text = '' } = token;
    if (!this.#anchors.has(text)) throw new YamlSyntaxError(`yaml: unknown anchor '${text}' referenced`);
    this.#leave();
  }

  /** The anchor and the tag before a node, in either order. */
  #properties(first: Token): { token: Token; anchor: string | undefined; isMarked: boolean } {
    let token = first;
    let anchor: string | undefined;
    let tag: Token | undefined;
    for (const wanted of first.type === 'anchor' ? (['anchor', 'tag'] as const) : (['tag', 'anchor'] as const)) {
      if (token.type !== wanted) continue;
      if (wanted === 'anchor') anchor = token.text;
      else tag = token;
      token = this.#next();
    }
    const handle = tag?.text ?? '';
    if (tag !== undefined && !['', '!', '!!'].includes(handle) && !this.#handles.has(handle))
      fail('found undefined tag handle', tag);
    return { token, anchor, isMarked: token !== first };
  }

  #into(state: State, isBlock: boolean, mayBeIndentless = false): void {
    this.#after.push(state);
    this.#node(isBlock, mayBeIndentless);
  }

  #blockSequence(isFirst: boolean): void {
    const token = isFirst ? this.#next() : this.#tokens.peek();
    if (token.type === 'block entry') {
      if (isOneOf(this.#next(), 'block entry', 'block end')) this.#state = 'block sequence';
      else this.#into('block sequence', true);
    } else if (token.type === 'block end') {
      this.#leave();
      this.#tokens.take();
    } else fail("did not find expected '-' indicator", token);
  }

  #indentlessSequence(): void {
    if (this.#tokens.peek().type !== 'block entry') return this.#leave();
    if (isOneOf(this.#next(), 'block entry', 'key', 'value', 'block end')) this.#state = 'indentless sequence';
    else this.#into('indentless sequence', true);
  }

  #blockMapping(isFirst: boolean): void {
    const token = isFirst ? this.#next() : this.#tokens.peek();
    if (token.type === 'key') {
      if (isOneOf(this.#next(), 'key', 'value', 'block end')) this.#state = 'block mapping value';
      else this.#into('block mapping value', true, true);
    } else if (token.type === 'block end') {
      this.#leave();
      this.#tokens.take();
    } else fail('did not find expected key', token);
  }

  #blockMappingValue(): void {
    this.#state = 'block mapping';
    if (this.#tokens.peek().type !== 'value') return;
    if (!isOneOf(this.#next(), 'key', 'value', 'block end')) this.#into('block mapping', true, true);
  }

  #flowSequence(isFirst: boolean): void {
    let token = isFirst ? this.#next() : this.#tokens.peek();
    if (token.type !== ']' && !isFirst) {
      if (token.type !== ',') fail("did not find expected ',' or ']'", token);
      token = this.#next();
    }
    if (token.type === 'key') {
      this.#tokens.take();
      this.#state = 'flow pair key';
    } else if (token.type === ']') {
      this.#leave();
      this.#tokens.take();
    } else this.#into('flow sequence', false);
  }

  #flowPairKey(): void {
    if (!isOneOf(this.#tokens.peek(), 'value', ',', ']')) return this.#into('flow pair value', false);
    this.#tokens.take();
    this.#state = 'flow pair value';
  }

  #flowPairValue(): void {
    this.#state = 'flow pair end';
    if (this.#tokens.peek().type !== 'value') return;
    if (!isOneOf(this.#next(), ',', ']')) this.#into('flow pair end', false);
  }

  #flowMapping(isFirst: boolean): void {
    let token = isFirst ? this.#next() : this.#tokens.peek();
    if (token.type !== '}' && !isFirst) {
      if (token.type !== ',') fail("did not find expected ',' or '}'", token);
      token = this.#next();
    }
    if (token.type === 'key') {
      if (isOneOf(this.#next(), 'value', ',', '}')) this.#state = 'flow mapping value';
      else this.#into('flow mapping value', false);
    } else if (token.type === '}') {
      this.#leave();
      this.#tokens.take();
    } else this.#into('flow mapping no value', false);
  }

  #flowMappingValue(): void {
    this.#state = 'flow mapping';
    if (this.#tokens.peek().type !== 'value') return;
    if (!isOneOf(this.#next(), ',', '}')) this.#into('flow mapping', false);
  }
}

function innerState(token: Token, isBlock: boolean): State | undefined {
  if (token.type === '[') return 'flow sequence first';
  if (token.type === '{') return 'flow mapping first';
  if (!isBlock) return undefined;
  if (token.type === 'block sequence start') return 'block sequence first';
  return token.type === 'block mapping start' ? 'block mapping first' : undefined;
}

/** The parser tells the line before the one of the token, and nothing of the first two. */
function fail(words: string, { line }: Token): never {
  throw new YamlSyntaxError(line === 0 ? `yaml: ${words}` : `yaml: line ${line}: ${words}`);
}
