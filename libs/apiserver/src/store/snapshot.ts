import type { ResourceTable } from './table.js';
import type { EventSnapshot, ObjectSnapshot, ResourceSnapshot, StoreSnapshot } from './types.js';
import { BadSnapshot } from '../errors.js';

export interface SnapshotOptions {
  /** False leaves out the events, so that nothing before the snapshot can be asked for after a restore. */
  readonly history?: boolean;
}

/** One resource as data: the state its history begins with, and the events from there to the present. */
export function snapshotTable(table: ResourceTable, isWhole: boolean, revision: number): ResourceSnapshot {
  const oldest = isWhole ? table.history.floor : revision;
  const { items } = table.list({ revision: oldest }, oldest);
  const objects = items.map<ObjectSnapshot>((stored) => ({
    namespace: stored.namespace,
    name: stored.name,
    revision: stored.revision,
    object: stored.frozen(),
  }));
  const events = table
    .eventsSince(oldest)
    .map<EventSnapshot>(({ type, namespace, name, revision: at, timeMs, current }) => {
      const event = { type, namespace, name, revision: at, timeMs };
      return type === 'delete' ? event : { ...event, object: current.frozen() };
    });
  return { resource: table.home.resource, oldest, objects, events };
}

/** Refuses what is not a snapshot of this format. */
export function checkSnapshot(snapshot: StoreSnapshot): void {
  if (snapshot.format !== 1) throw new BadSnapshot(`unknown snapshot format ${String(snapshot.format)}`);
}
