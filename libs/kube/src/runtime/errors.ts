/** Why something of this package cannot go on. */
export type RuntimeErrorCode =
  /** It was built or called in a way that cannot work. */
  | 'misused'
  /** The cache did not sync in time. */
  | 'cache-sync-timeout'
  /** Something read from the cache before it runs. */
  | 'cache-not-started'
  /** No index of that name. */
  | 'no-index'
  /** Another holds the lease, or may soon. */
  | 'leadership-lost'
  /** A reconciliation took longer than it may. */
  | 'reconcile-timeout'
  /** What was asked to stop did not within the time it has. */
  | 'stop-timeout'
  /** A condition that a test or a scenario waited for was not met in time. */
  | 'wait-timeout'
  /** The server sent something on a watch that is no event. */
  | 'bad-watch-event'
  /** A certificate or its key cannot be used. */
  | 'bad-certificate';

/** An error of the runtime itself, distinguished by its code. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly code: RuntimeErrorCode;

  constructor(code: RuntimeErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
