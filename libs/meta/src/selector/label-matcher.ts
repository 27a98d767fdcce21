/** A compiled label selector. Immutable; share it freely. */
import { compareBytes } from '../json/compare-bytes.js';
import { formatRequirement, type LabelRequirement, type Labels } from './requirement.js';

/** All of some conditions, or nothing at all. Build it with the parse and compile functions. */
export class LabelMatcher {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** False for the selector that matches no object. */
  readonly selectable: boolean;

  private constructor(requirements: readonly LabelRequirement[], selectable: boolean) {
    this.requirements = requirements;
    this.selectable = selectable;
  }

  /** Matches every object. */
  static readonly everything = new LabelMatcher([], true);
  /** Matches no object. */
  static readonly nothing = new LabelMatcher([], false);

  /** Matches what satisfies all the conditions. */
  static of(requirements: readonly LabelRequirement[]): LabelMatcher {
    if (requirements.length === 0) return LabelMatcher.everything;
    return new LabelMatcher(
      [...requirements].sort((a, b) => compareBytes(a.key, b.key)),
      true,
    );
  }

  /** Whether an object with these labels is selected. */
  matches(labels: Labels): boolean {
    const { requirements } = this;
    for (let i = 0; i < requirements.length; i++) {
      if (requirements[i]?.matches(labels) === false) return false;
    }
    return this.selectable;
  }

  /** Whether every object is selected. */
  isEmpty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  /** The selector with further conditions. */
  with(...requirements: readonly LabelRequirement[]): LabelMatcher {
    return this.selectable ? LabelMatcher.of([...this.requirements, ...requirements]) : this;
  }

  /** The one value the first condition on a label demands, if it demands one. */
  requiresExactMatch(label: string): string | undefined {
    const found = this.requirements.find((requirement) => requirement.key === label);
    if (found === undefined || found.values.length !== 1) return undefined;
    return found.operator === '=' || found.operator === '==' || found.operator === 'in' ? found.values[0] : undefined;
  }

  /** The canonical text: sorted by key. */
  toString(): string {
    return this.requirements.map(formatRequirement).join(',');
  }
}
