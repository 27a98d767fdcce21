/** What is known of a custom resource without looking at it again. */
import type { KubeObject } from '@capstan/meta';
import { fitsType } from '../apply/index.js';
import type { Stored } from '../store/index.js';
import type { ServedResource } from './served-resource.js';

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

/** What is known when a write of a stored version begins. */
export function soundnessOf({ conversion }: ServedResource, stored: Stored): Soundness {
  return new Soundness(conversion?.isSound?.(stored) === true ? stored.object() : undefined);
}

/** Remembers with a version that is about to be stored, or just was, what the write was found to be. */
export function rememberSound({ conversion }: ServedResource, known: Soundness, stored: Stored): void {
  if (known.fits && known.isValid && known.hasValidMetadata) conversion?.markSound?.(stored, known.since);
}

/** Whether a custom resource has the types that field managers see; `since` has. */
export function fitsServed(served: ServedResource, object: KubeObject, since?: KubeObject): boolean {
  if (served.custom === undefined) return false;
  const type = served.applyScope('').typeOf(served.apiVersion);
  return type !== undefined && fitsType(object, type, since);
}
