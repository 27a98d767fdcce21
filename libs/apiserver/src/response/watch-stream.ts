import { ApiError, apiErrors, deepFreeze } from '@capstan/meta';
import type { Status, Timer, WatchBody, WatchEventType, WatchFrame, WatchSink } from '@capstan/meta';
import type { Core } from '../registry/core.js';
import {
  RevisionExpired,
  RevisionInFuture,
  openWatch,
  type Stored,
  type StoreWatch,
  type WatchedEvent,
} from '../store/index.js';
import { FUTURE_REVISION_WAIT_MS } from '../verbs/revisions.js';
import type { Encoding } from './encoding.js';
import { convertAhead, encodeAs, valueAs, type ObjectForm } from './forms.js';

/** What a watch request comes down to. */
export interface WatchPlan {
  readonly namespace: string;
  readonly name: string | undefined;
  readonly matches: ((stored: Stored) => boolean) | undefined;
  readonly form: ObjectForm;
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

/** One event; its bytes are put together from the object's own. */
class ObjectFrame implements WatchFrame {
  readonly type: WatchEventType;
  readonly #form: ObjectForm;
  readonly #stored: Stored;
  #bytes: Uint8Array | undefined;

  constructor(type: WatchEventType, form: ObjectForm, stored: Stored) {
    this.type = type;
    this.#form = form;
    this.#stored = stored;
  }

  object(): unknown {
    return valueAs(this.#form, this.#stored);
  }

  bytes(): Uint8Array {
    this.#bytes ??= this.#form.encoding.frame(this.type, encodeAs(this.#form, this.#stored));
    return this.#bytes;
  }
}

/** An event whose object is a value made for this watch alone. */
class ValueFrame implements WatchFrame {
  readonly type: WatchEventType;
  readonly #encoding: Encoding;
  readonly #value: unknown;

  constructor(type: WatchEventType, encoding: Encoding, value: unknown) {
    this.type = type;
    this.#encoding = encoding;
    this.#value = value;
  }

  object(): unknown {
    return deepFreeze(this.#value);
  }

  bytes(): Uint8Array {
    return this.#encoding.frame(this.type, this.#encoding.body(this.#value));
  }
}

/** The endless body of a watch. Everything is delivered in revision order, nothing twice, nothing left out. */
export class WatchStream implements WatchBody {
  readonly type = 'watch';
  readonly #core: Core;
  readonly #plan: WatchPlan;
  #sink: WatchSink | undefined;
  #watch: StoreWatch | undefined;
  #waiting: { close(): void } | undefined;
  #timers: Timer[] = [];
  #leave: (() => void) | undefined;
  #isFirst = true;
  #isOver = false;

  constructor(core: Core, plan: WatchPlan) {
    this.#core = core;
    this.#plan = plan;
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
    this.#leave?.();
    this.#watch?.close();
    this.#watch = undefined;
    this.#waiting?.close();
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    this.#sink = undefined;
  }

  /** Ends the stream with an ERROR event, as when the history it stands on is taken away. */
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
          matches,
          fromRevision: from,
          initial,
          onInitialEnd: (revision) => this.#initialEnd(revision),
        },
        (event) => this.#deliver(event),
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

  #deliver(event: WatchedEvent): void {
    if (this.#isOver) return;
    const { form, sharesFrames } = this.#plan;
    try {
      convertAhead(form, [event.stored]);
    } catch (error) {
      if (error instanceof ApiError) return this.fail(error.status);
      throw error;
    }
    this.#sink?.frame(sharesFrames ? sharedFrame(form, event) : this.#ownFrame(event.type, event.stored));
  }

  #ownFrame(type: WatchEventType, stored: Stored): WatchFrame {
    const { form } = this.#plan;
    const value = form.show(form.object(stored), this.#isFirst);
    this.#isFirst = false;
    return new ValueFrame(type, form.encoding, value);
  }

  #initialEnd(revision: number): void {
    if (this.#plan.marksInitialEnd) this.#bookmark(revision, { annotations: { 'k8s.io/initial-events-end': 'true' } });
  }

  #bookmark(revision = this.#core.store.revision, extra: object = NO_EXTRA): void {
    // Nothing was watched yet that a bookmark could stand for.
    if (this.#watch === undefined && extra === NO_EXTRA) return;
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

  #finish(): void {
    const sink = this.#sink;
    this.stop();
    sink?.end();
  }
}

/** A frame for all watchers: one write to a thousand of them is encoded once. */
function sharedFrame(form: ObjectForm, event: WatchedEvent): WatchFrame {
  const make = (): WatchFrame => new ObjectFrame(event.type, form, event.stored);
  return event.event === undefined ? make() : event.event.memo(`${event.type}|${form.encoding.name}|${form.key}`, make);
}
