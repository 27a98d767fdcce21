import { maxOf, minOf } from '@capstan/meta';
import type { Aggregate, Binary, Call, Expression, Labels, Selector } from './expression.js';
import { absentLabels, bucketQuantile, increaseOver } from './functions.js';
import type { Bucket } from './functions.js';
import { labelKey } from './series.js';
import type { LabelSet, SeriesStore } from './series.js';

/** One result: labels, and the name while it is still the series' own value. */
export interface Element {
  readonly name: string;
  readonly labels: LabelSet;
  readonly value: number;
}

/** For how long the last sample of a series stands for its value. */
const LOOKBACK_MS = 5 * 60_000;

/** What an expression gives at a moment. Only for what the checker lets through. */
export function evaluate(expression: Expression, store: SeriesStore, atMs: number): number | readonly Element[] {
  return new Evaluation(store, atMs).value(expression);
}

type Value = number | readonly Element[];

class Evaluation {
  readonly #store: SeriesStore;
  readonly #atMs: number;

  constructor(store: SeriesStore, atMs: number) {
    this.#store = store;
    this.#atMs = atMs;
  }

  value(expression: Expression): Value {
    switch (expression.kind) {
      case 'number':
        return expression.value;
      case 'selector':
        return this.#instant(expression);
      case 'call':
        return this.#call(expression);
      case 'aggregate':
        return aggregated(expression, this.#vector(expression.of));
      case 'binary':
        return combined(expression, this.value(expression.left), this.value(expression.right));
    }
  }

  #vector(expression: Expression): readonly Element[] {
    const value = this.value(expression);
    if (typeof value === 'number') throw new TypeError('a number where series are wanted');
    return value;
  }

  #instant({ metric, matchers }: Selector): Element[] {
    const found = this.#store.select(metric, matchers, this.#atMs - LOOKBACK_MS, this.#atMs);
    return found.map(({ name, labels, samples }) => ({ name, labels, value: samples.at(-1)?.value ?? Number.NaN }));
  }

  #call({ name, args }: Call): Value {
    const [first, second] = args;
    if (name === 'time') return this.#atMs / 1000;
    if (name === 'absent') return args.flatMap((of) => this.#absent(of));
    if ((name === 'rate' || name === 'increase') && first?.kind === 'selector') return this.#growth(first, name);
    if (name === 'histogram_quantile' && first !== undefined && second !== undefined) {
      const share = this.value(first);
      if (typeof share === 'number') return quantiles(share, this.#vector(second));
    }
    throw new TypeError(`${name}() cannot be evaluated here`);
  }

  #absent(of: Expression): Element[] {
    return this.#vector(of).length > 0 ? [] : [{ name: '', labels: absentLabels(of), value: 1 }];
  }

  #growth({ metric, matchers, rangeMs = 0 }: Selector, name: 'increase' | 'rate'): Element[] {
    const found = this.#store.select(metric, matchers, this.#atMs - rangeMs, this.#atMs);
    return found.flatMap(({ labels, samples }) => {
      const growth = increaseOver(samples, this.#atMs, rangeMs);
      if (growth === undefined) return [];
      return [{ name: '', labels, value: name === 'rate' ? growth / (rangeMs / 1000) : growth }];
    });
  }
}

function pick(labels: LabelSet, { mode, labels: named }: Labels): LabelSet {
  const isWanted = (label: string): boolean => named.includes(label) === (mode === 'only');
  return Object.fromEntries(Object.entries(labels).filter(([label]) => isWanted(label)));
}

function grouped(elements: readonly Element[], by: Labels): Map<string, { labels: LabelSet; members: Element[] }> {
  const groups = new Map<string, { labels: LabelSet; members: Element[] }>();
  for (const element of elements) {
    const labels = pick(element.labels, by);
    const key = labelKey(labels);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels, members: [element] });
    else group.members.push(element);
  }
  return groups;
}

const REDUCE: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  count: (values) => values.length,
  max: (values) => maxOf(values),
  min: (values) => minOf(values),
};

function aggregated({ op, by }: Aggregate, elements: readonly Element[]): Element[] {
  const reduce = REDUCE[op];
  if (reduce === undefined) throw new TypeError(`${op}() cannot be evaluated here`);
  return [...grouped(elements, by).values()].map(({ labels, members }) => ({
    name: '',
    labels,
    value: reduce(members.map(({ value }) => value)),
  }));
}

function quantiles(share: number, elements: readonly Element[]): Element[] {
  const groups = grouped(elements, { mode: 'without', labels: ['le'] });
  return [...groups.values()].map(({ labels, members }) => {
    const buckets = members.map(({ labels: { le = '' }, value }): Bucket => {
      return { bound: le === '+Inf' ? Infinity : Number(le), count: value };
    });
    return { name: '', labels, value: bucketQuantile(share, buckets) };
  });
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
};

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

function combined(binary: Binary, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const compare = COMPARISONS[binary.op];
    return compare === undefined ? arithmetic(binary.op)(left, right) : Number(compare(left, right));
  }
  if (typeof left === 'number') {
    const elements = right as readonly Element[];
    return elements.flatMap((element) => applyBinary(binary, element, [left, element.value]));
  }
  if (typeof right === 'number') return left.flatMap((element) => applyBinary(binary, element, [element.value, right]));
  return matched(binary, left, right);
}

function arithmetic(op: string): (a: number, b: number) => number {
  const apply = ARITHMETIC[op];
  if (apply === undefined) throw new TypeError(`${op} cannot be evaluated here`);
  return apply;
}

/** What becomes of a series when its value and another number meet: a new value, or none. */
function applyBinary({ op, isBool }: Binary, element: Element, [a, b]: readonly [number, number]): Element[] {
  const compare = COMPARISONS[op];
  if (compare === undefined) return [{ name: '', labels: element.labels, value: arithmetic(op)(a, b) }];
  if (isBool) return [{ name: '', labels: element.labels, value: Number(compare(a, b)) }];
  return compare(a, b) ? [element] : [];
}

function matched(binary: Binary, left: readonly Element[], right: readonly Element[]): Element[] {
  const { op, on } = binary;
  const partners = grouped(right, on);
  const keyOf = ({ labels }: Element): string => labelKey(pick(labels, on));
  if (op === 'and') return left.filter((element) => partners.has(keyOf(element)));
  if (op === 'unless') return left.filter((element) => !partners.has(keyOf(element)));
  if (op === 'or') {
    const had = new Set(left.map(keyOf));
    return [...left, ...right.filter((element) => !had.has(keyOf(element)))];
  }
  const isComparison = COMPARISONS[op] !== undefined && !binary.isBool;
  return left.flatMap((element) => {
    const members = partners.get(keyOf(element))?.members ?? [];
    if (members.length > 1) throw new TypeError(`more than one series to the right of ${op} for ${keyOf(element)}`);
    return members.flatMap(({ value }) => {
      const labels = isComparison ? element.labels : pick(element.labels, on);
      return applyBinary(binary, { ...element, labels }, [element.value, value]);
    });
  });
}
