import { compileLabelSelector, controllerOf, isInvalid, isNotFound } from '@capstan/meta';
import type { KubeObject, LabelMatcher, LabelSelector, OwnerReference } from '@capstan/meta';
import type { Client, ResourceRef } from '@capstan/kube';

/** What becomes of the objects an owner might control. */
export interface Claims<T extends KubeObject> {
  /** Its own already. */
  readonly kept: T[];
  /** Without controller and selected: to be taken. */
  readonly adopted: T[];
  /** Its own but no longer selected: to be let go. */
  readonly released: T[];
}

/** Decides whose objects are. An owner being deleted, and objects being deleted, change no hands. */
export function decideClaims<T extends KubeObject>(
  owner: KubeObject,
  matcher: LabelMatcher,
  candidates: Iterable<T>,
): Claims<T> {
  const claims: Claims<T> = { kept: [], adopted: [], released: [] };
  const ownerLeaves = owner.metadata.deletionTimestamp != null;
  for (const object of candidates) {
    const controller = controllerOf(object);
    const matches = matcher.matches(object.metadata.labels ?? {});
    if (controller !== undefined) {
      if (controller.uid !== owner.metadata.uid) continue;
      if (matches) claims.kept.push(object);
      else if (!ownerLeaves) claims.released.push(object);
    } else if (matches && !ownerLeaves && object.metadata.deletionTimestamp == null) claims.adopted.push(object);
  }
  return claims;
}

export interface ClaimOptions<T extends KubeObject> {
  readonly client: Client;
  readonly owner: KubeObject;
  readonly ownerResource: ResourceRef;
  readonly selector: LabelSelector;
  readonly resource: ResourceRef;
  readonly candidates: Iterable<T>;
  /** Put on what is taken, and taken off what is let go. */
  readonly finalizer?: string;
}

/** The reference of a controlled object to its controller. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Takes and lets go, and gives what the owner then has. */
export async function claim<T extends KubeObject>(options: ClaimOptions<T>): Promise<T[]> {
  const { client, owner, ownerResource, resource } = options;
  const namespace = owner.metadata.namespace ?? '';
  const uid = owner.metadata.uid ?? '';
  const claims = decideClaims(owner, compileLabelSelector(options.selector), options.candidates);
  const { finalizer } = options;
  const change = (object: T, reference: unknown, finalizers: string): Promise<T> => {
    const held = finalizer === undefined ? {} : { [finalizers]: [finalizer] };
    const value = { metadata: { uid: object.metadata.uid, ownerReferences: [reference], ...held } };
    return client.patch<T>(resource, object.metadata.name ?? '', { type: 'strategic', value }, { namespace });
  };
  const claimed = claims.kept;
  if (claims.adopted.length > 0) {
    // Asked of the server, not the cache: an owner that has gone meanwhile must not take what another one may want.
    const live = await client.get(ownerResource, owner.metadata.name ?? '', { namespace });
    if (live.metadata.uid !== uid || live.metadata.deletionTimestamp != null) return claimed;
  }
  const reference = controllerReference(owner);
  for (const object of claims.adopted) {
    const adopted = await unlessGone(change(object, reference, 'finalizers'));
    if (adopted !== undefined) claimed.push(adopted);
  }
  for (const object of claims.released)
    await unlessGone(change(object, { $patch: 'delete', uid }, '$deleteFromPrimitiveList/finalizers'));
  return claimed;
}

/** Gone, or replaced by another of its name: nothing to claim. */
async function unlessGone<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}
