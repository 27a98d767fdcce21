export type TranslationErrorCode = 'BAD_RULES' | 'HIDDEN' | 'MALFORMED' | 'TOO_LARGE' | 'UNSUPPORTED';

/** Something that cannot be translated, and why. */
export class TranslationError extends Error {
  override readonly name = 'TranslationError';
  readonly code: TranslationErrorCode;

  constructor(code: TranslationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
