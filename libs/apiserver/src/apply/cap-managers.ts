/** Keeps the number of updaters on record bounded. */
import { compareBytes } from '@capstan/meta';
import { union } from './field-set.js';
import { managerId, secondsOf } from './managed.js';
import type { Managed, ManagerIdentity } from './managed.js';

const MAX_UPDATE_MANAGERS = 10;
const BUCKET_NAME = 'ancient-changes';

/** Folds the oldest updaters of each version into one until no more than ten are left. */
export function capUpdateManagers(managed: Managed): Managed {
  const { fields, times } = managed;
  const updaters: string[] = [];
  for (const [id, state] of fields) if (state.operation === 'Update') updaters.push(id);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managed;
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareBytes(a, b));
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const state = fields.get(id);
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
    let kept = fields.get(bucket);
    if (kept === undefined) {
      kept = fields.get(first);
      fields.delete(first);
    }
    fields.set(bucket, { ...identity, set: kept === undefined ? state.set : union(state.set, kept.set) });
    if (id !== bucket) fields.delete(id);
    count--;
    // The newest of what was folded dates the bucket.
    times.set(bucket, times.get(id));
  }
  return managed;
}
