import { Readable } from 'node:stream';
import type { StreamBody } from '@capstan/meta';
import type { Dispatcher } from 'undici';
import { abortedError } from './errors.js';

/** A body handed over while it arrives; the connection waits for the reader. */
export class WireStream implements StreamBody {
  readonly type = 'stream';
  readonly #controller: Dispatcher.DispatchController;
  readonly #readable: Readable;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
    this.#readable = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        // Left before its end: the connection cannot be used for anything else.
        if (!this.#readable.readableEnded) controller.abort(error ?? abortedError(undefined, true));
        done(error);
      },
    });
    // A reader gets the error from the iterator; a stream that is not read may break in silence.
    this.#readable.on('error', () => {});
  }

  read(): AsyncIterable<Uint8Array> {
    return this.#readable;
  }

  cancel(): void {
    this.#readable.destroy();
  }

  /** More of it came. */
  data(chunk: Uint8Array): void {
    if (!this.#readable.destroyed && !this.#readable.push(chunk)) this.#controller.pause();
  }

  /** It is over, or broke. */
  finish(error?: Error): void {
    if (this.#readable.destroyed) return;
    if (error === undefined) this.#readable.push(null);
    else this.#readable.destroy(error);
  }
}
