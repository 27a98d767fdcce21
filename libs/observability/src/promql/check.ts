import type { Catalogue } from './catalogue.js';
import type { Aggregate, Binary, Call, Expression, Labels, Matcher, Selector } from './expression.js';
import { absentLabels } from './functions.js';
import { parsePromql, PromqlError } from './parse.js';

/** What is wrong with an expression, and which labels its results have. */
export interface Checked {
  readonly findings: readonly string[];
  readonly labels: ReadonlySet<string>;
}

/** Reads an expression and looks whether all it asks for can be had. */
export function checkExpression(text: string, catalogue: Catalogue): Checked {
  let expression: Expression;
  try {
    expression = parsePromql(text);
  } catch (error) {
    if (!(error instanceof PromqlError)) throw error;
    return { findings: [error.message], labels: NO_LABELS };
  }
  const check = new Check(catalogue);
  const shape = check.shapeOf(expression);
  if (shape.kind === 'range') check.findings.push('is a range, where a value is wanted');
  return { findings: check.findings, labels: shape.labels };
}

/** What an expression gives: a number, or series with these labels, or those over a range. */
interface Shape {
  readonly kind: 'range' | 'scalar' | 'vector';
  readonly labels: ReadonlySet<string>;
}

const NO_LABELS: ReadonlySet<string> = new Set();
const SCALAR: Shape = { kind: 'scalar', labels: NO_LABELS };
/** What each function is given. */
const FUNCTIONS: Readonly<Record<string, readonly Shape['kind'][]>> = {
  absent: ['vector'],
  histogram_quantile: ['scalar', 'vector'],
  increase: ['range'],
  rate: ['range'],
  time: [],
};
const AGGREGATIONS = ['avg', 'count', 'max', 'min', 'sum'];
const SET_OPERATORS = ['and', 'or', 'unless'];
const sorted = (labels: Iterable<string>): string => [...labels].toSorted().join(', ');

class Check {
  readonly findings: string[] = [];
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  shapeOf(expression: Expression): Shape {
    switch (expression.kind) {
      case 'number':
        return SCALAR;
      case 'selector':
        return this.#selector(expression);
      case 'call':
        return this.#call(expression);
      case 'aggregate':
        return this.#aggregate(expression);
      case 'binary':
        return this.#binary(expression);
    }
  }

  #selector({ metric, matchers, rangeMs }: Selector): Shape {
    const kind = rangeMs === undefined ? 'vector' : 'range';
    const known = this.#catalogue.find(metric);
    if (known === undefined) {
      const parts = `${metric}_bucket, ${metric}_sum or ${metric}_count`;
      const isHistogram = this.#catalogue.isHistogram(metric);
      this.findings.push(isHistogram ? `${metric} is a histogram: ask ${parts}` : `no metric is called ${metric}`);
      return { kind, labels: NO_LABELS };
    }
    for (const matcher of matchers) {
      const { label } = matcher;
      if (!known.labels.has(label)) this.findings.push(`${metric} has no label ${label}`);
      else if (label === 'le' && known.bounds !== undefined) this.#bound(matcher, metric, known.bounds);
    }
    return { kind, labels: known.labels };
  }

  #bound({ op, value }: Matcher, metric: string, bounds: readonly string[]): void {
    if (op === '=' && !bounds.includes(value)) this.findings.push(`${metric} has no bound ${value}`);
  }

  #call(call: Call): Shape {
    const shapes = call.args.map((arg) => this.shapeOf(arg));
    const wants = FUNCTIONS[call.name];
    if (wants?.length !== shapes.length || !shapes.every(({ kind }, at) => kind === wants[at])) {
      const given = shapes.map(({ kind }) => kind).join(', ');
      this.findings.push(`${call.name}(${given}) is not known here`);
      return SCALAR;
    }
    if (call.name === 'histogram_quantile') return this.#quantile(shapes.at(-1)?.labels ?? NO_LABELS);
    if (call.name === 'absent') return { kind: 'vector', labels: new Set(Object.keys(absentLabels(call.args[0]))) };
    return call.name === 'time' ? SCALAR : this.#growth(call);
  }

  #growth({ name, args: [of] }: Call): Shape {
    const known = of?.kind === 'selector' ? this.#catalogue.find(of.metric) : undefined;
    if (known?.isCounter === false) this.findings.push(`${name}() of ${known.name}, which does not only grow`);
    return { kind: 'vector', labels: known?.labels ?? NO_LABELS };
  }

  #quantile(labels: ReadonlySet<string>): Shape {
    if (!labels.has('le')) this.findings.push('histogram_quantile() of series without the label le');
    return { kind: 'vector', labels: withoutLabels(labels, ['le']) };
  }

  #aggregate({ op, by, of }: Aggregate): Shape {
    const inner = this.shapeOf(of);
    if (!AGGREGATIONS.includes(op)) this.findings.push(`${op}() is not known here`);
    if (inner.kind !== 'vector') this.findings.push(`${op}() of what are no series`);
    for (const label of by.labels)
      if (!inner.labels.has(label)) this.findings.push(`${op}() groups by ${label}, a label that nothing in it has`);
    return { kind: 'vector', labels: chosen(inner.labels, by) };
  }

  #binary({ op, on, left, right }: Binary): Shape {
    const [a, b] = [this.shapeOf(left), this.shapeOf(right)];
    const isSet = SET_OPERATORS.includes(op);
    if (a.kind === 'range' || b.kind === 'range') this.findings.push(`a range as an operand of ${op}`);
    if (a.kind === 'scalar' || b.kind === 'scalar') {
      if (isSet) this.findings.push(`a number as an operand of ${op}`);
      if (a.kind === b.kind) return SCALAR;
      return { kind: 'vector', labels: a.kind === 'scalar' ? b.labels : a.labels };
    }
    this.#partners(op, on, a.labels, b.labels);
    if (op === 'or') return { kind: 'vector', labels: new Set([...a.labels, ...b.labels]) };
    return isSet ? a : { kind: 'vector', labels: chosen(a.labels, on) };
  }

  /** Series of the two sides meet when their labels are the same: with different ones none ever does. */
  #partners(op: string, on: Labels, left: ReadonlySet<string>, right: ReadonlySet<string>): void {
    if (op === 'or') return;
    const [a, b] = [sorted(chosen(left, on)), sorted(chosen(right, on))];
    const lacks = on.mode === 'only' ? on.labels.filter((label) => !left.has(label) || !right.has(label)) : [];
    if (lacks.length > 0) this.findings.push(`${op} on ${lacks.join(', ')}, a label that one side does not have`);
    else if (a !== b) this.findings.push(`no series match across ${op}: left has (${a}), right has (${b})`);
  }
}

function withoutLabels(labels: ReadonlySet<string>, gone: readonly string[]): Set<string> {
  return new Set([...labels].filter((label) => !gone.includes(label)));
}

function chosen(labels: ReadonlySet<string>, by: Labels): ReadonlySet<string> {
  return by.mode === 'only' ? new Set(by.labels) : withoutLabels(labels, by.labels);
}
