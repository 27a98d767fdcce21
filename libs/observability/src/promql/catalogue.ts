import type { MetricDeclaration } from '@capstan/meta';

/** Labels that the scraper adds to every series. */
const TARGET_LABELS = ['namespace', 'pod', 'container', 'service', 'endpoint', 'job', 'instance'] as const;

/** What can be asked under one name. */
export interface KnownSeries {
  readonly name: string;
  /** It only grows, so that it has a rate. */
  readonly isCounter: boolean;
  readonly labels: ReadonlySet<string>;
  /** What `le` may be; undefined where there is none. */
  readonly bounds: readonly string[] | undefined;
}

/** Every name that may stand in an expression. */
export class Catalogue {
  readonly #series = new Map<string, KnownSeries>();
  readonly #histograms = new Set<string>();

  constructor(declarations: readonly MetricDeclaration[]) {
    for (const declaration of declarations) this.#declare(declaration);
  }

  find(name: string): KnownSeries | undefined {
    return this.#series.get(name);
  }

  /** Whether there is a histogram of that name, of which only the parts can be asked. */
  isHistogram(name: string): boolean {
    return this.#histograms.has(name);
  }

  /** Adds what a recording rule keeps. */
  record(name: string, labels: ReadonlySet<string>): void {
    this.#series.set(name, { name, isCounter: false, labels, bounds: undefined });
  }

  #declare(declaration: MetricDeclaration): void {
    const labels = new Set([...declaration.labels, ...TARGET_LABELS]);
    const add = (name: string, isCounter: boolean): void => {
      this.#series.set(name, { name, isCounter, labels, bounds: undefined });
    };
    const { name, type } = declaration;
    if (type !== 'histogram') {
      add(name, type === 'counter');
      return;
    }
    this.#histograms.add(name);
    add(`${name}_sum`, true);
    add(`${name}_count`, true);
    const bounds = [...declaration.buckets.map(String), '+Inf'];
    this.#series.set(`${name}_bucket`, {
      name: `${name}_bucket`,
      isCounter: true,
      labels: new Set([...labels, 'le']),
      bounds,
    });
  }
}
