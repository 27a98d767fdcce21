import { compareBytes } from '@capstan/meta';
import type { OwnerReference } from '@capstan/meta';

/** The coordinates of an object, from its own metadata or from an owner reference. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The identity in an owner reference, read from a dependent in the given namespace. */
export function referencedIdentity(reference: OwnerReference, namespace: string): Identity {
  return {
    apiVersion: reference.apiVersion,
    kind: reference.kind,
    namespace,
    name: reference.name,
    uid: reference.uid,
  };
}

/** Whether a reference names these coordinates, the namespace aside. */
export function referenceMatches(reference: OwnerReference, identity: Identity): boolean {
  return (
    reference.uid === identity.uid &&
    reference.name === identity.name &&
    reference.kind === identity.kind &&
    reference.apiVersion === identity.apiVersion
  );
}

/** A text equal for equal identities; its order groups kinds, then namespaces. */
export function identityKey({ kind, apiVersion, namespace, name, uid }: Identity): string {
  return `${kind}\n${apiVersion}\n${namespace}\n${name}\n${uid}`;
}

/** Order by kind, version, namespace, name. */
export function compareIdentities(a: Identity, b: Identity): number {
  return (
    compareBytes(a.kind, b.kind) ||
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.namespace, b.namespace) ||
    compareBytes(a.name, b.name) ||
    compareBytes(a.uid, b.uid)
  );
}

/** For logs and events. */
export function identityText({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
