/** The store: objects, revisions, history, and watching them. */
export { Store } from './store.js';
export { Stored } from './stored.js';
export { RevisionExpired, RevisionInFuture } from './types.js';
export type {
  EncodedObject,
  EncodedState,
  EventListener,
  EventSelector,
  EventSnapshot,
  HistoryLimits,
  ListOptions,
  ListResult,
  ObjectKey,
  ObjectSnapshot,
  ResourceSnapshot,
  StoreEvent,
  StoreEventType,
  StoreOptions,
  StoreSnapshot,
} from './types.js';
export type { SnapshotOptions } from './snapshot.js';
export { openWatch, projectEvent } from './watch.js';
export type { StoreWatch, WatchedEvent, WatchOptions } from './watch.js';
