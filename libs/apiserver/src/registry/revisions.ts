import { apiErrors, goQuote } from '@capstan/meta';
import type { Core } from './core.js';
import type { Flow } from './effects.js';

/** How long a request waits for a state that has not happened yet. */
export const FUTURE_REVISION_WAIT_MS = 3000;
const MAX_UINT64 = 18446744073709551615n;

/** A revision as a number, or Go's complaint about it. */
export function parseRevision(text: string): number | string {
  const complaint = (reason: string): string =>
    `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: ${reason}`;
  if (!/^\d+$/.test(text)) return complaint('invalid syntax');
  return BigInt(text) > MAX_UINT64 ? complaint('value out of range') : Number(text);
}

/** The revision a list names, 0 if it names none; BadRequest for what is none. */
export function requireReadableRevision(text: string): number {
  const revision = text === '' ? 0 : parseRevision(text);
  if (typeof revision === 'string') throw apiErrors.badRequest(`invalid resource version: ${revision}`);
  return revision;
}

/** Waits until the store has reached a revision; 504 when it does not in time. */
export function* requireRevision(core: Core, revision: number): Flow<void> {
  if (core.store.revision >= revision) return;
  yield { type: 'await-revision', revision, timeoutMs: FUTURE_REVISION_WAIT_MS };
  if (core.store.revision < revision) throw apiErrors.tooLargeResourceVersion(revision, core.store.revision);
}
