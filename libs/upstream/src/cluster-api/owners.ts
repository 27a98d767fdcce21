import { looseGvk, sameOwner } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { CORE_API_VERSION, CORE_GROUP } from './names.js';

/** A reference to one of our objects, not as controller. */
export function referenceTo(owner: KubeObject): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion: CORE_API_VERSION, kind: owner.kind, name, uid };
}

/** A reference to one of our objects as controller, as `NewControllerRef` makes it. */
export function controllerReferenceTo(owner: KubeObject): OwnerReference {
  const { apiVersion, kind, name, uid } = referenceTo(owner);
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The references with this one among them, in place of an earlier one to the same owner. */
export function withOwner(references: readonly OwnerReference[] | undefined, next: OwnerReference): OwnerReference[] {
  const list = [...(references ?? [])];
  const at = list.findIndex((reference) => sameOwner(reference, next));
  if (at < 0) list.push(next);
  else list[at] = next;
  return list;
}

/** Whether exactly this owner is named: version, uid and who controls count. */
export function hasExactOwner(object: KubeObject, wanted: OwnerReference): boolean {
  return (object.metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, name, uid, controller = false }) =>
      apiVersion === wanted.apiVersion &&
      kind === wanted.kind &&
      name === wanted.name &&
      uid === wanted.uid &&
      controller === (wanted.controller ?? false),
  );
}

/** Whether an owner of one of our kinds is named, whatever the version. */
export function coreOwner(
  object: KubeObject,
  kinds: readonly string[],
  group: string = CORE_GROUP,
): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(
    ({ apiVersion, kind }) => kinds.includes(kind) && looseGvk(apiVersion, kind).group === group,
  );
}

/** Whether the object names this one of ours as owner, by kind and name. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  return (object.metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, name }) =>
      kind === owner.kind && name === owner.metadata.name && looseGvk(apiVersion, kind).group === CORE_GROUP,
  );
}
