/** What every kind of metric declares. */
interface Declared {
  readonly name: string;
  /** One sentence, shown on the metrics page. */
  readonly help: string;
  readonly labels: readonly string[];
}

/** A metric that only grows. */
export interface CounterDeclaration extends Declared {
  readonly type: 'counter';
}

/** A metric that goes up and down. */
export interface GaugeDeclaration extends Declared {
  readonly type: 'gauge';
}

/** A metric that spreads values over bounds; shown as `_bucket`, `_sum` and `_count`. */
export interface HistogramDeclaration extends Declared {
  readonly type: 'histogram';
  /** Upper bounds, ascending; the last one, `+Inf`, is implied. */
  readonly buckets: readonly number[];
}

/** The one definition of a metric: the registry counts under it, and rules and dashboards are checked against it. */
export type MetricDeclaration = CounterDeclaration | GaugeDeclaration | HistogramDeclaration;
