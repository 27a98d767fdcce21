/** Text that is not JSON (or holds a number no float64 can carry), worded as the API server words it. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** Bytes consumed when the fault was seen, the offending byte included. */
  readonly offset: number;
  /** One-based line of the offending byte. */
  readonly line: number;
  /** One-based column of the offending byte, in bytes. */
  readonly column: number;

  constructor(message: string, offset: number, line: number, column: number) {
    super(message);
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}
