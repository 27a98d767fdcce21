import type { Clock } from '@capstan/meta';
import { giveWay, type Flow } from '../registry/effects.js';
import type { ListResult, Stored } from '../store/index.js';

export interface ListSelection {
  readonly matches: (stored: Stored) => boolean;
  /** 0: all. */
  readonly limit: number;
  readonly clock: Clock;
}

/**
 * What of a whole list matches, up to a limit. The list is a snapshot of versions that never change, so that others may
 * write while it is looked through.
 */
export function* selectFrom(whole: ListResult, { matches, limit, clock }: ListSelection): Flow<ListResult> {
  const { items, revision } = whole;
  const selected: Stored[] = [];
  for (const [at, stored] of items.entries()) {
    yield* giveWay(clock);
    if (!matches(stored)) continue;
    selected.push(stored);
    if (selected.length !== limit) continue;
    const remaining = items.length - at - 1;
    return { items: selected, revision, more: remaining > 0, remaining };
  }
  return { items: selected, revision, more: false, remaining: 0 };
}
