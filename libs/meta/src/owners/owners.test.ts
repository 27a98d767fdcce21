import { describe, expect, it } from 'vitest';
import type { KubeObject, OwnerReference } from '../object.js';
import {
  AlreadyOwnedError,
  controllerOf,
  dedupeOwnerReferences,
  duplicateOwnersWarning,
  hasOwner,
  isControlledBy,
  OwnerScopeError,
  sameOwner,
  setControllerReference,
  setOwnerReference,
} from './owners.js';

const owner: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'rs', namespace: 'ns', uid: 'u1' },
};
const other: KubeObject = { ...owner, metadata: { name: 'other', namespace: 'ns', uid: 'u2' } };
const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ns' } };
const reference: OwnerReference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'u1' };
const controller: OwnerReference = { ...reference, controller: true, blockOwnerDeletion: true };

describe('a controller reference', () => {
  it('is set on a copy', () => {
    const owned = setControllerReference(pod, owner);
    expect(owned.metadata.ownerReferences).toEqual([controller]);
    expect(pod.metadata.ownerReferences).toBeUndefined();
    expect(controllerOf(owned)).toEqual(controller);
    expect([isControlledBy(owned, owner), isControlledBy(owned, other), isControlledBy(pod, owner)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isControlledBy(pod, { metadata: {} })).toBe(false);
    expect([hasOwner(owned, 'u1'), hasOwner(owned, 'u2'), hasOwner(pod, 'u1')]).toEqual([true, false, false]);
  });

  it('need not block the deletion of the owner', () => {
    const owned = setControllerReference(pod, owner, { blockOwnerDeletion: false });
    expect(owned.metadata.ownerReferences).toEqual([{ ...controller, blockOwnerDeletion: false }]);
  });

  it('replaces one to the same owner in its place, whatever its version and uid', () => {
    const old = { ...controller, apiVersion: 'apps/v1beta1', uid: 'u0' };
    const owned = { ...pod, metadata: { ...pod.metadata, ownerReferences: [old, { ...reference, name: 'z' }] } };
    expect(setControllerReference(owned, owner).metadata.ownerReferences).toEqual([
      controller,
      { ...reference, name: 'z' },
    ]);
  });

  it('is refused when another controls the object', () => {
    const owned = setControllerReference(pod, owner);
    expect(() => setControllerReference(owned, other)).toThrow(AlreadyOwnedError);
    expect(() => setControllerReference(owned, other)).toThrow(
      'Object ns/p is already owned by another ReplicaSet controller rs',
    );
  });

  it('stays within a namespace', () => {
    const elsewhere = { ...pod, metadata: { name: 'p', namespace: 'zz' } };
    const cluster = { ...pod, metadata: { name: 'p' } };
    expect(() => setControllerReference(elsewhere, owner)).toThrow(
      new OwnerScopeError("cross-namespace owner references are disallowed, owner's namespace ns, obj's namespace zz"),
    );
    expect(() => setOwnerReference(cluster, owner)).toThrow(
      new OwnerScopeError("cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ns"),
    );
    const clusterOwner = { ...owner, metadata: { name: 'rs', uid: 'u1' } };
    expect(setControllerReference(pod, clusterOwner).metadata.ownerReferences).toEqual([controller]);
  });
});

describe('owner references', () => {
  it('may be several, one of them the controller', () => {
    const owned = setOwnerReference(setControllerReference(pod, owner), other);
    expect(owned.metadata.ownerReferences).toEqual([controller, { ...reference, name: 'other', uid: 'u2' }]);
    expect(setOwnerReference(pod, owner, { blockOwnerDeletion: true }).metadata.ownerReferences).toEqual([
      { ...reference, blockOwnerDeletion: true },
    ]);
  });

  it('name the same owner by group, kind and name', () => {
    expect(sameOwner(reference, { ...reference, apiVersion: 'apps/v2', uid: 'x' })).toBe(true);
    expect(sameOwner(reference, { ...reference, apiVersion: 'v1' })).toBe(false);
    expect(sameOwner(reference, { ...reference, name: 'x' })).toBe(false);
    expect(sameOwner(reference, { ...reference, kind: 'x' })).toBe(false);
  });

  it('lose exact repetitions only', () => {
    const references = [reference, controller, { ...reference }, { ...controller }];
    expect(dedupeOwnerReferences(references)).toEqual({
      references: [reference, controller],
      duplicates: ['u1', 'u1'],
    });
    const unique = [reference, { ...reference, uid: 'u2' }];
    expect(dedupeOwnerReferences(unique).references).toBe(unique);
  });

  it('warn about what they lost', () => {
    expect(duplicateOwnersWarning(['u1', 'u2'], false)).toBe(
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u1, u2',
    );
    expect(duplicateOwnersWarning(['u1'], true)).toBe(
      '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u1',
    );
  });
});
