/** Keeps the number of updaters on record bounded. */
import { compareBytes } from '@capstan/meta';
import { union } from './field-set.js';
import { managerId, newState, secondsOf } from './managed.js';
import type { ManagerIdentity, ManagerTable } from './managed.js';

const MAX_UPDATE_MANAGERS = 10;
const BUCKET_NAME = 'ancient-changes';

/** Folds the oldest updaters of each version into one until no more than ten are left. */
export function capUpdateManagers(managers: ManagerTable): ManagerTable {
  if (managers.size <= MAX_UPDATE_MANAGERS) return managers;
  const updaters: string[] = [];
  for (const [id, state] of managers) if (state.operation === 'Update') updaters.push(id);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managers;
  const secondsAt = (id: string): number => secondsOf(managers.get(id)?.time);
  updaters.sort((a, b) => secondsAt(a) - secondsAt(b) || compareBytes(a, b));
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const state = managers.get(id);
    if (state === undefined) continue;
    const first = firsts.get(state.apiVersion);
    // The oldest of a version is folded only when a second one joins it.
    if (first === undefined) {
      firsts.set(state.apiVersion, id);
      continue;
    }
    const identity: ManagerIdentity = {
      manager: BUCKET_NAME,
      operation: 'Update',
      apiVersion: state.apiVersion,
      subresource: '',
    };
    const bucket = managerId(identity);
    let kept = managers.get(bucket);
    if (kept === undefined) {
      kept = managers.get(first);
      managers.delete(first);
    }
    // The newest of what was folded dates the bucket.
    const set = kept === undefined ? state.set : union(state.set, kept.set);
    managers.set(bucket, newState(identity, set, state.time));
    if (id !== bucket) managers.delete(id);
    count--;
  }
  return managers;
}
