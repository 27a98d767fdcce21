/** A write that changes nothing but times changes nothing. */
import { deepEqual } from '@capstan/meta';
import type { KubeObject, ManagedFieldsEntry } from '@capstan/meta';

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
  if (!after.every((entry, at) => sameButTime(entry, before[at] ?? {}))) return after;
  return sameButManagers(next, old) ? before : after;
}

function sameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  const { time: _aTime, ...left } = a;
  const { time: _bTime, ...right } = b;
  return deepEqual(left, right);
}

function sameButManagers(a: KubeObject, b: KubeObject): boolean {
  const { metadata: aMeta, ...left } = a;
  const { metadata: bMeta, ...right } = b;
  const { managedFields: _a, ...leftMeta } = aMeta;
  const { managedFields: _b, ...rightMeta } = bMeta;
  return deepEqual(leftMeta, rightMeta) && deepEqual(left, right);
}
