/** A text that takes the place of another in a source. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The source with all of them done; they do not overlap. */
export function spliced(source: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted((one, other) => one.start - other.start);
  let out = '';
  let from = 0;
  for (const { start, end, text } of ordered) {
    out += source.slice(from, start) + text;
    from = end;
  }
  return out + source.slice(from);
}
