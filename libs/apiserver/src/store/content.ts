import { copyMembers, deepEqual, type KubeObject, type ObjectMeta } from '@capstan/meta';

/** The object with another resourceVersion; everything below `metadata` is shared, nothing given is changed. */
export function stamped(object: KubeObject, revision: number): KubeObject {
  const copy = copyMembers(object);
  copy.metadata = copyMembers(object.metadata);
  copy.metadata.resourceVersion = String(revision);
  return copy;
}

/** Whether two objects differ in nothing but their resourceVersion: writing one over the other changes nothing. */
export function sameContent(a: KubeObject, b: KubeObject): boolean {
  if (a === b) return true;
  if (!sameMembers(a, b, 'metadata')) return false;
  return a.metadata === b.metadata || sameMembers(a.metadata, b.metadata, 'resourceVersion');
}

function sameMembers(a: KubeObject | ObjectMeta, b: KubeObject | ObjectMeta, except: string): boolean {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  let members = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (key === except || value === undefined) continue;
    if (!Object.hasOwn(right, key) || !deepEqual(value, right[key])) return false;
    members++;
  }
  for (const key of Object.keys(right)) {
    if (key !== except && right[key] !== undefined) members--;
  }
  return members === 0;
}
