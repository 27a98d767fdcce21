import type { KubeObject } from '@capstan/meta';

/**
 * A stored version is sound when every check of today's schema passed on the whole of it: pruned and defaulted, of the
 * types that field managers see, valid but for rules, and so is its metadata. What a write leaves as it was, the very
 * same maps and lists, then needs no second look.
 */
export class Soundness {
  /** The stored object a write begins from, where it is sound. */
  readonly since: KubeObject | undefined;
  /** What this write was found to be so far. */
  fits = false;
  isValid = false;
  hasValidMetadata = false;

  constructor(since?: KubeObject) {
    this.since = since;
  }
}
