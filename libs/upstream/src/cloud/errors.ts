/** Why a cloud refused, for programs to tell apart. */
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

/** The answer of something in between, which never passed the call on. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** As HTTP has it. */
  readonly code: number;

  constructor(code: number) {
    super(`refused with ${code} on the way`);
    this.code = code;
  }
}
