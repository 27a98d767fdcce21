/** What can be wrong with a CRD that is to be mirrored. */
export type MirrorErrorCode = 'BROKEN' | 'NOT_A_DEFINITION' | 'NOT_STANDARD' | 'ALREADY_PRIVATE' | 'TOO_LONG';

/** Why a CRD cannot be mirrored. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
