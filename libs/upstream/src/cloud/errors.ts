/** Why a cloud refused, for callers to distinguish. */
export type CloudErrorCode =
  | 'IdempotencyMismatch'
  | 'InsufficientCapacity'
  | 'InvalidParameter'
  | 'NotFound'
  | 'QuotaExceeded'
  | 'Throttled'
  | 'Unavailable';

/** Asking again cannot help: what was asked for is wrong. */
const TERMINAL: ReadonlySet<CloudErrorCode> = new Set(['IdempotencyMismatch', 'InvalidParameter']);

/** A refusal of a cloud. */
export class CloudError extends Error {
  readonly code: CloudErrorCode;

  constructor(code: CloudErrorCode, message: string) {
    super(message);
    this.name = 'CloudError';
    this.code = code;
  }

  get isTerminal(): boolean {
    return TERMINAL.has(this.code);
  }
}

/** A refusal on the way to the server, which never received the call. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** The HTTP status code. */
  readonly code: number;

  constructor(code: number) {
    super(`refused with ${code} on the way`);
    this.code = code;
  }
}
