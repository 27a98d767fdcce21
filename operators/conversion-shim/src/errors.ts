import type { ConversionErrorType } from './metric-declarations.js';

/** What was sent is no review that could be answered: HTTP 400. */
export class BadReview extends Error {
  override readonly name = 'BadReview';
}

/** The review is answered, with a failure that says why: HTTP 200. */
export class ConversionFailure extends Error {
  override readonly name = 'ConversionFailure';
  /** What it is counted as. */
  readonly type: ConversionErrorType;

  constructor(message: string, type: ConversionErrorType = 'conversion-failed') {
    super(message);
    this.type = type;
  }
}

/** Whoever converts cannot be reached at the moment, or has too much to do: HTTP 503, and to be asked again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** What the shim was told to do makes no sense. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration';
}
