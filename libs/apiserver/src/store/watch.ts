import type { Turns } from '@capstan/meta';
import type { Store } from './store.js';
import type { Stored } from './stored.js';
import { RevisionInFuture, type StoreEvent } from './types.js';

export interface WatchOptions {
  /** Absent or '' = every namespace. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** Must depend on nothing but the version it is given. */
  readonly matches?: ((stored: Stored) => boolean) | undefined;
  /** Events after this revision; absent or 'now' = those to come. With `initial` the revision the snapshot must have reached. */
  readonly fromRevision?: number | 'now' | undefined;
  /** Begin with the present state, as ADDED events. */
  readonly initial?: boolean | undefined;
  /** Called between the initial events and those that follow. */
  readonly onInitialEnd?: ((revision: number) => void) | undefined;
  /** With it a long past is replayed in turns with others, the rest of it after the watch was opened. */
  readonly turns?: Turns | undefined;
  /** Called when the replay fails after the watch was opened; the watch is closed then. */
  readonly onBroken?: ((error: unknown) => void) | undefined;
}

/** What a watcher is to see. */
export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The version to show; where an object left the selection, its previous content with the new revision. */
  readonly stored: Stored;
  /** Absent for initial events. */
  readonly event?: StoreEvent;
}

/** Called with what a watcher is to see; `isPast` where it was before the watch was opened. */
export type OnWatched = (event: WatchedEvent, isPast: boolean) => void;

export interface StoreWatch {
  /** The revision up to which everything had been delivered when the watch was opened. */
  readonly revision: number;
  /** Whether all that was committed up to now has been delivered. */
  isCaughtUp(): boolean;
  close(): void;
}

const everything = (): boolean => true;

/** How the event looks through the selection; undefined when it does not show. */
export function projectEvent(event: StoreEvent, matches: (stored: Stored) => boolean): WatchedEvent | undefined {
  const { current, previous } = event;
  const wasIn = previous !== undefined && matches(previous);
  if (event.type === 'delete') return wasIn ? { type: 'DELETED', stored: current, event } : undefined;
  if (matches(current)) return { type: wasIn ? 'MODIFIED' : 'ADDED', stored: current, event };
  if (!wasIn) return undefined;
  // One version for all watchers that lose the object, so that it is encoded once.
  return { type: 'DELETED', stored: event.memo('left', () => previous.withRevision(event.revision)), event };
}

function presentState(store: Store, resource: string, namespace = '', name?: string): Stored[] {
  if (name === undefined) return store.list(resource, { namespace }).items;
  // By its key where that is known; a name alone is the key of what has no namespace.
  const stored = store.get(resource, namespace, name);
  if (stored !== undefined) return [stored];
  return namespace === '' ? store.list(resource, { filter: (entry) => entry.name === name }).items : [];
}

/**
 * Watches a resource without gaps or repeats. Initial and past events are delivered before this returns, but for what
 * turns put off, later ones during the commit. Throws RevisionExpired when the past asked for is gone.
 */
export function openWatch(store: Store, resource: string, options: WatchOptions, onEvent: OnWatched): StoreWatch {
  const { namespace, name, fromRevision, matches = everything } = options;
  const from = typeof fromRevision === 'number' ? fromRevision : store.revision;
  const { revision } = store;
  const backlog: StoreEvent[] = [];
  let isReplaying = true;

  const show = (event: StoreEvent, isPast: boolean): void => {
    // A watch may begin in the future; what happens until then is not shown.
    if (event.revision <= from) return;
    const seen = projectEvent(event, matches);
    if (seen !== undefined) onEvent(seen, isPast);
  };
  const isInScope = (entry: { readonly namespace: string; readonly name: string }): boolean =>
    (name === undefined || entry.name === name) &&
    (namespace === undefined || namespace === '' || entry.namespace === namespace);

  if (options.initial === true && from > revision) throw new RevisionInFuture(from, revision);
  const past = options.initial === true ? [] : store.eventsSince(resource, from);
  const present = options.initial === true ? presentState(store, resource, namespace, name) : [];
  // What is committed while the past is replayed, by `onEvent` itself or by others, must wait for its turn.
  const unsubscribe = store.subscribe((event) => (isReplaying ? void backlog.push(event) : show(event, false)), {
    resource,
    namespace,
    name,
  });
  const replay = function* (): Generator<void, void> {
    for (const stored of present) {
      if (matches(stored)) onEvent({ type: 'ADDED', stored }, true);
      yield;
    }
    options.onInitialEnd?.(revision);
    for (const event of past) {
      if (isInScope(event.current)) show(event, true);
      yield;
    }
    for (let at = 0; at < backlog.length; at += 1) {
      show(backlog[at] as StoreEvent, false);
      yield;
    }
    backlog.length = 0;
    isReplaying = false;
  };
  const replaying = notifyInTurns(replay(), options, unsubscribe);
  const close = (): void => {
    replaying.stop();
    unsubscribe();
  };
  return { revision, isCaughtUp: () => !isReplaying, close };
}

/** Runs the past to its end, or what is left of it later. */
function notifyInTurns(
  replay: Generator<void, void>,
  { turns, onBroken }: WatchOptions,
  unsubscribe: () => void,
): { stop(): void } {
  let isStopped = false;
  const run = (): void => {
    try {
      while (replay.next().done !== true) {
        if (turns?.isOver() !== true) continue;
        void turns.next().then(resume);
        return;
      }
    } catch (error) {
      unsubscribe();
      throw error;
    }
  };
  const resume = (): void => {
    if (isStopped) return;
    try {
      run();
    } catch (error) {
      onBroken?.(error);
    }
  };
  run();
  return { stop: () => void (isStopped = true) };
}
