import { YamlSyntaxError } from '../errors.js';
import { Lexer } from './lexer.js';
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from './nodes.js';
import type { Wall } from './reader.js';
import { RULES, type Action, type Row, type Rule, type Step } from './rules.table.js';
import type { Token, TokenType } from './tokens.js';

/**
 * The first document of a YAML text, which is all that is read; undefined where there is none. Refuses what is wrong with
 * it in the words of the reader the real server has: the first of several faults that it would meet. What is expected is
 * kept in a list, so that depth is no matter.
 */
export function firstDocument(text: string, wall?: Wall): YamlNode | undefined {
  return new DocumentReader(text, wall).read();
}

/** What all tags of YAML itself begin with. */
export const YAML_TAG = 'tag:yaml.org,2002:';
/** A tag without a handle is shown in full. */
const PREFIXES_OF_ALL: readonly (readonly [string, string])[] = [
  ['', ''],
  ['!', '!'],
  ['!!', YAML_TAG],
];

/** The anchor and the tag of the node that follows, and where the first of them is. */
interface Marks {
  readonly line: number;
  readonly anchor?: string;
  readonly tag?: Token;
}

class DocumentReader {
  readonly #lexer: Lexer;
  readonly #prefixes = new Map<string, string>();
  readonly #anchors = new Map<string, YamlNode>();
  #hasVersion = false;
  #marks: Marks | undefined;
  /** The line of the token that was taken last. */
  #line = 0;
  #root: YamlNode | undefined;
  readonly #open: (SequenceNode | MappingNode)[] = [];

  readonly #actions: Readonly<Record<Action, (token: Token) => void>> = {
    take: (token) => this.#take(token),
    'add scalar': (token) => {
      const { line, text = '', isPlain = false } = token;
      this.#take(token);
      this.#addScalar(line, text, isPlain);
    },
    'add alias': (token) => this.#addAlias(token),
    'add nothing': () => this.#addScalar(this.#line, '', true),
    'add nothing here': ({ line }) => this.#addScalar(line, '', true),
    'open sequence': (token) => this.#openWith(token, 'sequence'),
    'open mapping': (token) => this.#openWith(token, 'mapping'),
    'open sequence here': ({ line }) => this.#begin({ kind: 'sequence', line: this.#marks?.line ?? line, items: [] }),
    close: (token) => {
      this.#take(token);
      this.#open.pop();
    },
    'close here': () => this.#open.pop(),
    'note directive': (token) => {
      this.#noteDirective(token);
      this.#take(token);
    },
    'note anchor': (token) => {
      this.#marks = { line: token.line, ...this.#marks, anchor: token.text ?? '' };
      this.#take(token);
    },
    'note tag': (token) => {
      this.#marks = { line: token.line, ...this.#marks, tag: token };
      this.#take(token);
    },
    'settle marks': () => this.#requirePrefix(),
    'look ahead': () => undefined,
  };

  constructor(text: string, wall: Wall | undefined) {
    this.#lexer = new Lexer(text, wall);
  }

  read(): YamlNode | undefined {
    const expected: Step[] = ['document'];
    for (let step = expected.pop(); step !== undefined; step = expected.pop()) {
      const token = this.#lexer.peek();
      const rule = ROWS.get(step);
      if (rule === undefined) {
        this.#actions[step as Action](token);
        continue;
      }
      const steps = rule.on.get(token.type) ?? rule.otherwise;
      if (typeof steps === 'string') return fail(steps, token);
      for (let index = steps.length - 1; index >= 0; index -= 1) expected.push(steps[index] as Step);
    }
    return this.#root;
  }

  #take({ line }: Token): void {
    this.#line = line;
    this.#lexer.take();
  }

  /** Puts a finished or an opened node where it belongs; from here on its anchor is known. */
  #add(node: YamlNode): void {
    const anchor = this.#marks?.anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    this.#marks = undefined;
    const holder = this.#open.at(-1);
    if (holder === undefined) this.#root = node;
    else holder.items.push(node);
  }

  #addScalar(line: number, text: string, isPlain: boolean): void {
    const tag = this.#tag();
    const node: ScalarNode = { kind: 'scalar', line: this.#marks?.line ?? line, text, tag, isPlain };
    this.#add(node);
  }

  #addAlias(token: Token): void {
    const { text: name = '', line } = token;
    this.#take(token);
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlSyntaxError(`yaml: unknown anchor '${name}' referenced`);
    this.#add({ kind: 'alias', line, name, target });
  }

  #openWith(token: Token, kind: 'sequence' | 'mapping'): void {
    this.#take(token);
    this.#begin({ kind, line: this.#marks?.line ?? token.line, items: [] });
  }

  #begin(node: SequenceNode | MappingNode): void {
    this.#add(node);
    this.#open.push(node);
  }

  #noteDirective(token: Token): void {
    const { directive, text = '', rest = '' } = token;
    if (directive === 'TAG') {
      if (this.#prefixes.has(text)) fail('found duplicate %TAG directive', token);
      this.#prefixes.set(text, rest);
      return;
    }
    if (this.#hasVersion) fail('found duplicate %YAML directive', token);
    if (text !== '1.1') fail('found incompatible YAML document', token);
    this.#hasVersion = true;
  }

  /** A tag is looked at when all that marks a node has been read. */
  #requirePrefix(): void {
    const tag = this.#marks?.tag;
    if (tag !== undefined && this.#prefixOf(tag) === undefined) fail('found undefined tag handle', tag);
  }

  #prefixOf({ text = '' }: Token): string | undefined {
    return this.#prefixes.get(text) ?? PREFIXES_OF_ALL.find(([handle]) => handle === text)?.[1];
  }

  /** The tag of the node at hand, in full. */
  #tag(): string {
    const tag = this.#marks?.tag;
    return tag === undefined ? '' : `${this.#prefixOf(tag) ?? ''}${tag.rest ?? ''}`;
  }
}

/** The rules to be looked up for every token; what is none of them is an action. */
const ROWS: ReadonlyMap<Step, CompiledRow> = new Map(
  Object.entries(RULES).map(([rule, { on, otherwise }]) => [
    rule as Rule,
    { on: new Map(Object.entries(on) as [TokenType, readonly Step[]][]), otherwise },
  ]),
);

interface CompiledRow {
  readonly on: ReadonlyMap<TokenType, readonly Step[]>;
  readonly otherwise: Row['otherwise'];
}

/** Here the line before the one of the token is reported, and none of the first two. */
function fail(words: string, { line }: Token): never {
  throw new YamlSyntaxError(line === 0 ? `yaml: ${words}` : `yaml: line ${line}: ${words}`);
}
