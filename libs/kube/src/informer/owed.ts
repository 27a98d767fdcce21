import type { KubeObject } from '@capstan/meta';

interface Added<T> {
  readonly type: 'add';
  readonly object: T;
  readonly isInInitialList: boolean;
}

interface Updated<T> {
  readonly type: 'update';
  readonly old: T;
  readonly object: T;
}

interface Deleted<T> {
  readonly type: 'delete';
  readonly object: T;
  readonly finalStateUnknown: boolean;
}

/** One call of a handler. */
export type InformerEvent<T extends KubeObject> = Added<T> | Updated<T> | Deleted<T>;

/**
 * What a handler has yet to receive for one key, in the order of the fields. It never grows beyond one of each: what
 * the handler knows, and what is, are two ends, and only they matter.
 */
export interface Owed<T extends KubeObject> {
  readonly deleted?: Deleted<T> | undefined;
  readonly added?: Added<T> | undefined;
  readonly updated?: Updated<T> | undefined;
}

function after<T extends KubeObject>(owed: Owed<T>, event: Updated<T>): Updated<T> {
  const { updated } = owed;
  // A handler without deletions may be owed a change of the previous object of the same name.
  const isSame = updated !== undefined && updated.old.metadata.uid === event.old.metadata.uid;
  return isSame ? { type: 'update', old: updated.old, object: event.object } : event;
}

/** What is owed once an event is owed as well; undefined when that is nothing: an object came and went unseen. */
export function withEvent<T extends KubeObject>(owed: Owed<T>, event: InformerEvent<T>): Owed<T> | undefined {
  switch (event.type) {
    case 'add':
      return { deleted: owed.deleted, added: event };
    case 'update':
      return { deleted: owed.deleted, added: owed.added, updated: after(owed, event) };
    case 'delete':
      if (owed.added === undefined) return { deleted: event };
      return owed.deleted === undefined ? undefined : { deleted: owed.deleted };
  }
}

/** What is to be delivered first, and what is owed after that. */
export function firstOf<T extends KubeObject>(
  owed: Owed<T>,
): { readonly event: InformerEvent<T> | undefined; readonly rest: Owed<T> | undefined } {
  const { deleted, added, updated } = owed;
  if (deleted !== undefined)
    return { event: deleted, rest: added === undefined && updated === undefined ? undefined : { added, updated } };
  if (added !== undefined) return { event: added, rest: updated === undefined ? undefined : { updated } };
  return { event: updated, rest: undefined };
}
