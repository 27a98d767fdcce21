/** Owner references: who an object belongs to. Pure: nothing given is changed. */
import { looseGvk, sameGroupKind } from '../gvk/gvk.js';
import type { KubeObject, ObjectMeta, OwnerReference } from '../object.js';

type Owned = { readonly metadata: ObjectMeta };

/** The reference with `controller: true`. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether the owner (by uid) controls the object. */
export function isControlledBy(object: Owned, owner: Owned): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid && owner.metadata.uid !== undefined;
}

/** Whether the object has a reference to the owner (by uid). */
export function hasOwner(object: Owned, uid: string): boolean {
  return object.metadata.ownerReferences?.some((reference) => reference.uid === uid) === true;
}

/** Whether two references name kinds of one group and name, whatever the versions. */
export function sameOwnerKind(
  a: { readonly apiVersion: string; readonly kind: string },
  b: { readonly apiVersion: string; readonly kind: string },
): boolean {
  return sameGroupKind(looseGvk(a.apiVersion, a.kind), looseGvk(b.apiVersion, b.kind));
}

/** Whether two references name one owner: group, kind and name; an owner re-created is the same owner here. */
export function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return a.name === b.name && sameOwnerKind(a, b);
}

/** The object already has another controller. */
export class AlreadyOwnedError extends Error {
  override readonly name = 'AlreadyOwnedError';
  readonly object: Owned;
  readonly owner: OwnerReference;

  constructor(object: Owned, owner: OwnerReference) {
    const { namespace = '', name = '' } = object.metadata;
    const path = namespace === '' ? name : `${namespace}/${name}`;
    super(`Object ${path} is already owned by another ${owner.kind} controller ${owner.name}`);
    this.object = object;
    this.owner = owner;
  }
}

/** The owner may not own the object. */
export class OwnerScopeError extends Error {
  override readonly name = 'OwnerScopeError';
}

/** An owner is cluster-scoped or in the object's own namespace; the garbage collector knows no other. */
function checkScope(owner: KubeObject, object: Owned): void {
  const ownerNamespace = owner.metadata.namespace ?? '';
  if (ownerNamespace === '') return;
  const namespace = object.metadata.namespace ?? '';
  if (namespace === '') {
    throw new OwnerScopeError(
      `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`,
    );
  }
  if (namespace !== ownerNamespace) {
    throw new OwnerScopeError(
      `cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`,
    );
  }
}

function referenceTo(owner: KubeObject): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid };
}

function upsert(references: readonly OwnerReference[] | undefined, next: OwnerReference): OwnerReference[] {
  const list = [...(references ?? [])];
  const index = list.findIndex((reference) => sameOwner(reference, next));
  if (index < 0) list.push(next);
  else list[index] = next;
  return list;
}

/** The object's references with `owner` as its controller; throws {@link AlreadyOwnedError} or {@link OwnerScopeError}. */
export function withControllerReference(
  object: Owned,
  owner: KubeObject,
  options?: { readonly blockOwnerDeletion?: boolean },
): OwnerReference[] {
  checkScope(owner, object);
  const blockOwnerDeletion = options?.blockOwnerDeletion ?? true;
  const { apiVersion, kind, name, uid } = referenceTo(owner);
  const next: OwnerReference = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion };
  const existing = controllerOf(object);
  if (existing !== undefined && !sameOwner(existing, next)) throw new AlreadyOwnedError(object, existing);
  return upsert(object.metadata.ownerReferences, next);
}

/** A copy of the object with `owner` as its controller; throws as {@link withControllerReference}. */
export function setControllerReference<T extends Owned>(
  object: T,
  owner: KubeObject,
  options?: { readonly blockOwnerDeletion?: boolean },
): T {
  const ownerReferences = withControllerReference(object, owner, options);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** A copy of the object with `owner` among its owners, not as controller; throws {@link OwnerScopeError}. */
export function setOwnerReference<T extends Owned>(
  object: T,
  owner: KubeObject,
  options?: { readonly blockOwnerDeletion?: boolean },
): T {
  checkScope(owner, object);
  const block = options?.blockOwnerDeletion;
  const next: OwnerReference = {
    ...referenceTo(owner),
    ...(block === undefined ? undefined : { blockOwnerDeletion: block }),
  };
  return {
    ...object,
    metadata: { ...object.metadata, ownerReferences: upsert(object.metadata.ownerReferences, next) },
  };
}

function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.uid === b.uid &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.apiVersion === b.apiVersion &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

/** What remains of a list of references, and the uid of each that was dropped. */
export interface DedupedOwners {
  readonly references: OwnerReference[];
  readonly duplicates: readonly string[];
}

/** The references without exact repetitions, the first of each kept; the very same list when there are none. */
export function dedupeOwnerReferences(references: OwnerReference[]): DedupedOwners {
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const reference of references) {
    if (kept.some((known) => sameReference(known, reference))) duplicates.push(reference.uid);
    else kept.push(reference);
  }
  return { references: duplicates.length === 0 ? references : kept, duplicates };
}

/** The warning that goes with dropped duplicates. */
export function duplicateOwnersWarning(duplicates: readonly string[], afterMutatingAdmission: boolean): string {
  const when = afterMutatingAdmission ? ' after mutating admission happens' : '';
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`;
}
