import type { ConversionErrorType } from './metric-declarations.js';

/** What was sent is no review that could be answered: HTTP 400. */
export class BadReview extends Error {
  override readonly name = 'BadReview';
}

/** The review is answered with a Failure and its cause: HTTP 200. */
export class ConversionFailure extends Error {
  override readonly name = 'ConversionFailure';
  /** What it is counted as. */
  readonly type: ConversionErrorType;

  constructor(message: string, type: ConversionErrorType = 'conversion-failed') {
    super(message);
    this.type = type;
  }
}

/** The converter cannot be reached at the moment, or is overloaded: HTTP 503 with Retry-After. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The options of the shim are invalid. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration';
}
