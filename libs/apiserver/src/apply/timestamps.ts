/** A write that changes nothing but times changes nothing. */
import { deepEqual, getOwn } from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry, ObjectMeta } from '@capstan/meta';

/**
 * The `managedFields` to store: the old ones when the new object differs from the old in nothing but their times, so
 * that repeated applies do not make new versions. To be asked of the finished object, before it is stored.
 */
export function settledManagedFields(next: KubeObject, old: KubeObject): ManagedFieldsEntry[] | undefined {
  const before = old.metadata.managedFields;
  const after = next.metadata.managedFields;
  if (before === after || before === undefined || after === undefined) return after;
  if (before.length !== after.length || after.length === 0) return after;
  if (after.every((entry, at) => entry.time === before[at]?.time)) return after;
  // Mostly there is something else, which is found sooner than that the managers are the same.
  if (!sameButManagers(next, old)) return after;
  return after.every((entry, at) => sameButTime(entry, before[at] ?? {})) ? before : after;
}

function sameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  const { time: _aTime, ...left } = a;
  const { time: _bTime, ...right } = b;
  return deepEqual(left, right);
}

function sameButManagers(a: KubeObject, b: KubeObject): boolean {
  return sameMembers(a, b, 'metadata') && sameMembers(a.metadata, b.metadata, 'managedFields');
}

/** Whether two maps have the same members, but for one. */
function sameMembers(a: KubeObject | ObjectMeta, b: KubeObject | ObjectMeta, but: string): boolean {
  const [left, right] = [a as JsonObject, b as JsonObject];
  for (const key of Object.keys(left)) if (key !== but && !deepEqual(left[key], getOwn(right, key))) return false;
  for (const key of Object.keys(right))
    if (key !== but && right[key] !== undefined && getOwn(left, key) === undefined) return false;
  return true;
}
