/** The managers of an object as its scale subresource shows them, and back. */
import type { ManagedFieldsEntry } from '@capstan/meta';
import { difference, hasPath, isEmptySet, setOfPaths } from './field-set.js';
import { decodeManaged, encodeManaged, noManagers, withSet } from './managed.js';
import { fieldElement } from './path-element.js';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = [fieldElement('spec'), fieldElement('replicas')];

/** Where each served version of the object has its replicas; null: a version without scale. */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | null>>;

function pathIn(paths: ReplicasPaths, apiVersion: string): readonly string[] | null | undefined {
  const path = Object.hasOwn(paths, apiVersion) ? paths[apiVersion] : undefined;
  return path === undefined || path === null ? path : path.map(fieldElement);
}

/** The entries of those who own the replicas, as entries of a Scale. */
export function managersOfScale(
  entries: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const parent = decodeManaged(entries);
  const scale = noManagers();
  for (const [id, state] of parent.fields) {
    const path = pathIn(paths, state.apiVersion);
    if (path === undefined || path === null || !hasPath(state.set, path)) continue;
    const { manager, operation, subresource } = state;
    scale.fields.set(id, {
      manager,
      operation,
      subresource,
      apiVersion: SCALE_VERSION,
      set: setOfPaths(SCALE_REPLICAS),
    });
    scale.times.set(id, parent.times.get(id));
  }
  return encodeManaged(scale);
}

/** The entries of the object after a write of its Scale; `apiVersion` is the version the object was reached in. */
export function managersAfterScale(
  entries: readonly ManagedFieldsEntry[] | undefined,
  scaleEntries: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const parent = decodeManaged(entries);
  const scale = decodeManaged(scaleEntries);
  const result = noManagers();
  for (const [id, state] of parent.fields) {
    const path = pathIn(paths, state.apiVersion);
    if (path === undefined) continue;
    let kept = state;
    if (path !== null && hasPath(state.set, path) && !scale.fields.delete(id)) {
      kept = withSet(state, difference(state.set, setOfPaths(path)));
      if (isEmptySet(kept.set)) continue;
    }
    result.fields.set(id, kept);
    result.times.set(id, parent.times.get(id));
  }
  const own = pathIn(paths, apiVersion);
  for (const [id, state] of scale.fields) {
    if (own === undefined || own === null || !hasPath(state.set, SCALE_REPLICAS)) continue;
    const { manager, operation, subresource } = state;
    result.fields.set(id, { manager, operation, subresource, apiVersion, set: setOfPaths(own) });
    // A manager new to the object has no time: so the server leaves it.
    result.times.set(id, parent.times.get(id));
  }
  return encodeManaged(result);
}
