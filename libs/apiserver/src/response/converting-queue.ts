/** Watches of kinds that a webhook converts: events wait for it, in their order. */
import { fromUnknown } from '@capstan/meta';
import type { KubeObject, Status, Timer, WatchFrame } from '@capstan/meta';
import { ConversionFailed } from '../apply/index.js';
import { viewedAll } from '../registry/conversion.js';
import type { Core } from '../registry/core.js';
import { runFlow, type EffectDriver } from '../registry/effects.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { StoreEvent, Stored, WatchedEvent } from '../store/index.js';

/** How many events go to the webhook at once at most. */
const MAX_BATCH_EVENTS = 100;
/** A watcher that falls this far behind starts over. */
export const MAX_WAITING_EVENTS = 10_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;

/** What an event looks like in the version of the watch; one for all watchers of that version. */
export class SharedViews {
  readonly #views = new Map<Stored, KubeObject>();
  readonly #frames = new Map<string, WatchFrame>();
  /** A conversion under way, which later events of the same object share. */
  attempt: Promise<void> | undefined;

  view(stored: Stored): KubeObject | undefined {
    return this.#views.get(stored);
  }

  keep(stored: Stored, view: KubeObject): void {
    this.#views.set(stored, view);
  }

  frame(key: string, make: () => WatchFrame): WatchFrame {
    let frame = this.#frames.get(key);
    if (frame === undefined) this.#frames.set(key, (frame = make()));
    return frame;
  }
}

/** An event to be shown. */
export interface ConvertedEvent {
  readonly type: WatchedEvent['type'];
  readonly object: KubeObject;
  /** Where its frame may be shared; absent for what only this watcher sees. */
  readonly shared: SharedViews | undefined;
  /** The key of events of the same type that show another version of the object. */
  readonly variant: string;
}

export interface ConvertingQueueParts {
  readonly core: Core;
  readonly served: ServedResource;
  readonly drive: EffectDriver;
  /** Asked of the object in the version of the watch: a webhook may change even labels. */
  readonly matches: ((object: KubeObject) => boolean) | undefined;
  readonly deliver: (event: ConvertedEvent) => void;
  readonly fail: (status: Status) => void;
  /** Too much is waiting. */
  readonly overflow: () => void;
}

interface Waiting {
  readonly event: WatchedEvent;
  readonly shared: SharedViews;
}

type Item = Waiting | (() => void);

/**
 * Delivers events in the order they came, each when the webhook has converted it. A webhook that fails is asked again
 * until it does not: watchers wait and lose nothing. Only a watch that cannot show what is there ends with the error.
 */
export class ConvertingQueue {
  readonly #parts: ConvertingQueueParts;
  readonly #key: string;
  #items: Item[] = [];
  #retryMs = FIRST_RETRY_MS;
  #timer: Timer | undefined;
  #isRunning = false;
  #isOver = false;

  constructor(parts: ConvertingQueueParts) {
    this.#parts = parts;
    this.#key = `views|${parts.served.conversion?.key ?? parts.served.apiVersion}`;
  }

  push(event: WatchedEvent): void {
    const make = (): SharedViews => new SharedViews();
    const shared = event.event === undefined ? make() : event.event.memo(this.#key, make);
    if (event.event !== undefined && this.#items.length >= MAX_WAITING_EVENTS) return this.#parts.overflow();
    this.#items.push({ event, shared });
    this.#start();
  }

  /** Does something when all events pushed so far are delivered. */
  afterwards(act: () => void): void {
    if (this.#items.length === 0 && !this.#isRunning) return act();
    this.#items.push(act);
    this.#start();
  }

  stop(): void {
    this.#isOver = true;
    this.#items = [];
    this.#timer?.cancel();
  }

  /** Begins when the present turn is over, so that what is pushed together is converted together. */
  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void Promise.resolve()
      .then(() => this.#run())
      .catch((error: unknown) => {
        if (!this.#isOver) this.#parts.fail(fromUnknown(error).status);
      });
  }

  async #run(): Promise<void> {
    while (!this.#isOver && this.#items.length > 0) {
      const batch = this.#batch();
      if (batch.length === 0) (this.#items.shift() as () => void)();
      else if (await this.#isReady(batch)) this.#deliver(batch);
    }
    this.#isRunning = false;
  }

  /** The events at the head; none when there is something else to be done first. */
  #batch(): Waiting[] {
    const batch: Waiting[] = [];
    for (const item of this.#items) {
      if (typeof item === 'function' || batch.length === MAX_BATCH_EVENTS) break;
      batch.push(item);
    }
    return batch;
  }

  async #isReady(batch: readonly Waiting[]): Promise<boolean> {
    try {
      await this.#convert(batch);
      this.#retryMs = FIRST_RETRY_MS;
      return !this.#isOver;
    } catch (error) {
      if (this.#isOver) return false;
      if (!(error instanceof ConversionFailed)) throw error;
      if (batch[0]?.event.event === undefined) this.#parts.fail(error.status);
      else await this.#pause();
      return false;
    }
  }

  /** Waits a little, longer each time. */
  #pause(): Promise<void> {
    const ms = this.#retryMs;
    this.#retryMs = Math.min(ms * 2, LAST_RETRY_MS);
    return new Promise((resolve) => {
      this.#timer = this.#parts.core.clock.after(ms, resolve);
    });
  }

  /** Has everything the batch shows converted, by this watcher or another. */
  async #convert(batch: readonly Waiting[]): Promise<void> {
    const own: { readonly shared: SharedViews; readonly stored: Stored }[] = [];
    const others: Promise<void>[] = [];
    for (const { event, shared } of batch) {
      const missing = this.#shownBy(event).filter((stored) => shared.view(stored) === undefined);
      if (missing.length === 0) continue;
      if (shared.attempt !== undefined) others.push(shared.attempt);
      else for (const stored of missing) own.push({ shared, stored });
    }
    if (own.length > 0) others.push(this.#ask(own));
    if (others.length === 0) return;
    const results = await Promise.allSettled(others);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    // Another watcher's attempt may have left out what only a selection needs.
    if (!this.#isOver) await this.#convert(batch);
  }

  #ask(wanted: readonly { readonly shared: SharedViews; readonly stored: Stored }[]): Promise<void> {
    const { served, drive } = this.#parts;
    const flow = viewedAll(
      served,
      wanted.map(({ stored }) => stored.object()),
    );
    const attempt = Promise.resolve(runFlow(flow, drive)).then(
      (views) => {
        for (const [at, { shared, stored }] of wanted.entries()) {
          shared.attempt = undefined;
          shared.keep(stored, views[at] as KubeObject);
        }
      },
      (error: unknown) => {
        for (const { shared } of wanted) shared.attempt = undefined;
        throw error;
      },
    );
    for (const { shared } of wanted) shared.attempt = attempt;
    return attempt;
  }

  /** What has to be converted to show an event: with a selection also what was there before. */
  #shownBy({ stored, event }: WatchedEvent): Stored[] {
    return this.#parts.matches === undefined || event?.previous === undefined ? [stored] : [stored, event.previous];
  }

  #deliver(batch: readonly Waiting[]): void {
    for (const { event, shared } of batch) {
      this.#items.shift();
      const shown = this.#project(event, shared);
      if (shown !== undefined) this.#parts.deliver(shown);
      // The client may have had enough.
      if (this.#isOver) return;
    }
  }

  #project(watched: WatchedEvent, shared: SharedViews): ConvertedEvent | undefined {
    const { stored, event, type } = watched;
    const { matches } = this.#parts;
    const object = shared.view(stored) as KubeObject;
    const kept = event === undefined ? undefined : shared;
    if (matches === undefined || event === undefined)
      return matches?.(object) === false ? undefined : { type, object, shared: kept, variant: '' };
    return projectViews(event, { object, previous: event.previous && shared.view(event.previous) }, matches, shared);
  }
}

/** How an event looks through a selection. */
function projectViews(
  event: StoreEvent,
  views: { readonly object: KubeObject; readonly previous: KubeObject | undefined },
  matches: (object: KubeObject) => boolean,
  shared: SharedViews,
): ConvertedEvent | undefined {
  const { object, previous } = views;
  const wasIn = previous !== undefined && matches(previous);
  if (event.type === 'delete') return wasIn ? { type: 'DELETED', object, shared, variant: '' } : undefined;
  if (matches(object)) return { type: wasIn ? 'MODIFIED' : 'ADDED', object, shared, variant: '' };
  if (!wasIn) return undefined;
  const left = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(event.revision) } };
  return { type: 'DELETED', object: left, shared, variant: 'left' };
}
