import { ReleaseError } from '@capstan/release';
import type { ReleasePayload } from '@capstan/release';

/** A release, or why it cannot be read. */
export type ReleaseLookup = { readonly payload: ReleasePayload } | { readonly error: ReleaseError };

/** How long until a registry is asked again that did not answer, and until one that had no such image. */
const RETRY_MS = { transient: 30_000, lasting: 300_000 } as const;

/** After how long a release that could not be read is looked up again. */
export function releaseRetryMs({ isTransient }: Pick<ReleaseError, 'isTransient'>): number {
  return RETRY_MS[isTransient ? 'transient' : 'lasting'];
}

/** Reads a release. Errors of the registry are returned, any other is thrown. */
export async function lookUpRelease(lookup: () => Promise<ReleasePayload>): Promise<ReleaseLookup> {
  try {
    return { payload: await lookup() };
  } catch (error) {
    if (error instanceof ReleaseError) return { error };
    throw error;
  }
}
