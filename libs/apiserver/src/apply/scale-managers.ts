/** The managers of an object as its scale subresource shows them, and back. */
import type { ManagedFieldsEntry } from '@capstan/meta';
import { difference, hasPath, isEmptySet, setOfPaths } from './field-set.js';
import { decodeManaged, encodeManaged, newState, withSet } from './managed.js';
import type { ManagerTable } from './managed.js';
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
  const scale: ManagerTable = new Map();
  for (const [id, state] of parent) {
    const path = pathIn(paths, state.apiVersion);
    if (path === undefined || path === null || !hasPath(state.set, path)) continue;
    const { manager, operation, subresource, time } = state;
    const identity = { manager, operation, subresource, apiVersion: SCALE_VERSION };
    scale.set(id, newState(identity, setOfPaths(SCALE_REPLICAS), time));
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
  const result: ManagerTable = new Map();
  for (const [id, state] of parent) {
    const path = pathIn(paths, state.apiVersion);
    if (path === undefined) continue;
    let kept = state;
    if (path !== null && hasPath(state.set, path) && !scale.delete(id)) {
      kept = withSet(state, difference(state.set, setOfPaths(path)));
      if (isEmptySet(kept.set)) continue;
    }
    result.set(id, kept);
  }
  const own = pathIn(paths, apiVersion);
  for (const [id, state] of scale) {
    if (own === undefined || own === null || !hasPath(state.set, SCALE_REPLICAS)) continue;
    const { manager, operation, subresource } = state;
    // A manager new to the object has no time: so the server leaves it.
    const time = parent.get(id)?.time;
    result.set(id, newState({ manager, operation, subresource, apiVersion }, setOfPaths(own), time));
  }
  return encodeManaged(result);
}
