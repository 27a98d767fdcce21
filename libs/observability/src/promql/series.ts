import type { Matcher } from './expression.js';

/** Labels of a series, without its name. */
export type LabelSet = Readonly<Record<string, string>>;

/** A value at a moment. */
export interface Sample {
  readonly ms: number;
  readonly value: number;
}

/** One line of samples, in the order of time. */
export interface Series {
  readonly name: string;
  readonly labels: LabelSet;
  readonly samples: readonly Sample[];
}

/** Labels as a text that is the same for the same labels. */
export function labelKey(labels: LabelSet): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether labels are what a matcher wants; a label that is not there is an empty one. */
function matches(labels: LabelSet, { label, op, value }: Matcher): boolean {
  const actual = labels[label] ?? '';
  if (op === '=' || op === '!=') return (actual === value) === (op === '=');
  return new RegExp(`^(?:${value})$`, 's').test(actual) === (op === '=~');
}

/** Series that are kept, and can be asked for. */
export class SeriesStore {
  readonly #byName = new Map<string, Map<string, { labels: LabelSet; samples: Sample[] }>>();

  constructor(series: readonly Series[] = []) {
    for (const { name, labels, samples } of series) for (const sample of samples) this.append(name, labels, sample);
  }

  append(name: string, labels: LabelSet, sample: Sample): void {
    const family = this.#byName.get(name) ?? new Map<string, { labels: LabelSet; samples: Sample[] }>();
    this.#byName.set(name, family);
    const key = labelKey(labels);
    const line = family.get(key) ?? { labels, samples: [] };
    family.set(key, line);
    line.samples.push(sample);
  }

  /** The samples after one moment and up to another, of every series that matches; those without any are left out. */
  select(name: string, matchers: readonly Matcher[], afterMs: number, untilMs: number): Series[] {
    const found: Series[] = [];
    for (const { labels, samples } of this.#byName.get(name)?.values() ?? []) {
      if (!matchers.every((matcher) => matches(labels, matcher))) continue;
      const within = samples.filter(({ ms }) => ms > afterMs && ms <= untilMs);
      if (within.length > 0) found.push({ name, labels, samples: within });
    }
    return found;
  }
}
