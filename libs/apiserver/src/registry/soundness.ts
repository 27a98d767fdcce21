/** What is known of a custom resource without looking at it again. */
import type { KubeObject } from '@capstan/meta';
import { fitsType } from '../apply/index.js';
import { Soundness } from '../builtin/soundness.js';
import type { Stored } from '../store/index.js';
import type { ServedResource } from './served-resource.js';

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
