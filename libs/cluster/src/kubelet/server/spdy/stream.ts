import { Duplex } from 'node:stream';
import type { SpdyHeaders } from './header-blocks.js';

/** How much of a stream may wait unread before the whole connection waits: the protocol as spoken has no windows. */
const READ_AHEAD_BYTES = 256 * 1024;

/** What a stream needs of its connection. */
export interface StreamCarrier {
  sendData(streamId: number, bytes: Buffer, isLast: boolean, done: (error?: Error | null) => void): void;
  sendReset(streamId: number): void;
  forget(streamId: number): void;
}

/** One stream of a SPDY connection. Ending it closes our half only. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly #carrier: StreamCarrier;
  #resume: (() => void) | undefined;
  #isOver = false;
  #hasAll = false;

  constructor(id: number, headers: SpdyHeaders, carrier: StreamCarrier) {
    super({ allowHalfOpen: true, readableHighWaterMark: READ_AHEAD_BYTES });
    this.id = id;
    this.headers = headers;
    this.#carrier = carrier;
    // A reset is an ordinary end of a stream; who cares listens for it.
    this.on('error', () => {});
  }

  /** Bytes from the peer. Resolves when there is room for more. */
  deliver(bytes: Buffer, isLast: boolean): Promise<void> | undefined {
    if (this.destroyed || this.readableEnded) return undefined;
    const hasRoom = bytes.length === 0 || this.push(bytes);
    if (isLast) {
      this.#hasAll = true;
      this.push(null);
    }
    if (hasRoom || isLast) return undefined;
    return new Promise((resolve) => (this.#resume = resolve));
  }

  /** The peer, or the end of the connection, took the stream away. */
  abandon(error?: Error): void {
    this.#isOver = true;
    this.destroy(error);
  }

  /** The connection is over. What came whole may still be read. */
  orphan(error: Error): void {
    this.#isOver = true;
    if (!this.#hasAll || this.readableEnded) this.destroy(error);
    else this.once('end', () => this.destroy());
  }

  override _read(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#carrier.sendData(this.id, chunk, false, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#carrier.sendData(this.id, Buffer.alloc(0), true, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this._read();
    if (!this.#isOver && !(this.writableFinished && this.readableEnded)) this.#carrier.sendReset(this.id);
    this.#carrier.forget(this.id);
    done(error);
  }
}
