import type { Body } from '@capstan/translate';
import { ProxyError } from '../errors.js';
import type { Wire } from '../upstream/wire.js';
import { BODY_WINDOW_BYTES, BodyPace } from './body-pace.js';
import type { Asked } from './client.js';
import type { Deadlines } from './deadlines.js';

/** Bodies up to here are sent in one piece, with their length, and can be sent again. */
const WHOLE_BYTES = 64 * 1024;
const CRLF = Buffer.from('\r\n');

/** The beginning of a body, or all of it. */
export interface Gathered {
  readonly isWhole: boolean;
  readonly bytes: Buffer;
}

/** The body of a request that has none. */
export const NO_BODY: Gathered = { isWhole: true, bytes: Buffer.alloc(0) };

/** Notified of the progress of the rest of a body. */
export interface StreamListener {
  readonly fail: (error: unknown) => void;
  readonly sent: () => void;
}

/** Takes a body from its client through its translation. */
export class RequestBody {
  readonly #asked: Asked;
  readonly #body: Body;
  /** Undefined where a body may take its time. */
  readonly #deadlines: Deadlines | undefined;
  #pace: BodyPace | undefined;
  /** The server does not take what came. */
  #isHeldBack = false;

  constructor(asked: Asked, body: Body, deadlines?: Deadlines) {
    this.#asked = asked;
    this.#body = body;
    this.#deadlines = deadlines;
  }

  /** Reads until the end, or until there is too much to wait for; at once where all of it came with the head. */
  gather(gathered: (beginning: Gathered) => void, fail: (error: unknown) => void): void {
    const asked = this.#asked;
    const chunks: Uint8Array[] = [];
    let size = 0;
    let isSettled = false;
    const take = (pieces: readonly Uint8Array[]): void => {
      for (const piece of pieces) {
        chunks.push(piece);
        size += piece.length;
      }
    };
    const settle = (isWhole: boolean): void => {
      isSettled = true;
      this.#pace?.stop();
      gathered({ isWhole, bytes: allOf(chunks) });
    };
    const failed = (error: unknown): void => {
      isSettled = true;
      this.#pace?.stop();
      fail(error);
    };
    asked.read({
      data: (chunk) => {
        if (isSettled) return;
        attempt(failed, () => {
          take(this.#pushed(chunk));
          if (size <= WHOLE_BYTES) return;
          asked.pause();
          settle(false);
        });
      },
      end: () => {
        if (isSettled) return;
        attempt(failed, () => {
          take(this.#rest());
          settle(true);
        });
      },
      // Once it is known that nobody waits for an answer either.
      gone: () => {
        if (!isSettled)
          queueMicrotask(() =>
            failed(new ProxyError('client-gone', 'the client disconnected before its request was complete')),
          );
      },
    });
    // Most came whole, with their head.
    if (!isSettled) this.#expect(failed);
  }

  /** From now on the body must come on. */
  #expect(fail: (error: unknown) => void): void {
    if (this.#deadlines !== undefined)
      this.#pace = new BodyPace(this.#deadlines, (limitMs) => fail(this.#lateness(limitMs)));
  }

  #lateness(limitMs: number): ProxyError {
    const limit = `${BODY_WINDOW_BYTES / 1024} KiB within ${limitMs / 1000} s`;
    return this.#isHeldBack
      ? new ProxyError('timeout', `it did not take ${limit} of the request`)
      : new ProxyError('slow-client', `its body must bring ${limit}, or its end`);
  }

  /** Sends what comes after the beginning; returns what the wire calls when it takes more. */
  stream(wire: Wire, isChunked: boolean, { fail, sent }: StreamListener): () => void {
    const asked = this.#asked;
    const write = (pieces: readonly Uint8Array[]): void => {
      let isTaken = true;
      wire.cork();
      for (const piece of pieces)
        if (piece.length > 0) isTaken = isChunked ? writeChunk(wire, piece) : wire.write(piece);
      wire.uncork();
      if (isTaken) return;
      this.#isHeldBack = true;
      asked.pause();
    };
    this.#expect(fail);
    // What was gathered came in this window, too.
    this.#pace?.took(WHOLE_BYTES);
    asked.read({
      data: (chunk) => attempt(fail, () => write(this.#pushed(chunk))),
      end: () =>
        attempt(fail, () => {
          this.#pace?.stop();
          write(this.#rest());
          if (isChunked) wire.write(lastChunk(asked.trailers));
          wire.sent();
          sent();
        }),
      gone: () => this.#pace?.stop(),
    });
    const resume = (): void => {
      this.#isHeldBack = false;
      asked.resume();
    };
    resume();
    return resume;
  }

  #pushed(chunk: Buffer): readonly Uint8Array[] {
    this.#pace?.took(chunk.length);
    return this.#body === 'pass' ? [chunk] : this.#body.push(chunk);
  }

  #rest(): readonly Uint8Array[] {
    return this.#body === 'pass' ? [] : this.#body.end();
  }
}

function allOf(chunks: readonly Uint8Array[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(chunks);
}

function attempt(fail: (error: unknown) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    fail(error);
  }
}

/** One piece of a body whose length nobody knows. */
export function writeChunk(wire: Pick<Wire, 'write'>, piece: Uint8Array): boolean {
  wire.write(Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1'));
  wire.write(piece);
  return wire.write(CRLF);
}

/** A whole body as one chunk, with what follows it. */
export function asChunk(bytes: Buffer, trailers: Asked['trailers']): Buffer {
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1');
  return Buffer.concat([...(bytes.length === 0 ? [] : [size, bytes, CRLF]), lastChunk(trailers)]);
}

function lastChunk(trailers: Asked['trailers']): Buffer {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value ?? ''}\r\n`);
  return Buffer.from(`0\r\n${lines.join('')}\r\n`, 'latin1');
}
