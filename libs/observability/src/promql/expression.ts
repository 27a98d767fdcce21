/** How a label is compared with a text. */
export interface Matcher {
  readonly label: string;
  readonly op: '!=' | '!~' | '=' | '=~';
  readonly value: string;
}

/** Series chosen by name and labels; with a range, all their samples in it. */
export interface Selector {
  readonly kind: 'selector';
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  readonly rangeMs: number | undefined;
}

/** A function of Prometheus. */
export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Expression[];
}

/** Which labels count: these alone, or all but these. */
export interface Labels {
  readonly mode: 'only' | 'without';
  readonly labels: readonly string[];
}

/** Many series made one for each set of grouping labels. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly op: string;
  readonly by: Labels;
  readonly of: Expression;
}

/** Two expressions and what is between them. */
export interface Binary {
  readonly kind: 'binary';
  readonly op: string;
  /** Comparisons give 0 and 1 instead of choosing. */
  readonly isBool: boolean;
  /** Labels by which the sides find each other. */
  readonly on: Labels;
  readonly left: Expression;
  readonly right: Expression;
}

/** A number, durations in seconds. */
interface NumberLiteral {
  readonly kind: 'number';
  readonly value: number;
}

/** The part of PromQL that rules and panels here are written in. */
export type Expression = Aggregate | Binary | Call | NumberLiteral | Selector;
