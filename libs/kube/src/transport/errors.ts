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

const LOST_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether a connection broke under a request. Transports within the process say so by an error named `ConnectionLost`. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof TransportError) return LOST_CODES.has(error.code);
  return error instanceof Error && error.name === 'ConnectionLost';
}

/** Whether the server certainly never saw the request. */
export function neverReachedServer(error: unknown): boolean {
  if (error instanceof TransportError) return !error.mayHaveReachedServer;
  return error instanceof Error && error.name === 'ConnectionLost' && 'when' in error && error.when === 'before';
}
