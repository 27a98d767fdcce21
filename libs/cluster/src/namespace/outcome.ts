import type { ApiResource } from '@capstan/kube';

/** Objects of one resource that are still there. */
export interface Remaining {
  readonly resource: ApiResource;
  readonly count: number;
  /** How many of them carry each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Revision at which they were counted. */
  readonly resourceVersion: string;
}

/** What an attempt to empty a namespace came to. */
export interface ContentOutcome {
  readonly discoveryError: string | undefined;
  readonly errors: readonly string[];
  readonly remaining: readonly Remaining[];
  /** Seconds until the rest may be deleted; 0 when there is no rest, or it is unknown. */
  readonly estimateSeconds: number;
}
