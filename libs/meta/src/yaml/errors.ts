/** Text that is not YAML, or more of it than is read. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** What is wrong, without its place. */
  readonly reason: string;
  /** Which document of the text, counted from 1. */
  readonly document: number;
  /** One-based. */
  readonly line: number;
  /** One-based. */
  readonly column: number;

  constructor(reason: string, place: { readonly document: number; readonly line: number; readonly column: number }) {
    super(`${reason} at line ${place.line}, column ${place.column}`);
    this.reason = reason;
    this.document = place.document;
    this.line = place.line;
    this.column = place.column;
  }
}
