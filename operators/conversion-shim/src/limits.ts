/** How much the shim takes on. */
export interface ShimLimits {
  /** Reviews converted at once. */
  readonly concurrent: number;
  /** Reviews that wait for their turn; more are answered with 503 and Retry-After. */
  readonly queued: number;
  /** A list of all objects of a kind comes as one review. */
  readonly bodyBytes: number;
  /** All tries of one review at a delegate together; the API server is waiting. */
  readonly delegateMs: number;
  /** How long a review waits for the CRDs to be known after the start. */
  readonly startMs: number;
}

const MIB = 1024 * 1024;

/** Used where no other limit is given. */
export const DEFAULT_LIMITS: ShimLimits = {
  concurrent: 32,
  queued: 512,
  bodyBytes: 64 * MIB,
  delegateMs: 15_000,
  startMs: 10_000,
};
