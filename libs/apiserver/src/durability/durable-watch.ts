import type { WatchBody, WatchFrame, WatchSink } from '@capstan/meta';

/** How far the state has come, and how far it is kept. */
export interface Progress {
  readonly revision: number;
  readonly durableRevision: number;
  /** Nothing is committed meanwhile, and what was may be read already: who begins to watch now need not wait for it. */
  readonly isFailing: boolean;
}

interface Held {
  /** The state when the frame was made: it shows nothing later. */
  readonly revision: number;
  readonly send: (sink: WatchSink) => void;
}

/** A watch whose frames leave only when what they show is durable. */
export class DurableWatch implements WatchBody {
  readonly type = 'watch';
  readonly #inner: WatchBody;
  readonly #progress: Progress;
  readonly #open: Set<DurableWatch>;
  #sink: WatchSink | undefined;
  #held: Held[] = [];

  /** While it runs it is in `open`, whose members are to be released when the journal has come further. */
  constructor(inner: WatchBody, progress: Progress, open: Set<DurableWatch>) {
    this.#inner = inner;
    this.#progress = progress;
    this.#open = open;
  }

  start(sink: WatchSink): void {
    this.#sink = sink;
    this.#open.add(this);
    this.#inner.start({
      frame: (frame: WatchFrame, isPast?: boolean) => this.#pass((to) => to.frame(frame, isPast)),
      end: (error) =>
        this.#pass((to) => {
          this.#forget();
          to.end(error);
        }),
    });
  }

  stop(): void {
    this.#forget();
    this.#inner.stop();
  }

  /** Sends what has become durable. */
  release(): void {
    const { durableRevision } = this.#progress;
    let sent = 0;
    for (const { revision, send } of this.#held) {
      // The sink may stop the watch from inside a frame.
      if (revision > durableRevision || this.#sink === undefined) break;
      send(this.#sink);
      sent++;
    }
    if (sent > 0) this.#held.splice(0, sent);
  }

  #pass(send: (sink: WatchSink) => void): void {
    const { revision, durableRevision, isFailing } = this.#progress;
    if (this.#held.length > 0 || (revision > durableRevision && !isFailing)) this.#held.push({ revision, send });
    else if (this.#sink !== undefined) send(this.#sink);
  }

  #forget(): void {
    this.#open.delete(this);
    this.#sink = undefined;
    this.#held = [];
  }
}
