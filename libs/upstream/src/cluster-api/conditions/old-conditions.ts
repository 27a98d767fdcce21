import { minOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Conditioned, OldCondition } from '../types.js';

/** How bad a condition that is False is. */
export type Severity = 'Error' | 'Warning' | 'Info';

/** Conditions in the style of before v1beta2: no reason when True, a severity when False. */

/** The old conditions of one of our objects. */
export function oldConditionsOf(object: Conditioned | undefined): readonly OldCondition[] {
  return object?.status?.deprecated?.v1beta1?.conditions ?? [];
}

/** The old condition of a type. */
export function oldCondition(object: Conditioned | undefined, type: string): OldCondition | undefined {
  return oldConditionsOf(object).find((condition) => condition.type === type);
}

/** Status True. */
export function oldTrue(type: string): OldCondition {
  return { type, status: 'True' };
}

/** Status False, with a reason and a severity. */
export function oldFalse(type: string, reason: string, severity: Severity, message = ''): OldCondition {
  return { type, status: 'False', severity, reason, ...(message === '' ? {} : { message }) };
}

/** Status Unknown. */
export function oldUnknown(type: string, reason: string, message: string): OldCondition {
  return { type, status: 'Unknown', reason, message };
}

/** Whether two conditions are equal except for their times. */
export function sameOldState(a: OldCondition, b: OldCondition): boolean {
  return (
    a.type === b.type &&
    a.status === b.status &&
    (a.reason ?? '') === (b.reason ?? '') &&
    (a.severity ?? '') === (b.severity ?? '') &&
    (a.message ?? '') === (b.message ?? '')
  );
}

/** Ready first, then by type. */
export function compareOld(a: OldCondition, b: OldCondition): number {
  if (a.type === b.type) return 0;
  if (a.type === 'Ready') return -1;
  return b.type === 'Ready' || a.type > b.type ? 1 : -1;
}

/**
 * The list with a condition set; its time moves when anything about it changes. The very same list comes back when
 * nothing does.
 */
export function withOldCondition(
  list: readonly OldCondition[],
  next: OldCondition,
  now: string,
): readonly OldCondition[] {
  const at = list.findIndex(({ type }) => type === next.type);
  const known = list[at];
  if (known === undefined)
    return [...list, { ...next, lastTransitionTime: next.lastTransitionTime ?? now }].toSorted(compareOld);
  if (sameOldState(known, next)) return list;
  return list.with(at, { ...next, lastTransitionTime: now }).toSorted(compareOld);
}

/** Writes the old conditions of an object. */
export function setOldConditions(object: Conditioned, conditions: readonly OldCondition[]): void {
  const { deprecated } = object.status ?? {};
  object.status = { ...object.status, deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, conditions } } };
}

/** Sets an old condition on an object; nothing to set leaves it as it is. */
export function markOld(object: Conditioned, next: OldCondition | undefined, now: string): void {
  if (next === undefined) return;
  const before = oldConditionsOf(object);
  const after = withOldCondition(before, next, now);
  if (after !== before) setOldConditions(object, after);
}

/** Takes an old condition off an object. */
export function unmarkOld(object: Conditioned, type: string): void {
  setOldConditions(
    object,
    oldConditionsOf(object).filter((condition) => condition.type !== type),
  );
}

/** The Ready of a provider's object under another type, or the fallback while it has none. */
export function oldMirror(object: KubeObject, type: string, fallback: OldCondition): OldCondition {
  const status = object['status'] as
    | { conditions?: OldCondition[]; deprecated?: { v1beta1?: { conditions?: OldCondition[] } } }
    | undefined;
  const list = status?.deprecated?.v1beta1?.conditions ?? status?.conditions;
  const ready = Array.isArray(list) ? list.find((condition) => condition.type === 'Ready') : undefined;
  return ready === undefined ? { ...fallback, type } : { ...ready, type };
}

/** What is merged: a condition, and the object it stands on. */
interface Located {
  readonly condition: OldCondition;
  readonly kind: string;
  readonly name: string;
}

interface MergeOptions {
  /** Which speaks first among equally bad ones. */
  readonly order?: readonly string[] | undefined;
  /** Shows how many of how many are done instead of the first problem. */
  readonly steps?: number | undefined;
  /** Names the object in the reason. */
  readonly isLocalized?: boolean | undefined;
}

const SEVERITIES: readonly string[] = ['Error', 'Warning', 'Info'];

function priority({ status, severity = '' }: OldCondition): number {
  if (status === 'False') return SEVERITIES.includes(severity) ? SEVERITIES.indexOf(severity) : 99;
  return status === 'True' ? 3 : 4;
}

function mergeOld(target: string, located: readonly Located[], options: MergeOptions): OldCondition | undefined {
  if (located.length === 0) return undefined;
  const worst = minOf(located.map(({ condition }) => priority(condition)));
  const top = located
    .filter(({ condition }) => priority(condition) === worst)
    .toSorted((a, b) => compareOld(a.condition, b.condition) || (a.name < b.name ? -1 : 1));
  const [first] = top;
  if (first === undefined || worst === 3) return oldTrue(target);
  const named = options.order?.flatMap((type) => top.filter(({ condition }) => condition.type === type)) ?? [];
  const spokesman = top.length === 1 ? first : (named[0] ?? first);
  const reason = localized(spokesman, options);
  const done = located.filter(({ condition }) => condition.status === 'True').length;
  const message =
    options.steps === undefined ? (spokesman.condition.message ?? '') : `${done} of ${options.steps} completed`;
  if (worst === 4) return oldUnknown(target, reason, message);
  return oldFalse(target, reason, (first.condition.severity ?? 'Error') as Severity, message);
}

function localized({ condition, kind, name }: Located, { isLocalized }: MergeOptions): string {
  const { reason = '' } = condition;
  return isLocalized === true && !reason.includes('@') ? `${reason} @ ${kind}/${name}` : reason;
}

/** The old Ready of an object: the worst of some of its conditions. */
export function oldSummary(
  object: Conditioned,
  types: readonly string[],
  steps?: { readonly only: readonly string[] },
): OldCondition | undefined {
  const located = oldConditionsOf(object)
    .filter(({ type }) => types.includes(type))
    .map((condition) => ({ condition, kind: object.kind, name: object.metadata.name ?? '' }));
  const isStepwise = steps !== undefined && located.every(({ condition }) => steps.only.includes(condition.type));
  return mergeOld('Ready', located, { order: types, steps: isStepwise ? steps.only.length : undefined });
}

/** One old condition from the old Ready of many objects. */
export function oldAggregate(objects: readonly Conditioned[], target: string): OldCondition | undefined {
  const located = objects.flatMap((object) => {
    const condition = oldCondition(object, 'Ready');
    return condition === undefined ? [] : [{ condition, kind: object.kind, name: object.metadata.name ?? '' }];
  });
  return mergeOld(target, located, { steps: objects.length, isLocalized: true });
}
