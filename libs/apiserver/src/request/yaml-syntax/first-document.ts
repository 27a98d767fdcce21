import { YamlSyntaxError } from '../yaml-errors.js';
import { Lexer } from './lexer.js';
import type { Wall } from './reader.js';
import { RULES, type Action, type Rule, type Step } from './rules.table.js';
import type { Token } from './tokens.js';

/**
 * The first document of a YAML text, which is all that is read. Refuses what is wrong with it in the words of the reader
 * the real server has: the first of several faults that it would meet. What is expected is kept in a list, so that depth
 * is no matter.
 */
export function firstDocument(text: string, wall?: Wall): string {
  return text.slice(0, new DocumentReader(text, wall).read());
}

const HANDLES_OF_ALL: readonly string[] = ['', '!', '!!'];

class DocumentReader {
  readonly #lexer: Lexer;
  readonly #handles = new Set<string>();
  readonly #anchors = new Set<string>();
  #hasVersion = false;
  /** The anchor and the tag of the node that follows. */
  #anchor: string | undefined;
  #tag: Token | undefined;
  #end = Infinity;

  readonly #actions: Readonly<Record<Action, (token: Token) => void>> = {
    take: () => this.#lexer.take(),
    'note directive': (token) => {
      this.#noteDirective(token);
      this.#lexer.take();
    },
    'note alias': ({ text = '' }) => {
      this.#lexer.take();
      if (!this.#anchors.has(text)) throw new YamlSyntaxError(`yaml: unknown anchor '${text}' referenced`);
    },
    'note anchor': ({ text }) => {
      this.#anchor = text;
      this.#lexer.take();
    },
    'note tag': (token) => {
      this.#tag = token;
      this.#lexer.take();
    },
    'settle marks': () => this.#settleMarks(),
    'note end': ({ at }) => {
      this.#end = at;
    },
  };

  constructor(text: string, wall: Wall | undefined) {
    this.#lexer = new Lexer(text, wall);
  }

  /** Gives where the document ends. */
  read(): number {
    const expected: Step[] = ['document'];
    for (let step = expected.pop(); step !== undefined; step = expected.pop()) {
      const token = this.#lexer.peek();
      if (isAction(step)) {
        this.#actions[step](token);
        continue;
      }
      const { on, otherwise } = RULES[step];
      const steps = on[token.type] ?? otherwise;
      if (typeof steps === 'string') return fail(steps, token);
      for (let index = steps.length - 1; index >= 0; index -= 1) expected.push(steps[index] as Step);
    }
    return this.#end;
  }

  #noteDirective(token: Token): void {
    const { directive, text = '' } = token;
    if (directive === 'TAG') {
      if (this.#handles.has(text)) fail('found duplicate %TAG directive', token);
      this.#handles.add(text);
      return;
    }
    if (this.#hasVersion) fail('found duplicate %YAML directive', token);
    if (text !== '1.1') fail('found incompatible YAML document', token);
    this.#hasVersion = true;
  }

  /** A tag is looked at when all that marks a node has been read; an anchor is known from then on. */
  #settleMarks(): void {
    const [tag, anchor] = [this.#tag, this.#anchor];
    this.#tag = undefined;
    this.#anchor = undefined;
    if (tag !== undefined && !this.#isKnown(tag.text ?? '')) fail('found undefined tag handle', tag);
    if (anchor !== undefined) this.#anchors.add(anchor);
  }

  #isKnown(handle: string): boolean {
    return HANDLES_OF_ALL.includes(handle) || this.#handles.has(handle);
  }
}

function isAction(step: Step): step is Action {
  return !Object.hasOwn(RULES, step as Rule);
}

/** Here the line is told that is before the one of the token, and none of the first two. */
function fail(words: string, { line }: Token): never {
  throw new YamlSyntaxError(line === 0 ? `yaml: ${words}` : `yaml: line ${line}: ${words}`);
}
