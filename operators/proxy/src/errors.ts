/** Why the proxy, and not the server behind it, cannot do what was asked. */
export type ProxyErrorCode =
  /** It was configured in a way that cannot work. */
  | 'bad-options'
  /** The server cannot be reached: nothing was sent. */
  | 'unreachable'
  /** The server did not answer in time. */
  | 'timeout'
  /** The connection broke after the request was sent. */
  | 'connection-lost'
  /** What the server sent is not HTTP as it should be. */
  | 'bad-response'
  /** There is nothing to authenticate with. */
  | 'no-credentials'
  /** The client does not send what it announced. */
  | 'slow-client'
  /** The client has left. */
  | 'client-gone'
  /** The proxy is being stopped. */
  | 'stopping';

/** An error of the proxy itself, identified by its code. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ProxyErrorCode;

  constructor(code: ProxyErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
