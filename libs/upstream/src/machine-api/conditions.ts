import { compareBytes } from '@capstan/meta';
import type { ConditionStatus } from '@capstan/meta';

/** How bad it is that a condition is not `True`. */
export type Severity = 'Error' | 'Warning' | 'Info';

/** A condition of Machine API: with a severity, and with optional reason and message. */
export interface MachineCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly severity?: Severity;
  readonly lastTransitionTime: string;
  readonly reason?: string;
  readonly message?: string;
}

/** A condition to be set. */
export type MachineConditionUpdate = Omit<MachineCondition, 'lastTransitionTime'>;

type Conditions = readonly MachineCondition[] | undefined;

/** The condition of a type. */
export function findCondition(conditions: Conditions, type: string): MachineCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition exists with status `True`. */
export function isTrue(conditions: Conditions, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Whether both are equal except for their times. */
export function isSameCondition(condition: MachineCondition | undefined, update: MachineConditionUpdate): boolean {
  return (
    condition !== undefined &&
    condition.status === update.status &&
    (condition.severity ?? '') === (update.severity ?? '') &&
    (condition.reason ?? '') === (update.reason ?? '') &&
    (condition.message ?? '') === (update.message ?? '')
  );
}

/**
 * The list with a condition set, sorted by type. Any change of the condition moves its time; without a change the very
 * same list is returned.
 */
export function withCondition(
  conditions: Conditions,
  update: MachineConditionUpdate,
  now: string,
): readonly MachineCondition[] {
  const list = conditions ?? [];
  if (isSameCondition(findCondition(list, update.type), update)) return list;
  const others = list.filter(({ type }) => type !== update.type);
  return [...others, { ...update, lastTransitionTime: now }].sort((a, b) => compareBytes(a.type, b.type));
}
