/** A body that Go could not have decoded into the struct; the message is Go's own. */
export class TypedDecodeError extends Error {
  override readonly name = 'TypedDecodeError';
  /** It was found by a type that reads JSON itself. */
  readonly decodesItself: boolean;

  constructor(message: string, options: ErrorOptions & { readonly decodesItself?: boolean } = {}) {
    super(message, options);
    this.decodesItself = options.decodesItself ?? false;
  }
}

/** What went wrong, before it is worded: Go adds the struct and the path on the way out. */
export interface TypeMismatch {
  /** `string`, `number 1.5`, `object`, … */
  readonly value: string;
  /** The Go type that was wanted. */
  readonly goType: string;
  readonly struct: string;
  /** JSON names from the root, with the Go names of embedded structs between them. */
  readonly field: string;
}

/** Go's sentence for a value of the wrong type. */
export function mismatchMessage(mismatch: TypeMismatch): string {
  const { value, goType, struct, field } = mismatch;
  const target = struct === '' && field === '' ? 'Go value' : `Go struct field ${struct}.${field}`;
  return `json: cannot unmarshal ${value} into ${target} of type ${goType}`;
}

/** A number that is no integer by the way it is written, in the place of one: nothing that wants a value takes it. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How Go names a JSON value: by its type, a number with its digits when the digits were the trouble. */
export function describeValue(value: unknown, digits = false): string {
  if (value instanceof WrittenNumber) return digits ? `number ${value.text}` : 'number';
  if (typeof value === 'number' || typeof value === 'bigint') return digits ? `number ${numberText(value)}` : 'number';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

/** The digits of a JSON number whose source text is gone or adds nothing. */
export function numberText(value: number | bigint): string {
  // From here on Go, too, writes floats with an exponent.
  const isWritten = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21;
  return isWritten ? BigInt(value).toString() : String(value);
}
