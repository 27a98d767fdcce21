/** What a benchmark may ask of its run. */
export interface BenchContext {
  /** A short slice: seconds for everything together, for a check before a change goes in. */
  readonly quick: boolean;
  /** How long one measurement lasts, in milliseconds. */
  readonly sliceMs: number;
  /**
   * Calls `work` over and over for one slice and gives calls per second. Work that takes no time to speak of must do
   * several things per call, or the loop is what is measured.
   */
  rate(work: () => unknown): number;
  /** The same for work that is waited for, `concurrency` calls at a time. */
  rateAsync(work: () => Promise<unknown>, concurrency?: number): Promise<number>;
}

/** Gives one number in the unit of its row. */
export type Measurement = (context: BenchContext) => number | Promise<number>;

/** One line of the table. */
export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** What we want to reach, in the row's unit; shown, never enforced. */
  readonly target?: number;
  /** A yardstick measured in the same run, alternating with ours, so that a slow machine slows both. */
  readonly reference?: { readonly name: string; readonly run: Measurement };
  /** Why there is no yardstick, where a machine may have one: `nginx: not installed`. */
  readonly missing?: string;
  readonly run: Measurement;
}

/** The rows of a suite, with whatever they share already started. */
export interface OpenSuite {
  readonly rows: readonly BenchRow[];
  close?(): Promise<void>;
}

/** Benchmarks of one subject; `open` starts servers and makes data, `close` ends them. */
export interface BenchSuite {
  readonly name: string;
  /** Which of several rounds counts (default: the best). */
  readonly counts?: 'best' | 'median';
  /** How many rounds there are when there is time (default: five). */
  readonly rounds?: number;
  /** It takes minutes: it runs when it is named, and not among all. */
  readonly onDemand?: boolean;
  open(context: BenchContext): OpenSuite | Promise<OpenSuite>;
}

/** The least and the most that a round gave. */
export type Spread = readonly [least: number, most: number];

/** What came out for one row. */
export interface RowResult {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly ours: number;
  /** Where the one in the middle counts: between what it is. */
  readonly spread?: Spread;
  readonly target?: number;
  readonly reference?: { readonly name: string; readonly value: number; readonly spread?: Spread };
  readonly missing?: string;
  /** How many times as good as the reference: above 1 is better than it, whichever way the unit counts. */
  readonly ratio?: number;
  readonly storedRatio?: number;
  readonly tries: number;
  /** True when the ratio was worse than the stored one by more than the limit in every try. */
  readonly regressed: boolean;
}
