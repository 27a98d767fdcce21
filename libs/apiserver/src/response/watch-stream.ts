import { apiErrors } from '@capstan/meta';
import type { KubeObject, Status, Timer, WatchBody, WatchEventType, WatchFrame, WatchSink } from '@capstan/meta';
import { BrokenInvariant } from '../errors.js';
import type { Core } from '../registry/core.js';
import type { EffectDriver } from '../registry/effects.js';
import {
  RevisionExpired,
  RevisionInFuture,
  openWatch,
  type Stored,
  type StoreWatch,
  type WatchedEvent,
} from '../store/index.js';
import { FUTURE_REVISION_WAIT_MS } from '../registry/revisions.js';
import { ConvertingQueue, type ConvertedEvent } from './converting-queue.js';
import type { ObjectForm } from './forms.js';
import { ObjectFrame, ValueFrame } from './watch-frames.js';

/** What a watch request comes down to. */
export interface WatchPlan {
  readonly namespace: string;
  readonly name: string | undefined;
  readonly matches: ((stored: Stored) => boolean) | undefined;
  /** The same for objects in the version of the watch, where a webhook converts them. */
  readonly matchesServed: ((object: KubeObject) => boolean) | undefined;
  readonly form: ObjectForm;
  readonly drive: EffectDriver;
  /** Frames are the same for every watcher of this form. */
  readonly sharesFrames: boolean;
  /** Events after this revision; with `initial` the state must have reached it. */
  readonly from: number | 'now';
  readonly initial: boolean;
  /** A bookmark with the well-known annotation closes the initial events. */
  readonly marksInitialEnd: boolean;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

const BOOKMARK_PERIOD_MS = 60_000;
/** The last bookmark comes this long before the end, so that the client resumes close to it. */
const LAST_BOOKMARK_MS = 2_000;
const NO_EXTRA: object = {};

/** The endless body of a watch. Everything is delivered in revision order, nothing twice, nothing left out. */
export class WatchStream implements WatchBody {
  readonly type = 'watch';
  readonly #core: Core;
  readonly #plan: WatchPlan;
  /** Under what frames are shared. */
  readonly #frameKeys: Partial<Record<WatchedEvent['type'], string>> = {};
  #sink: WatchSink | undefined;
  #watch: StoreWatch | undefined;
  #waiting: { close(): void } | undefined;
  #timers: Timer[] = [];
  /** Where events wait for a webhook, in kinds that need one. */
  readonly #queue: ConvertingQueue | undefined;
  #leave: (() => void) | undefined;
  #isFirst = true;
  #isOver = false;

  constructor(core: Core, plan: WatchPlan) {
    this.#core = core;
    this.#plan = plan;
    const { served } = plan.form;
    if (served.conversion?.remote === undefined) return;
    this.#queue = new ConvertingQueue({
      core,
      served,
      drive: plan.drive,
      matches: plan.matchesServed,
      deliver: (event) => this.#show(event),
      fail: (status) => this.fail(status),
      overflow: () => this.fail(apiErrors.expiredWatch(core.store.revision, core.store.revision).status),
    });
  }

  start(sink: WatchSink): void {
    if (this.#isOver) return;
    this.#sink = sink;
    const { timeoutMs, bookmarks } = this.#plan;
    this.#after(timeoutMs, () => this.#finish());
    if (bookmarks) {
      this.#scheduleBookmark();
      if (timeoutMs > LAST_BOOKMARK_MS) this.#after(timeoutMs - LAST_BOOKMARK_MS, () => this.#bookmark());
    }
    this.#open(true);
    if (!this.#isOver) this.#leave = this.#plan.form.served.custom?.onEnd(() => this.#finish());
  }

  stop(): void {
    this.#isOver = true;
    this.#queue?.stop();
    this.#leave?.();
    this.#watch?.close();
    this.#watch = undefined;
    this.#waiting?.close();
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    this.#sink = undefined;
  }

  /** Ends the stream with an ERROR event, as when the history it stands on is removed. */
  fail(status: Status): void {
    this.#sink?.frame(new ValueFrame('ERROR', this.#plan.form.encoding, status));
    this.#finish();
  }

  #open(mayWait: boolean): void {
    const { form, from, initial, matches, name, namespace } = this.#plan;
    try {
      const watch = openWatch(
        this.#core.store,
        form.served.storage,
        {
          namespace,
          name,
          matches: this.#queue === undefined ? matches : undefined,
          fromRevision: from,
          initial,
          onInitialEnd: (revision) => this.#initialEnd(revision),
          turns: this.#core.clock.turns,
          onBroken: (error) => this.#break(error),
        },
        (event, isPast) => this.#deliver(event, isPast),
      );
      // The sink may have stopped the stream from inside an event.
      if (this.#isOver) watch.close();
      else this.#watch = watch;
    } catch (error) {
      this.#cannotOpen(error, mayWait);
    }
  }

  #cannotOpen(error: unknown, mayWait: boolean): void {
    if (error instanceof RevisionExpired) return this.fail(apiErrors.expiredWatch(error.revision, error.oldest).status);
    if (!(error instanceof RevisionInFuture)) throw error;
    if (!mayWait) return this.fail(apiErrors.tooLargeResourceVersion(error.revision, error.current).status);
    this.#waitFor(error.revision);
  }

  /** Opens as soon as the state has come that far, or gives up after a while. */
  #waitFor(revision: number): void {
    const stopWaiting = this.#core.store.subscribe((event) => {
      if (event.revision >= revision) open();
    });
    const timer = this.#after(FUTURE_REVISION_WAIT_MS, () => open());
    const open = (): void => {
      this.#waiting?.close();
      this.#open(false);
    };
    this.#waiting = {
      close: () => {
        stopWaiting();
        timer.cancel();
        this.#waiting = undefined;
      },
    };
  }

  #deliver(event: WatchedEvent, isPast: boolean): void {
    if (this.#isOver) return;
    if (this.#queue !== undefined) return this.#queue.push(event);
    const { form, sharesFrames } = this.#plan;
    const frame = sharesFrames ? this.#sharedFrame(event) : this.#ownFrame(event.type, form.object(event.stored));
    this.#sink?.frame(frame, isPast);
  }

  /** A frame for all watchers: one write to a thousand of them is encoded once. */
  #sharedFrame({ event, stored, type }: WatchedEvent): WatchFrame {
    const { form } = this.#plan;
    const make = (): WatchFrame => new ObjectFrame(type, form, stored);
    if (event === undefined) return make();
    return event.memo((this.#frameKeys[type] ??= `${type}|${form.encoding.name}|${form.key}`), make);
  }

  #show({ type, object, shared, variant }: ConvertedEvent): void {
    const { form, sharesFrames } = this.#plan;
    const make = (): WatchFrame => this.#ownFrame(type, object);
    const key = `${type}|${variant}|${form.encoding.name}|${form.key}`;
    if (shared === undefined) this.#sink?.frame(make(), true);
    else this.#sink?.frame(sharesFrames ? shared.frame(key, make) : make());
  }

  #ownFrame(type: WatchEventType, object: KubeObject): WatchFrame {
    const { form } = this.#plan;
    const value = form.show(object, this.#isFirst);
    this.#isFirst = false;
    return new ValueFrame(type, form.encoding, value);
  }

  #initialEnd(revision: number): void {
    if (this.#plan.marksInitialEnd) this.#bookmark(revision, { annotations: { 'k8s.io/initial-events-end': 'true' } });
  }

  #bookmark(revision = this.#core.store.revision, extra: object = NO_EXTRA): void {
    // A bookmark cannot stand for events that were not sent yet.
    if (this.#watch?.isCaughtUp() !== true && extra === NO_EXTRA) return;
    if (this.#queue === undefined) this.#showBookmark(revision, extra);
    else this.#queue.afterwards(() => this.#showBookmark(revision, extra));
  }

  #showBookmark(revision: number, extra: object): void {
    const { form } = this.#plan;
    const { kind } = form.served.definition;
    const bookmark = {
      kind,
      apiVersion: form.served.apiVersion,
      metadata: { resourceVersion: String(revision), ...extra },
    };
    this.#sink?.frame(new ValueFrame('BOOKMARK', form.encoding, form.show(bookmark, this.#isFirst)));
    this.#isFirst = false;
  }

  #scheduleBookmark(): void {
    this.#after(BOOKMARK_PERIOD_MS, () => {
      this.#bookmark();
      this.#scheduleBookmark();
    });
  }

  #after(delayMs: number, act: () => void): Timer {
    const timer = this.#core.clock.after(delayMs, () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
      if (!this.#isOver) act();
    });
    this.#timers.push(timer);
    return timer;
  }

  /** Ends the stream as one that broke. */
  #break(error: unknown): void {
    const sink = this.#sink;
    this.stop();
    sink?.end(error instanceof Error ? error : new BrokenInvariant(String(error)));
  }

  #finish(): void {
    const sink = this.#sink;
    this.stop();
    sink?.end();
  }
}
