import type { KubeObject } from '@capstan/meta';

/** Something that happened to an object, as sources emit it. */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'create'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly old: T; readonly object: T }
  /** `finalStateUnknown`: the deletion was missed, and the object is as it was last seen. */
  | { readonly type: 'delete'; readonly object: T; readonly finalStateUnknown: boolean }
  | { readonly type: 'generic'; readonly object: T };

/** Names the object to be reconciled; the namespace of a cluster-scoped one is empty. */
export interface Request {
  readonly namespace: string;
  readonly name: string;
}

/** How urgent what a start or a resync brings up is: less than anything that happens. */
export const LOW_PRIORITY = -100;

/** The priority of an event. */
export function priorityOf(event: ObjectEvent): number {
  if (event.type === 'create') return event.isInInitialList ? LOW_PRIORITY : 0;
  const isResync =
    event.type === 'update' && event.old.metadata.resourceVersion === event.object.metadata.resourceVersion;
  return isResync ? LOW_PRIORITY : 0;
}

/** The key of a request: no name of an object has a slash. */
export function requestKey({ namespace, name }: Request): string {
  return `${namespace}/${name}`;
}

/** The request of a key. */
export function requestOf(key: string): Request {
  const at = key.indexOf('/');
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
