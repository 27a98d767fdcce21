import { getCondition, isConditionFalse, isConditionTrue, removeCondition, setCondition } from '@capstan/meta';
import type { Condition, ConditionStatus, KubeObject } from '@capstan/meta';
import type { Conditioned } from '../types.js';
import { compareConditions } from './condition-types.js';

/** The contents of a condition. */
export interface ConditionText {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message?: string | undefined;
  /** When it changed, where another source knows that better. */
  readonly lastTransitionTime?: string | undefined;
}

/** The condition of a type an object has. */
export function conditionOf(object: Conditioned | undefined, type: string): Condition | undefined {
  return getCondition(object?.status?.conditions, type);
}

/** Whether the condition is there and True. */
export function isTrue(object: Conditioned | undefined, type: string): boolean {
  return isConditionTrue(object?.status?.conditions, type);
}

/** Whether the condition is there and False. */
export function isFalse(object: Conditioned | undefined, type: string): boolean {
  return isConditionFalse(object?.status?.conditions, type);
}

/** Sets a condition on an object, for the generation the object has. */
export function mark(object: Conditioned, text: ConditionText, now: string): void {
  markAll(object, [text], now);
}

/** Sets conditions on an object one after another; nothing to set leaves it as it is. */
export function markAll(object: Conditioned, texts: readonly (ConditionText | undefined)[], now: string): void {
  const observedGeneration = object.metadata.generation ?? 0;
  const before: readonly Condition[] = object.status?.conditions ?? [];
  let after = before;
  for (const text of texts) {
    if (text === undefined) continue;
    const { type, status, reason, message = '', lastTransitionTime } = text;
    const condition = { type, status, reason, message, observedGeneration };
    const update =
      lastTransitionTime === undefined
        ? condition
        : { ...condition, lastTransitionTime: wholeSeconds(lastTransitionTime) };
    after = setCondition(after, update, now);
  }
  if (after !== before) object.status = { ...object.status, conditions: after.toSorted(compareConditions) };
}

/** Takes a condition off an object. */
export function unmark(object: Conditioned, type: string): void {
  const before = object.status?.conditions;
  if (before === undefined) return;
  object.status = { ...object.status, conditions: [...removeCondition(before, type)] };
}

function wholeSeconds(time: string): string {
  return time.replace(/\.\d+/, '');
}

const STATUSES: ReadonlySet<unknown> = new Set(['True', 'False', 'Unknown']);

/** What stands for the reason of a condition that gives none. */
export const NO_REASON = 'NoReasonReported';

interface ForeignStatus {
  readonly conditions?: unknown;
  readonly v1beta2?: { readonly conditions?: unknown };
}

/** Where a provider keeps its conditions: v1beta2 conditions have a path of their own next to the v1beta1 ones. */
function foreignList(status: ForeignStatus | undefined): readonly [list: readonly Partial<Condition>[], path: string] {
  const own = status?.v1beta2?.conditions;
  if (Array.isArray(own)) return [own as Partial<Condition>[], 'status.v1beta2.conditions'];
  const list = Array.isArray(status?.conditions) ? (status.conditions as Partial<Condition>[]) : [];
  return [list, 'status.conditions'];
}

/** The conditions of a provider's object, or why they cannot be read. */
export function foreignConditions(object: KubeObject): readonly Condition[] | { readonly problem: string } {
  const [list, path] = foreignList(object['status'] as ForeignStatus | undefined);
  const [problem] = list.flatMap((each) => foreignProblem(each) ?? []);
  if (problem !== undefined)
    return { problem: `failed to convert ${path} from ${object.kind} to []metav1.Condition: ${problem}` };
  return list.map(({ type = '', status = 'Unknown', lastTransitionTime = '', reason = '', message = '' }) => ({
    type,
    status,
    lastTransitionTime,
    reason: reason || NO_REASON,
    message,
  }));
}

function foreignProblem({ type = '', status }: Partial<Condition>): string | undefined {
  if (type === '') return 'type must be set for all conditions';
  if (status === undefined || (status as string) === '') return `status must be set for the ${type} condition`;
  return STATUSES.has(status) ? undefined : `status for the ${type} condition must be one of True, False, Unknown`;
}

/** How a condition of a provider's object shows on ours. */
export interface Mirror {
  readonly from: string;
  readonly to: string;
  /** Used while the provider reports nothing. */
  readonly fallback: Omit<ConditionText, 'type'>;
  /** The reason when the provider reports True without one. */
  readonly trueReason: string;
}

/** Our condition that mirrors a condition of a provider's object. */
export function mirrored(object: KubeObject, { from, to, fallback, trueReason }: Mirror): ConditionText {
  const conditions = foreignConditions(object);
  if ('problem' in conditions)
    return { type: to, status: 'Unknown', reason: 'InvalidConditionReported', message: conditions.problem };
  const source = getCondition(conditions, from);
  if (source === undefined) return { type: to, ...fallback };
  const { status, reason, message, lastTransitionTime } = source;
  return {
    type: to,
    status,
    reason: reason === NO_REASON && status === 'True' ? trueReason : reason,
    message,
    ...(lastTransitionTime === '' ? {} : { lastTransitionTime }),
  };
}
