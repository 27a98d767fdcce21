/** Reads CEL by recursive descent. One bad token is skipped where the server skips it; the second error ends the reading. */
import type { CallNode, CelNode, LiteralNode, MapEntry, StructField } from './ast.js';
import type { Token, TokenType } from './lexer.js';
import { LiteralError, literalValue } from './literals.js';
import { expandMacro } from './macros.js';
import { balanced, maxDepth, products, relations, reserved, sums, tooDeepMessage } from './syntax.js';
import type { SyntaxOptions } from './syntax.js';
import {
  FIELD_NAMES,
  followsOperand,
  Halt,
  isBinary,
  isFieldName,
  startsField,
  startsItem,
  startsOperand,
  TokenStream,
} from './token-stream.js';

/** Reads one expression. */
export class Parser extends TokenStream {
  readonly #options: SyntaxOptions;
  #depth = 0;

  constructor(source: string, options: SyntaxOptions) {
    super(source);
    this.#options = options;
  }

  /** The tree; issues may have been recorded on the way. Throws {@link Halt}. */
  parse(): CelNode {
    const node = this.#expression();
    if (this.peek().type !== 'eof') {
      const verb = this.peek(1).type === 'eof' ? 'extraneous' : 'mismatched';
      this.halt(`${verb} input '${this.shown(this.peek())}' expecting <EOF>`);
    }
    return node;
  }

  #expression(): CelNode {
    if (++this.#depth > maxDepth) {
      this.complain(-1, `expression recursion limit exceeded: ${maxDepth}`);
      throw new Halt();
    }
    const condition = this.#logical('||');
    const question = this.accept('?');
    let node = condition;
    if (question !== undefined) {
      const yes = this.#logical('||');
      this.expect(':', (token) => startsOperand(token));
      node = this.#call(question.start, '_?_:_', [condition, yes, this.#expression()]);
    }
    this.#depth--;
    return node;
  }

  #tooDeep(): never {
    this.complain(-1, tooDeepMessage);
    throw new Halt();
  }

  #call(at: number, fn: string, args: readonly CelNode[], target?: CelNode): CallNode {
    return { kind: 'call', at, fn, target, args };
  }

  #logical(operator: '||' | '&&'): CelNode {
    const next = (): CelNode => (operator === '||' ? this.#logical('&&') : this.#relation());
    const terms = [next()];
    const places: number[] = [];
    for (let token = this.accept(operator); token !== undefined; token = this.accept(operator)) {
      places.push(token.start);
      terms.push(next());
    }
    return balanced(`_${operator}_`, terms, places);
  }

  #binary(operators: ReadonlySet<TokenType>, next: () => CelNode): CelNode {
    let node = next();
    for (let length = 0; operators.has(this.peek().type); length++) {
      if (length > maxDepth) this.#tooDeep();
      const token = this.peek();
      this.take();
      node = this.#call(token.start, token.type === 'in' ? '@in' : `_${token.type}_`, [node, next()]);
    }
    return node;
  }

  #relation(): CelNode {
    return this.#binary(relations, () => this.#binary(sums, () => this.#binary(products, () => this.#unary())));
  }

  #unary(): CelNode {
    if (!this.needOperand()) return this.#missing();
    const first = this.peek();
    if (first.type !== '!' && (first.type !== '-' || this.#isSign())) return this.#member();
    let count = 0;
    while (this.accept(first.type) !== undefined) count++;
    if (first.type === '-') this.#checkNegated(first, count);
    if (!this.needOperand()) return this.#missing();
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.#call(first.start, first.type === '!' ? '!_' : '-_', [operand]);
  }

  /** What may follow a minus; an operator there is reported twice. */
  #checkNegated(minus: Token, count: number): void {
    if (this.is('!') || this.is('eof')) this.halt(`no viable alternative at input '-${this.text(this.peek())}'`);
    if (count !== 1 || !isBinary(this.peek()) || startsOperand(this.peek(1))) return;
    this.complain(this.peek().start, `Syntax error: no viable alternative at input '${this.between(minus)}'`);
  }

  /** Stands where there is no operand; nobody looks at a tree with faults. */
  #missing(): CelNode {
    return { kind: 'literal', at: this.peek().start, value: null };
  }

  /** Whether the minus belongs to a number. */
  #isSign(): boolean {
    const next = this.peek(1).type;
    return next === 'int' || next === 'float';
  }

  #member(): CelNode {
    let node = this.#primary();
    for (let length = 0; ; length++) {
      if (length > maxDepth) this.#tooDeep();
      const token = this.peek();
      if (token.type === '.') node = this.#select(node);
      else if (token.type === '[') node = this.#index(node);
      else return node;
    }
  }

  #select(operand: CelNode): CelNode {
    const dot = this.peek();
    this.take();
    const optional = this.accept('?') !== undefined;
    const token = this.peek();
    if (!isFieldName(token)) {
      this.refuseField(token, optional);
      return operand;
    }
    this.take();
    let field = this.text(token);
    if (token.type === 'escaped') {
      if (this.#options.quotedIdentifiers !== true) this.complain(token.start, "unsupported syntax: '`'");
      field = field.slice(1, -1);
    } else if (!optional && this.peek().type === '(') return this.#memberCall(operand, field);
    if (!optional) return { kind: 'select', at: dot.start, operand, field, test: false };
    const name: LiteralNode = { kind: 'literal', at: token.start, value: field };
    return this.#call(dot.start, '_?._', [operand, name]);
  }

  #memberCall(target: CelNode, fn: string): CelNode {
    const open = this.peek();
    this.take();
    return this.#expand(this.#call(open.start, fn, this.#arguments(), target));
  }

  /** Replaces a call of a macro by what it stands for. */
  #expand(call: CallNode): CelNode {
    const expansion = expandMacro(call, this.#options);
    if (expansion === undefined) return call;
    if ('kind' in expansion) return expansion;
    this.issues.push(expansion);
    return call;
  }

  #arguments(): CelNode[] {
    const args: CelNode[] = [];
    if (this.accept(')') !== undefined) return args;
    if (!startsOperand(this.peek()) && !this.needOperand("')'") && this.accept(')') !== undefined) return args;
    args.push(this.#expression());
    while (this.accept(',') !== undefined) args.push(this.#expression());
    this.expect(')', (token) => !startsOperand(token));
    return args;
  }

  #index(operand: CelNode): CelNode {
    const open = this.peek();
    this.take();
    const optional = this.accept('?') !== undefined;
    if (!optional) this.needOperand("'?'");
    const index = this.#expression();
    this.expect(']', (token) => !startsOperand(token));
    return this.#call(open.start, optional ? '_[?_]' : '_[_]', [operand, index]);
  }

  #primary(): CelNode {
    const token = this.peek();
    switch (token.type) {
      case '(': {
        this.take();
        const node = this.#expression();
        this.expect(')', (found) => !startsOperand(found));
        return node;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '.':
      case 'ident':
        return this.#name();
      default:
        return this.#literal();
    }
  }

  #name(): CelNode {
    const dot = this.accept('.');
    const token = this.peek();
    if (token.type !== 'ident') this.halt(`no viable alternative at input '.${this.text(token)}'`);
    const structName = this.#structName(dot);
    if (structName !== undefined) return this.#struct(structName);
    this.take();
    const name = this.text(token);
    if (reserved.has(name)) this.complain(dot?.start ?? token.start, `reserved identifier: ${name}`);
    const full = dot === undefined ? name : `.${name}`;
    const open = this.accept('(');
    if (open === undefined) return { kind: 'ident', at: token.start, name: full };
    return this.#expand(this.#call(open.start, full, this.#arguments()));
  }

  /** The dotted name before a brace, if that is what stands here. */
  #structName(dot: Token | undefined): string | undefined {
    let ahead = 1;
    while (this.peek(ahead).type === '.' && this.peek(ahead + 1).type === 'ident') ahead += 2;
    if (this.peek(ahead).type !== '{') return undefined;
    let name = dot === undefined ? '' : '.';
    for (let part = 0; part < ahead; part++) name += this.text(this.peek(part));
    this.take(ahead);
    return name;
  }

  #struct(name: string): CelNode {
    const open = this.take();
    const fields: StructField[] = [];
    if (!this.opensFields()) return this.#missing();
    if (this.accept(',') === undefined)
      while (startsField(this.peek())) {
        const optional = this.accept('?') !== undefined;
        const token = this.peek();
        if (!isFieldName(token)) this.halt(`mismatched input '${this.shown(token)}' expecting ${FIELD_NAMES}`);
        this.take();
        const field = token.type === 'escaped' ? this.text(token).slice(1, -1) : this.text(token);
        const colon = this.expect(':', (found) => startsOperand(found));
        fields.push({ at: colon.start, field, value: this.#expression(), optional });
        this.comma('}');
      }
    this.expect('}', followsOperand);
    return { kind: 'struct', at: open.start, name, fields };
  }

  #list(): CelNode {
    const open = this.take();
    const elements: CelNode[] = [];
    const optional: boolean[] = [];
    if (!this.opens(']')) return this.#missing();
    if (this.accept(',') === undefined)
      while (startsItem(this.peek())) {
        optional.push(this.accept('?') !== undefined);
        elements.push(this.#expression());
        this.comma(']');
      }
    this.expect(']', followsOperand);
    return { kind: 'list', at: open.start, elements, optional: optional.includes(true) ? optional : [] };
  }

  #map(): CelNode {
    const open = this.take();
    const entries: MapEntry[] = [];
    if (!this.opens('}')) return this.#missing();
    if (this.accept(',') === undefined)
      while (startsItem(this.peek())) {
        const optional = this.accept('?') !== undefined;
        const key = this.#expression();
        const colon = this.expect(':', (found) => startsOperand(found));
        entries.push({ at: colon.start, key, value: this.#expression(), optional });
        this.comma('}');
      }
    this.expect('}', followsOperand);
    return { kind: 'map', at: open.start, entries };
  }

  #literal(): CelNode {
    const first = this.peek();
    const negative = this.accept('-') !== undefined;
    const token = this.peek();
    this.take();
    const at = first.start;
    try {
      return { kind: 'literal', at, value: literalValue(token.type, this.text(token), negative) };
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      this.complain(at, error.message);
      return { kind: 'literal', at, value: null };
    }
  }
}
