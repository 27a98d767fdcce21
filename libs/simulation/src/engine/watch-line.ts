import { TransportError } from '@capstan/kube';
import type { WatchBody, WatchFrame, WatchSink } from '@capstan/meta';
import type { FaultAction } from '../faults/fault.js';
import { expiredFrame } from './answers.js';
import type { Life, OpenWatch } from './life.js';
import type { Timeline } from './timeline.js';

/** A frame under way, or the end. */
interface Coming {
  readonly at: number;
  readonly frame: WatchFrame | undefined;
  readonly error: Error | undefined;
}

/** What a watch connection needs of the simulation. */
export interface LineOptions {
  readonly timeline: Timeline;
  readonly life: Life;
  readonly latency: () => number;
  readonly fault: FaultAction | undefined;
  readonly onFrame: (frame: WatchFrame) => void;
}

/** A watch over the simulated network: frames come late, never out of order, and the line may be cut or fall silent. */
export class WatchLine implements WatchBody, OpenWatch {
  readonly type = 'watch';
  readonly #body: WatchBody;
  readonly #options: LineOptions;
  readonly #coming: Coming[] = [];
  #sink: WatchSink | undefined;
  #isOver = false;
  #lastAt = 0;
  #silentFrom = Number.POSITIVE_INFINITY;
  #silentUntil = 0;

  constructor(body: WatchBody, options: LineOptions) {
    this.#body = body;
    this.#options = options;
    options.life.watches.add(this);
  }

  start(sink: WatchSink): void {
    this.#sink = sink;
    if (this.#isOver) {
      // Broken before there was a listener: reported as soon as there is one.
      this.#options.timeline.after(0, this.#options.life, () => sink.end(reset()));
      return;
    }
    this.#arm();
    const hasBookmarks = this.#options.fault?.kind !== 'no-bookmarks';
    this.#body.start({
      frame: (frame) => {
        if (hasBookmarks || frame.type !== 'BOOKMARK' || isInitialEnd(frame)) this.#enqueue(frame, undefined);
      },
      end: (error) => this.#enqueue(undefined, error),
    });
  }

  stop(): void {
    this.#isOver = true;
    this.#coming.length = 0;
    this.#body.stop();
    this.#options.life.watches.delete(this);
  }

  #arm(): void {
    const { fault, timeline, life } = this.#options;
    if (fault?.kind === 'watch-stall') {
      this.#silentFrom = timeline.elapsed + fault.afterMs;
      this.#silentUntil = this.#silentFrom + fault.forMs;
    } else if (fault?.kind === 'watch-cut') {
      timeline.after(fault.afterMs, life, () => this.breakOff());
    } else if (fault?.kind === 'watch-expired') {
      timeline.after(fault.afterMs, life, () =>
        this.#finish((sink) => {
          this.#show(sink, expiredFrame());
          this.#end(sink, undefined);
        }),
      );
    }
  }

  breakOff(): void {
    if (this.#sink === undefined) this.stop();
    else this.#finish((sink) => this.#end(sink, reset()));
  }

  /** Ends the line at once; what was under way on it is lost. */
  #finish(last: (sink: WatchSink) => void): void {
    if (this.#isOver || this.#sink === undefined) return;
    this.#coming.length = 0;
    this.#body.stop();
    last(this.#sink);
  }

  #show(sink: WatchSink, frame: WatchFrame): void {
    this.#options.onFrame(frame);
    sink.frame(frame);
  }

  #end(sink: WatchSink, error: Error | undefined): void {
    if (this.#isOver) return;
    this.stop();
    sink.end(error);
  }

  #enqueue(frame: WatchFrame | undefined, error: Error | undefined): void {
    if (this.#isOver) return;
    const { timeline, life, latency } = this.#options;
    const now = timeline.elapsed;
    const silence = now >= this.#silentFrom && now < this.#silentUntil ? this.#silentUntil : 0;
    const at = Math.max(this.#lastAt, silence, now + latency());
    this.#lastAt = at;
    this.#coming.push({ at, frame, error });
    // One task for all that come at the same time, and never one past another.
    if (this.#coming.length === 1) timeline.after(at - now, life, this.#deliver);
  }

  readonly #deliver = (): void => {
    const { timeline, life } = this.#options;
    for (let next = this.#coming[0]; next !== undefined; next = this.#coming[0]) {
      if (next.at > timeline.elapsed) {
        timeline.after(next.at - timeline.elapsed, life, this.#deliver);
        return;
      }
      // Stays first while it is delivered, so that what is sent meanwhile sets no second task.
      if (this.#sink !== undefined && !this.#isOver) {
        if (next.frame === undefined) this.#end(this.#sink, next.error);
        else this.#show(this.#sink, next.frame);
      }
      this.#coming.shift();
    }
  };
}

function reset(): TransportError {
  return new TransportError('ECONNRESET', 'the connection was reset', true);
}

/** The bookmark that marks the initial state of a watch as complete: it belongs to that state. */
export function isInitialEnd(frame: WatchFrame): boolean {
  if (frame.type !== 'BOOKMARK') return false;
  const { metadata } = frame.object() as { metadata?: { annotations?: Record<string, string> } };
  return metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}
