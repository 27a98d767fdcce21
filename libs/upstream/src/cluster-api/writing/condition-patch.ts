import { deepEqual } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { compareConditions } from '../conditions/condition-types.js';
import { compareOld, sameOldState } from '../conditions/old-conditions.js';
import type { OldCondition } from '../types.js';

/** What became of the conditions of one type. */
interface Change<C> {
  readonly type: string;
  readonly before: C | undefined;
  readonly after: C | undefined;
}

/** How conditions of a style are compared. */
interface Style<C extends { readonly type: string }> {
  readonly hasSameState: (a: C, b: C) => boolean;
  readonly compare: (a: C, b: C) => number;
}

const newStyle: Style<Condition> = {
  hasSameState: (a, b) => {
    const { lastTransitionTime: _a, ...first } = a;
    const { lastTransitionTime: _b, ...second } = b;
    return deepEqual(first, second);
  },
  compare: compareConditions,
};

const oldStyle: Style<OldCondition> = { hasSameState: sameOldState, compare: compareOld };

/** Another client changed a condition that is not ours alone. */
export class ConditionConflict extends Error {
  override readonly name = 'ConditionConflict';
}

function changesOf<C extends { readonly type: string }>(before: readonly C[], after: readonly C[]): Change<C>[] {
  const types = new Set([...after, ...before].map(({ type }) => type));
  const find = (list: readonly C[], type: string): C | undefined => list.find((condition) => condition.type === type);
  return [...types]
    .map((type) => ({ type, before: find(before, type), after: find(after, type) }))
    .filter((change) => !deepEqual(change.before, change.after));
}

function applied<C extends { readonly type: string }>(
  latest: readonly C[],
  changes: readonly Change<C>[],
  owned: readonly string[],
  style: Style<C>,
): C[] {
  let list = [...latest];
  for (const change of changes) {
    const now = list.find(({ type }) => type === change.type);
    const next = owned.includes(change.type) ? change.after : merged(change, now, style);
    list = list.filter(({ type }) => type !== change.type);
    if (next !== undefined) list.push(next);
  }
  return list.toSorted(style.compare);
}

/** A condition others write too: ours counts unless they changed it to something else meanwhile. */
function merged<C extends { readonly type: string }>(
  { type, before, after }: Change<C>,
  latest: C | undefined,
  { hasSameState }: Style<C>,
): C | undefined {
  const isUntouched = deepEqual(latest, before) || (before === undefined && latest === undefined);
  if (isUntouched) return after;
  if (after === undefined) {
    if (latest === undefined || (before !== undefined && hasSameState(latest, before))) return undefined;
    throw new ConditionConflict(`the condition ${type} was changed by another client while it was to be removed`);
  }
  if (latest === undefined) throw new ConditionConflict(`the condition ${type} was removed by another client`);
  if (hasSameState(latest, after)) return latest;
  throw new ConditionConflict(`the condition ${type} was changed by another client`);
}

/** The conditions of both styles an object has. */
export interface BothConditions {
  readonly conditions: readonly Condition[];
  readonly old: readonly OldCondition[];
}

/** The conditions of both versions that only this controller writes. */
export interface OwnedConditions {
  readonly owned: readonly string[];
  readonly ownedOld: readonly string[];
}

/** Puts the changes made to an object's conditions onto its latest state; undefined when there were none. */
export function conditionPatch(
  before: BothConditions,
  after: BothConditions,
  { owned, ownedOld }: OwnedConditions,
): ((latest: BothConditions) => BothConditions) | undefined {
  const changes = changesOf(before.conditions, after.conditions);
  const oldChanges = changesOf(before.old, after.old);
  if (changes.length === 0 && oldChanges.length === 0) return undefined;
  return (latest) => ({
    conditions: changes.length === 0 ? latest.conditions : applied(latest.conditions, changes, owned, newStyle),
    old: oldChanges.length === 0 ? latest.old : applied(latest.old, oldChanges, ownedOld, oldStyle),
  });
}
