/** A small Prometheus registry: counters, gauges set or read on demand, histograms with fixed buckets. */

import type { CounterDeclaration, GaugeDeclaration, HistogramDeclaration, MetricDeclaration } from './declaration.js';

type LabelValues = readonly string[];

/** Everything counted under one name. */
export interface MetricFamily {
  readonly name: string;
  /** What may be asked of it, for those who check rules and dashboards. */
  readonly declaration: MetricDeclaration;
  render(lines: string[]): void;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

function labelText(names: readonly string[], values: LabelValues, extra = ''): string {
  const pairs = names.map((name, at) => `${name}="${escapeLabel(values[at] ?? '')}"`);
  if (extra !== '') pairs.push(extra);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function header(lines: string[], { name, help, type }: MetricDeclaration): void {
  lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
}

/** One line of a counter: for those that count so often that looking it up by its labels is felt. */
export class CounterSeries {
  readonly values: LabelValues;
  count = 0;

  constructor(values: LabelValues) {
    this.values = values;
  }

  add(amount = 1): void {
    this.count += amount;
  }
}

/** A number that only grows, per set of label values. */
export class Counter {
  readonly #labels: readonly string[];
  readonly #series = new Map<string, CounterSeries>();
  readonly name: string;
  readonly declaration: CounterDeclaration;

  constructor(name: string, help: string, labels: readonly string[]) {
    this.name = name;
    this.#labels = labels;
    this.declaration = { type: 'counter', name, help, labels };
  }

  /** The counter of a declaration. */
  static of({ name, help, labels }: CounterDeclaration): Counter {
    return new Counter(name, help, labels);
  }

  add(values: LabelValues, amount = 1): void {
    this.series(values).add(amount);
  }

  /** The line of some label values; it is shown from now on. */
  series(values: LabelValues): CounterSeries {
    const key = values.join('\u0000');
    let series = this.#series.get(key);
    if (series === undefined) this.#series.set(key, (series = new CounterSeries(values)));
    return series;
  }

  /** The count so far; 0 when nothing was added. */
  value(values: LabelValues): number {
    return this.#series.get(values.join('\u0000'))?.count ?? 0;
  }

  render(lines: string[]): void {
    header(lines, this.declaration);
    for (const { values, count } of this.#series.values())
      lines.push(`${this.name}${labelText(this.#labels, values)} ${count}`);
  }
}

/** The values of one set of label values. */
export class HistogramSeries {
  readonly values: LabelValues;
  readonly counts: Uint32Array;
  sum = 0;
  count = 0;
  readonly #bounds: readonly number[];

  constructor(values: LabelValues, bounds: readonly number[]) {
    this.values = values;
    this.#bounds = bounds;
    this.counts = new Uint32Array(bounds.length);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    if (at < bounds.length) this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += value;
    this.count += 1;
  }
}

/** How values spread over fixed bounds, per set of label values. */
export class Histogram {
  readonly name: string;
  readonly declaration: HistogramDeclaration;
  readonly #labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, HistogramSeries>();

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.name = name;
    this.#labels = labels;
    this.#bounds = bounds;
    this.declaration = { type: 'histogram', name, help, labels, buckets: bounds };
  }

  /** The histogram of a declaration. */
  static of({ name, help, labels, buckets }: HistogramDeclaration): Histogram {
    return new Histogram(name, help, labels, buckets);
  }

  observe(values: LabelValues, value: number): void {
    this.series(values).observe(value);
  }

  /** Those of some label values; they are shown from now on. */
  series(values: LabelValues): HistogramSeries {
    const key = values.join('\u0000');
    let series = this.#series.get(key);
    if (series === undefined) this.#series.set(key, (series = new HistogramSeries(values, this.#bounds)));
    return series;
  }

  render(lines: string[]): void {
    header(lines, this.declaration);
    for (const { values, counts, sum, count } of this.#series.values()) {
      let below = 0;
      for (const [at, bound] of this.#bounds.entries()) {
        below += counts[at] ?? 0;
        lines.push(`${this.name}_bucket${labelText(this.#labels, values, `le="${bound}"`)} ${below}`);
      }
      lines.push(`${this.name}_bucket${labelText(this.#labels, values, 'le="+Inf"')} ${count}`);
      lines.push(
        `${this.name}_sum${labelText(this.#labels, values)} ${sum}`,
        `${this.name}_count${labelText(this.#labels, values)} ${count}`,
      );
    }
  }
}

/** A number that goes up and down, per set of label values. */
export class Gauge {
  readonly name: string;
  readonly declaration: GaugeDeclaration;
  readonly #labels: readonly string[];
  readonly #series = new Map<string, { values: LabelValues; value: number }>();

  constructor(name: string, help: string, labels: readonly string[]) {
    this.name = name;
    this.#labels = labels;
    this.declaration = { type: 'gauge', name, help, labels };
  }

  /** The gauge of a declaration. */
  static of({ name, help, labels }: GaugeDeclaration): Gauge {
    return new Gauge(name, help, labels);
  }

  set(values: LabelValues, value: number): void {
    this.series(values).value = value;
  }

  add(values: LabelValues, amount: number): void {
    this.series(values).value += amount;
  }

  /** The last value; 0 when none was set. */
  value(values: LabelValues): number {
    return this.#series.get(values.join('\u0000'))?.value ?? 0;
  }

  render(lines: string[]): void {
    header(lines, this.declaration);
    for (const { values, value } of this.#series.values())
      lines.push(`${this.name}${labelText(this.#labels, values)} ${value}`);
  }

  /** The line of some label values; it is shown from now on. */
  series(values: LabelValues): { value: number } {
    const key = values.join('\u0000');
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { values, value: 0 };
      this.#series.set(key, series);
    }
    return series;
  }
}

/** A gauge whose series are computed at each scrape. */
export class LiveGauge {
  readonly name: string;
  readonly declaration: GaugeDeclaration;
  readonly #labels: readonly string[];
  readonly #read: () => Iterable<readonly [LabelValues, number]>;

  constructor(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Iterable<readonly [LabelValues, number]>,
  ) {
    this.name = name;
    this.#labels = labels;
    this.#read = read;
    this.declaration = { type: 'gauge', name, help, labels };
  }

  /** The gauge of a declaration. */
  static of({ name, help, labels }: GaugeDeclaration, read: () => Iterable<readonly [LabelValues, number]>): LiveGauge {
    return new LiveGauge(name, help, labels, read);
  }

  render(lines: string[]): void {
    header(lines, this.declaration);
    for (const [values, value] of this.#read()) lines.push(`${this.name}${labelText(this.#labels, values)} ${value}`);
  }
}

/** All families in the text format of Prometheus. */
export function renderMetrics(families: readonly MetricFamily[]): string {
  const lines: string[] = [];
  for (const family of families) family.render(lines);
  return lines.join('\n') + '\n';
}
