/** Status conditions: pure operations on a list, which keep its order and never change it in place. */

/** The answer of a condition. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly observedGeneration?: number;
  /** RFC 3339, whole seconds. */
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** A condition to be set; without a time it is `now` when the status changes. */
export type ConditionUpdate = Omit<Condition, 'lastTransitionTime'> & { readonly lastTransitionTime?: string };

type Conditions = readonly Condition[] | undefined;

/** The first condition of a type. */
export function getCondition(conditions: Conditions, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition exists and is `True`. */
export function isConditionTrue(conditions: Conditions, type: string): boolean {
  return getCondition(conditions, type)?.status === 'True';
}

/** Whether the condition exists and is `False`. */
export function isConditionFalse(conditions: Conditions, type: string): boolean {
  return getCondition(conditions, type)?.status === 'False';
}

function build(update: ConditionUpdate, lastTransitionTime: string): Condition {
  const { type, status, observedGeneration, reason, message } = update;
  return {
    type,
    status,
    ...(observedGeneration ? { observedGeneration } : undefined),
    lastTransitionTime,
    reason,
    message,
  };
}

function isUnchanged(existing: Condition, update: ConditionUpdate): boolean {
  return (
    existing.reason === update.reason &&
    existing.message === update.message &&
    (existing.observedGeneration ?? 0) === (update.observedGeneration ?? 0)
  );
}

/** No transition is in the future, whichever client wrote it. Times of conditions compare as strings. */
function earlier({ lastTransitionTime }: Condition, now: string): string {
  return lastTransitionTime <= now ? lastTransitionTime : now;
}

/**
 * The list with a condition set: appended when new, else replaced in its place. The transition time moves only when
 * the status does, and when it is in the future. The very same list comes back when nothing changes, so identity shows whether to write.
 */
export function setCondition(conditions: Conditions, update: ConditionUpdate, now: string): readonly Condition[] {
  const list = conditions ?? [];
  const index = list.findIndex((condition) => condition.type === update.type);
  const existing = list[index];
  if (existing === undefined) return [...list, build(update, update.lastTransitionTime || now)];
  const moved = existing.status !== update.status;
  if (!moved && existing.lastTransitionTime <= now && isUnchanged(existing, update)) return list;
  return list.with(index, build(update, moved ? update.lastTransitionTime || now : earlier(existing, now)));
}

/** The list without a condition; the very same list when there was none. */
export function removeCondition(conditions: Conditions, type: string): readonly Condition[] {
  const list = conditions ?? [];
  return list.some((condition) => condition.type === type) ? list.filter((condition) => condition.type !== type) : list;
}
