/** No response could be had. */
export class TransportError extends Error {
  /** `ECONNREFUSED`, `ECONNRESET`, `ABORTED`, `TIMEOUT`, … as the system or this package names it. */
  readonly code: string;
  /** True when the server may have acted on the request: only reads may be repeated blindly then. */
  readonly mayHaveReachedServer: boolean;

  constructor(code: string, message: string, mayHaveReachedServer: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.code = code;
    this.mayHaveReachedServer = mayHaveReachedServer;
  }
}

/** The error of a request given up by its own signal. */
export function abortedError(signal: AbortSignal | undefined, mayHaveReachedServer: boolean): TransportError {
  return new TransportError('ABORTED', 'the request was aborted', mayHaveReachedServer, signal?.reason);
}

/** True for an error that came from aborting a request. */
export function isAborted(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'ABORTED';
}
