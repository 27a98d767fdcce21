import type { ServerResponse } from 'node:http';
import type { WatchBody, WatchFrame, WatchSink } from '@capstan/meta';
import { BrokenInvariant } from '../errors.js';
import type { CutReason } from './traffic.js';
import { eventLoopTurns } from './turns.js';
import type { Laggard, WatchBacklog } from './watch-backlog.js';

/** Frames are written in pieces of about this size; more at once would only sit in the socket's own queue. */
const WRITE_BYTES = 128 * 1024;

/** A queue that never runs empty is shortened once this many of its frames are written. */
const COMPACT_FRAMES = 1024;

const NOTHING = new Uint8Array(0);

/** Writes all watchers that received something, once per turn of the event loop. */
export class WriteBatch {
  #waiting: WatchWriter[] = [];
  readonly #run = (): void => {
    const writers = this.#waiting;
    this.#waiting = [];
    void this.#flush(writers);
  };

  /** Has the writer flushed later in this turn. */
  add(writer: WatchWriter): void {
    if (this.#waiting.push(writer) === 1) setImmediate(this.#run);
  }

  /** As many in one turn as there is time for. */
  async #flush(writers: readonly WatchWriter[]): Promise<void> {
    for (const writer of writers) {
      if (eventLoopTurns.isOver()) await eventLoopTurns.next();
      writer.flush();
    }
  }
}

/** Why a watcher was cut. */
export class SlowWatcher extends Error {
  override readonly name = 'SlowWatcher';

  constructor(pendingBytes: number) {
    super(`the watcher was cut: it left ${pendingBytes} bytes unread`);
  }
}

/** Why a watcher was cut that is the furthest behind of all. */
export class LastWatcher extends Error {
  override readonly name = 'LastWatcher';

  constructor(pendingBytes: number) {
    super(`the watcher was cut: too much waits for all watchers, and most for this one, ${pendingBytes} bytes`);
  }
}

/** Why a watcher was cut that reads nothing at all. */
export class StalledWatcher extends Error {
  override readonly name = 'StalledWatcher';

  constructor(stalledMs: number) {
    super(`the watcher was cut: it took nothing for ${Math.round(stalledMs)} ms`);
  }
}

/**
 * Carries one watch to one client. A watch cannot be slowed down, so what the client does not take is queued, by
 * reference, and over the limit the client is cut; it comes back with a new watch or list, as it must after any cut. What
 * was before the watch began waits unencoded: its size is nobody's fault, and it is held by the store anyway.
 */
export class WatchWriter implements WatchSink, Laggard {
  readonly #response: ServerResponse;
  readonly #body: WatchBody;
  readonly #batch: WriteBatch;
  readonly #backlog: WatchBacklog;
  readonly #limitBytes: number;
  readonly #onCut: (error: Error, reason: CutReason | undefined) => void;
  /** Taken ones are let go at once. */
  #queue: (Uint8Array | WatchFrame | undefined)[] = [];
  #next = 0;
  /** What was before the watch began is not counted. */
  #queuedBytes = 0;
  #isWaiting = false;
  /** What the socket was given and has not taken; its queue counts in the backlog with it. */
  #unsentBytes = 0;
  #isBehind = false;
  /** Since when the socket takes nothing, by the monotonic clock. */
  #stalledSinceMs: number | undefined;
  #isEnding = false;
  #isOver = false;

  constructor(
    response: ServerResponse,
    body: WatchBody,
    options: {
      batch: WriteBatch;
      backlog: WatchBacklog;
      limitBytes: number;
      onCut: (error: Error, reason: CutReason | undefined) => void;
    },
  ) {
    this.#response = response;
    this.#body = body;
    this.#batch = options.batch;
    this.#backlog = options.backlog;
    this.#limitBytes = options.limitBytes;
    this.#onCut = options.onCut;
  }

  /** Starts the stream; the head has been sent. */
  start(): void {
    this.#response.on('drain', () => {
      this.#isWaiting = false;
      this.#stalledSinceMs = undefined;
      this.#sent();
      this.flush();
    });
    try {
      this.#body.start(this);
    } catch (error) {
      this.#cut(error instanceof Error ? error : new BrokenInvariant(String(error)));
    }
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  cutForOthers(): void {
    this.#cut(new LastWatcher(this.#queuedBytes), 'watch-backlog');
  }

  frame(frame: WatchFrame, isPast = false): void {
    if (this.#isOver || this.#isEnding) return;
    if (isPast) this.#queue.push(frame);
    else {
      const bytes = frame.bytes();
      this.#queue.push(bytes);
      this.#queuedBytes += bytes.length;
      if (this.#isBehind) this.#backlog.hold(bytes);
      if (this.#queuedBytes > this.#limitBytes) return this.#cut(new SlowWatcher(this.#queuedBytes), 'slow-watch');
      if (this.#isBehind) this.#backlog.shorten();
      if (this.#isOver) return;
    }
    this.#schedule();
  }

  /** Ends the watch of a client that takes nothing although something waits for it. */
  cutIfStalled(nowMs: number, limitMs: number): void {
    const stalledMs = nowMs - (this.#stalledSinceMs ?? nowMs);
    if (stalledMs > limitMs) this.#cut(new StalledWatcher(stalledMs), 'stalled');
  }

  end(error?: Error): void {
    if (this.#isOver || this.#isEnding) return;
    if (error !== undefined) return this.#cut(error);
    this.#isEnding = true;
    this.#schedule();
  }

  /** Ends the stream from this side, after what is queued. */
  finish(): void {
    this.#body.stop();
    this.end();
  }

  /** The client is gone. */
  closed(): void {
    this.#isOver = true;
    this.#catchUp();
    this.#queue = [];
    this.#body.stop();
  }

  /** Writes until the queue is empty, the socket asks to wait, or others must come in between. */
  flush(): void {
    try {
      this.#flush();
    } catch (error) {
      // What waits unencoded may turn out not to be shown.
      this.#cut(error instanceof Error ? error : new BrokenInvariant(String(error)));
    }
  }

  #flush(): void {
    while (!this.#isOver && this.#next < this.#queue.length) {
      // A socket that takes all at once wants more within the same turn.
      if (eventLoopTurns.isOver()) {
        this.#isWaiting = true;
        void eventLoopTurns.next().then(() => this.flush());
        return;
      }
      const piece = this.#take();
      if (!this.#response.write(piece)) {
        this.#isWaiting = true;
        this.#stalledSinceMs = performance.now();
        return this.#fallBehind(piece.length);
      }
    }
    this.#isWaiting = false;
    if (this.#isOver) return;
    this.#catchUp();
    this.#queue = [];
    this.#next = 0;
    if (!this.#isEnding) return;
    this.#isOver = true;
    this.#response.end();
    // Until the last of it is taken.
    this.#stalledSinceMs = performance.now();
  }

  /** The socket takes no more for now: from here on what waits counts. Watchers that keep up cost nothing. */
  #fallBehind(unsentBytes: number): void {
    this.#unsentBytes += unsentBytes;
    this.#backlog.add(unsentBytes);
    if (!this.#isBehind) {
      this.#isBehind = true;
      this.#backlog.enter(this);
      for (const piece of this.#waitingPieces()) this.#backlog.hold(piece);
    }
    this.#backlog.shorten();
  }

  /** The socket has taken what it was given. */
  #sent(): void {
    this.#backlog.add(-this.#unsentBytes);
    this.#unsentBytes = 0;
  }

  /** Nothing waits any more, or nobody waits for it. */
  #catchUp(): void {
    this.#sent();
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#backlog.leave(this);
    for (const piece of this.#waitingPieces()) this.#backlog.release(piece);
  }

  *#waitingPieces(): Generator<Uint8Array> {
    for (let at = this.#next; at < this.#queue.length; at += 1) {
      const queued = this.#queue[at];
      if (queued instanceof Uint8Array) yield queued;
    }
  }

  #schedule(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#batch.add(this);
  }

  /** The next frames as one piece. */
  #take(): Uint8Array {
    const queue = this.#queue;
    const frames: Uint8Array[] = [];
    let size = 0;
    for (; this.#next < queue.length && (size === 0 || size < WRITE_BYTES); this.#next += 1) {
      const bytes = this.#bytesOf(queue[this.#next]);
      queue[this.#next] = undefined;
      frames.push(bytes);
      size += bytes.length;
    }
    const piece = frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames, size);
    if (this.#next > COMPACT_FRAMES && this.#next * 2 > queue.length) {
      this.#queue = queue.slice(this.#next);
      this.#next = 0;
    }
    return piece;
  }

  #bytesOf(queued: Uint8Array | WatchFrame | undefined): Uint8Array {
    if (!(queued instanceof Uint8Array)) return queued?.bytes() ?? NOTHING;
    this.#queuedBytes -= queued.length;
    if (this.#isBehind) this.#backlog.release(queued);
    return queued;
  }

  #cut(error: Error, reason?: CutReason): void {
    this.closed();
    this.#response.destroy();
    this.#onCut(error, reason);
  }
}
