import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Aggregate, Binary, Expression, Labels, Matcher, Selector } from './expression.js';

/** An expression that is no PromQL, or more of it than is known here. */
export class PromqlError extends Error {}

const strict = parser.configure({ strict: true });
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A duration as Prometheus writes it, such as `1h30m`; undefined when it is none. */
export function parseDurationMs(text: string): number | undefined {
  const terms = [...text.matchAll(/([0-9]+)(ms|[smhdw])/g)];
  if (terms.length === 0 || terms.map(([term]) => term).join('') !== text) return undefined;
  return terms.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

/** Reads an expression with the grammar that Prometheus itself publishes. */
export function parsePromql(text: string): Expression {
  let top: SyntaxNode | null;
  try {
    top = strict.parse(text).topNode.firstChild;
  } catch (error) {
    throw new PromqlError(`is no PromQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (top === null) throw new PromqlError('is empty');
  return new Reader(text).expression(top);
}

class Reader {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  expression(node: SyntaxNode): Expression {
    switch (node.name) {
      case 'ParenExpr':
        return this.expression(this.#childrenOf(node)[0] as SyntaxNode);
      case 'NumberDurationLiteral':
        return { kind: 'number', value: this.#number(node) };
      case 'VectorSelector':
        return this.#selector(node, undefined);
      case 'MatrixSelector':
        return this.#matrix(node);
      case 'FunctionCall':
        return this.#call(node);
      case 'AggregateExpr':
        return this.#aggregate(node);
      case 'BinaryExpr':
        return this.#binary(node);
      case 'UnaryExpr': {
        const [op, of] = this.#childrenOf(node) as [SyntaxNode, SyntaxNode];
        const sign = this.#text(op) === '-' ? -1 : 1;
        const scale: Expression = { kind: 'number', value: sign };
        return { kind: 'binary', op: '*', isBool: false, on: EVERY_LABEL, left: scale, right: this.expression(of) };
      }
      default:
        throw new PromqlError(`has a ${node.name}, which is not known here: ${this.#text(node)}`);
    }
  }

  #text(node: SyntaxNode): string {
    return this.#source.slice(node.from, node.to);
  }

  /** All but comments and the bare tokens of brackets. */
  #childrenOf(node: SyntaxNode): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (/^[A-Z]/.test(child.name) && child.name !== 'LineComment') found.push(child);
    return found;
  }

  #number(node: SyntaxNode): number {
    const text = this.#text(node);
    const durationMs = parseDurationMs(text);
    if (durationMs !== undefined) return durationMs / 1000;
    const named = { inf: Infinity, nan: Number.NaN }[text.toLowerCase()];
    const value = named ?? Number(text);
    if (named === undefined && Number.isNaN(value)) throw new PromqlError(`has a number that is none: ${text}`);
    return value;
  }

  #selector(node: SyntaxNode, rangeMs: number | undefined): Selector {
    const [name, matchers] = this.#childrenOf(node);
    if (name?.name !== 'Identifier') throw new PromqlError(`chooses series without a name: ${this.#text(node)}`);
    const list = matchers === undefined ? [] : this.#childrenOf(matchers);
    return { kind: 'selector', metric: this.#text(name), matchers: list.map((each) => this.#matcher(each)), rangeMs };
  }

  #matcher(node: SyntaxNode): Matcher {
    const [label, op, value] = this.#childrenOf(node);
    if (node.name !== 'UnquotedLabelMatcher' || label === undefined || op === undefined || value === undefined)
      throw new PromqlError(`has a matcher that is not known here: ${this.#text(node)}`);
    return { label: this.#text(label), op: this.#text(op) as Matcher['op'], value: this.#string(value) };
  }

  #string(node: SyntaxNode): string {
    const text = this.#text(node);
    if (text.startsWith('`')) return text.slice(1, -1);
    try {
      const inner = text.slice(1, -1);
      return JSON.parse(text.startsWith('"') ? text : `"${inner.replaceAll('"', '\\"')}"`) as string;
    } catch {
      throw new PromqlError(`has a text that cannot be read here: ${text}`);
    }
  }

  #matrix(node: SyntaxNode): Selector {
    const [of, duration] = this.#childrenOf(node);
    if (of?.name !== 'VectorSelector' || duration === undefined)
      throw new PromqlError(`has a range of what is no selector: ${this.#text(node)}`);
    const rangeMs = parseDurationMs(this.#text(duration));
    if (rangeMs === undefined) throw new PromqlError(`has a range that is no duration: ${this.#text(duration)}`);
    return this.#selector(of, rangeMs);
  }

  #call(node: SyntaxNode): Expression {
    const [name, body] = this.#childrenOf(node) as [SyntaxNode, SyntaxNode];
    const args = this.#childrenOf(body).map((arg) => this.expression(arg));
    return { kind: 'call', name: this.#text(name), args };
  }

  #aggregate(node: SyntaxNode): Aggregate {
    const parts = this.#childrenOf(node);
    const part = (name: string): SyntaxNode | undefined => parts.find((child) => child.name === name);
    const args = this.#childrenOf(part('FunctionCallBody') as SyntaxNode);
    const [of] = args;
    if (of === undefined || args.length !== 1)
      throw new PromqlError(`has an aggregation that is not known here: ${this.#text(node)}`);
    const by = this.#labels(part('AggregateModifier'), NO_LABEL);
    return { kind: 'aggregate', op: this.#text(part('AggregateOp') as SyntaxNode), by, of: this.expression(of) };
  }

  #labels(modifier: SyntaxNode | undefined, otherwise: Labels): Labels {
    if (modifier === undefined) return otherwise;
    const [word, list, more] = this.#childrenOf(modifier) as [SyntaxNode, SyntaxNode, SyntaxNode | undefined];
    if (more !== undefined) throw new PromqlError(`has ${this.#text(more)}, which is not known here`);
    const mode = ['by', 'on'].includes(this.#text(word).toLowerCase()) ? 'only' : 'without';
    return { mode, labels: this.#childrenOf(list).map((label) => this.#text(label)) };
  }

  #binary(node: SyntaxNode): Binary {
    const parts = this.#childrenOf(node);
    const [left, op] = parts as [SyntaxNode, SyntaxNode];
    const modifiers = parts.slice(2, -1);
    const unknown = modifiers.find(({ name }) => name !== 'BoolModifier' && name !== 'MatchingModifierClause');
    if (unknown !== undefined) throw new PromqlError(`has ${this.#text(unknown)}, which is not known here`);
    return {
      kind: 'binary',
      op: this.#text(op).toLowerCase(),
      isBool: modifiers.some(({ name }) => name === 'BoolModifier'),
      on: this.#labels(
        modifiers.find(({ name }) => name === 'MatchingModifierClause'),
        EVERY_LABEL,
      ),
      left: this.expression(left),
      right: this.expression(parts.at(-1) as SyntaxNode),
    };
  }
}

const EVERY_LABEL: Labels = { mode: 'without', labels: [] };
const NO_LABEL: Labels = { mode: 'only', labels: [] };
