import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';

/** A condition that is a warning event whenever it gets worse: its type, and when it is bad. */
export interface Complaint {
  readonly type: string;
  readonly isBad: (condition: Condition) => boolean;
}

type Conditions = readonly Condition[] | undefined;

/** Conditions that have become bad, or are bad in another way than before. */
export function newComplaints(
  complaints: readonly Complaint[],
  before: Conditions,
  after: Conditions,
): readonly Pick<Condition, 'message' | 'reason'>[] {
  return complaints.flatMap(({ isBad, type }) => {
    const now = getCondition(after, type);
    if (now === undefined || !isBad(now)) return [];
    const old = getCondition(before, type);
    const isKnown =
      old !== undefined && old.status === now.status && old.reason === now.reason && old.message === now.message;
    return isKnown ? [] : [{ reason: now.reason, message: now.message }];
  });
}
