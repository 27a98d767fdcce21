/**
 * A whole number that is a float to the real server because it was written like one (`3.0`, `1e1`). Values hold plain
 * numbers; this stands in for them only where it matters, while an object is validated.
 */
export class WholeFloat {
  /** It, with its sign were it zero. */
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The number where there is one, and anything else as it is. */
export function plainFloat(value: unknown): unknown {
  return value instanceof WholeFloat ? value.value : value;
}
