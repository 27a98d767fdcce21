import type { ServerResponse } from 'node:http';
import type { WatchBody, WatchFrame, WatchSink } from '@capstan/meta';

/** Frames are written in pieces of about this size; more at once would only sit in the socket's own queue. */
const WRITE_BYTES = 128 * 1024;

/** A queue that never runs empty is shortened once this many of its frames are written. */
const COMPACT_FRAMES = 1024;

/** Writes all watchers that received something, once per turn of the event loop. */
export class WriteBatch {
  #waiting: WatchWriter[] = [];
  readonly #run = (): void => {
    const writers = this.#waiting;
    this.#waiting = [];
    for (const writer of writers) writer.flush();
  };

  /** Has the writer flushed later in this turn. */
  add(writer: WatchWriter): void {
    if (this.#waiting.push(writer) === 1) setImmediate(this.#run);
  }
}

/** Why a watcher was cut. */
export class SlowWatcher extends Error {
  override readonly name = 'SlowWatcher';

  constructor(pendingBytes: number) {
    super(`the watcher was cut: it left ${pendingBytes} bytes unread`);
  }
}

/**
 * Carries one watch to one client. A watch cannot be slowed down, so what the client does not take is queued, by
 * reference, and over the limit the client is cut; it comes back with a new watch or list, as it must after any cut.
 */
export class WatchWriter implements WatchSink {
  readonly #response: ServerResponse;
  readonly #body: WatchBody;
  readonly #batch: WriteBatch;
  readonly #limitBytes: number;
  readonly #onCut: (error: Error) => void;
  #queue: Uint8Array[] = [];
  #next = 0;
  #queuedBytes = 0;
  /** What is left of the frames that came with the start: the state, whose size is nobody's fault. */
  #initialBytes = 0;
  #isStarting = true;
  #isWaiting = false;
  #isEnding = false;
  #isOver = false;

  constructor(
    response: ServerResponse,
    body: WatchBody,
    options: { batch: WriteBatch; limitBytes: number; onCut: (error: Error) => void },
  ) {
    this.#response = response;
    this.#body = body;
    this.#batch = options.batch;
    this.#limitBytes = options.limitBytes;
    this.#onCut = options.onCut;
  }

  /** Starts the stream; the head has been sent. */
  start(): void {
    this.#response.on('drain', () => {
      this.#isWaiting = false;
      this.flush();
    });
    try {
      this.#body.start(this);
    } catch (error) {
      this.#cut(error instanceof Error ? error : new Error(String(error)));
    }
    this.#isStarting = false;
  }

  frame(frame: WatchFrame): void {
    if (this.#isOver || this.#isEnding) return;
    const bytes = frame.bytes();
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#isStarting) this.#initialBytes += bytes.length;
    else if (this.#queuedBytes - this.#initialBytes > this.#limitBytes) {
      return this.#cut(new SlowWatcher(this.#queuedBytes));
    }
    this.#schedule();
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
    this.#queue = [];
    this.#body.stop();
  }

  /** Writes until the queue is empty or the socket asks to wait. */
  flush(): void {
    while (!this.#isOver && this.#next < this.#queue.length) {
      if (!this.#response.write(this.#take())) {
        this.#isWaiting = true;
        return;
      }
    }
    this.#isWaiting = false;
    if (this.#isOver) return;
    this.#queue = [];
    this.#next = 0;
    if (!this.#isEnding) return;
    this.#isOver = true;
    this.#response.end();
  }

  #schedule(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#batch.add(this);
  }

  /** The next frames as one piece. */
  #take(): Uint8Array {
    const queue = this.#queue;
    const first = this.#next;
    let size = 0;
    while (this.#next < queue.length && (size === 0 || size < WRITE_BYTES)) {
      size += (queue[this.#next] as Uint8Array).length;
      this.#next += 1;
    }
    this.#queuedBytes -= size;
    this.#initialBytes = Math.max(0, this.#initialBytes - size);
    const piece =
      this.#next === first + 1 ? (queue[first] as Uint8Array) : Buffer.concat(queue.slice(first, this.#next), size);
    if (this.#next > COMPACT_FRAMES && this.#next * 2 > queue.length) {
      this.#queue = queue.slice(this.#next);
      this.#next = 0;
    }
    return piece;
  }

  #cut(error: Error): void {
    this.closed();
    this.#response.destroy();
    this.#onCut(error);
  }
}
