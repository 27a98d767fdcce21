import { setMaxListeners } from 'node:events';
import { gunzip } from 'node:zlib';
import type { ApiResponse, Clock, Timer, WatchBody, WatchSink } from '@capstan/meta';
import type { Dispatcher } from 'undici';
import { RuntimeError } from '../runtime/errors.js';
import { bytesPayload, LineSplitter, MAX_RESPONSE_BYTES, responseTooLarge, wireFrame } from './bodies.js';
import { abortedError, TransportError } from './errors.js';
import { WireStream } from './wire-stream.js';

/** What answers of any packing may have unpacked, and how often longer a longer one may become: a bomb is 1,000 times. */
const UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_PACKING = 100;

type Controller = Dispatcher.DispatchController;
type Headers = Record<string, string | readonly string[]>;

export interface ExchangeOptions {
  readonly isWatch: boolean;
  /** The body is handed over while it comes. */
  readonly isStreaming: boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** A watch silent for this long is cut; 0 = never. */
  readonly watchIdleMs: number;
}

/**
 * One request and its answer: the receiving end of undici. A finite answer resolves when its last byte is in; a watch
 * resolves at its headers and then becomes the body handed out.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<ApiResponse>;
  readonly #options: ExchangeOptions;
  #resolve!: (response: ApiResponse) => void;
  #reject!: (error: Error) => void;
  #controller: Controller | undefined;
  #sent = false;
  #settled = false;
  #status = 0;
  #headers: Headers = {};
  #chunks: Uint8Array[] = [];
  #chunkBytes = 0;
  #watch: WireWatch | undefined;
  #stream: WireStream | undefined;
  readonly #onAbort = (): void => this.#abort();

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (options.signal !== undefined) {
      // One signal for many requests is the rule here, not a leak.
      setMaxListeners(0, options.signal);
      options.signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    if (options.signal?.aborted === true) this.#abort();
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // Aborted while it waited for a connection: nothing has been written yet.
    if (this.#settled) {
      controller.abort(abortedError(this.#options.signal, false));
      return;
    }
    this.#sent = true;
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.#headers[name] = value;
    if (this.#options.isStreaming && status < 300) {
      this.#settled = true;
      this.#stream = new WireStream(controller);
      this.#resolve({ status, headers: this.#headers, body: this.#stream });
      return;
    }
    if (!this.#options.isWatch || status !== 200) return;
    this.#watch = new WireWatch(controller, this.#options, this.#onAbort);
    this.#settled = true;
    this.#resolve({ status, headers: this.#headers, body: this.#watch });
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#stream !== undefined) this.#stream.data(chunk);
    else if (this.#watch === undefined) this.#keep(controller, chunk);
    else this.#watch.data(chunk);
  }

  #keep(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#chunkBytes += chunk.length;
    if (this.#chunkBytes <= MAX_RESPONSE_BYTES || this.#settled) return;
    this.#chunks = [];
    this.#settle();
    const error = responseTooLarge();
    this.#reject(error);
    controller.abort(error);
  }

  onResponseEnd(): void {
    if (this.#stream !== undefined) {
      this.#settle();
      this.#stream.finish();
      return;
    }
    if (this.#watch !== undefined) {
      this.#watch.finish();
      return;
    }
    this.#settle();
    if (this.#headers['content-encoding'] !== 'gzip') {
      this.#deliver(this.#chunks);
      return;
    }
    const packed = Buffer.concat(this.#chunks);
    const maxOutputLength = Math.min(MAX_RESPONSE_BYTES, Math.max(UNPACKED_BYTES, packed.length * MAX_PACKING));
    gunzip(packed, { maxOutputLength }, (error, plain) => {
      if (error === null) this.#deliver([plain]);
      else
        this.#reject(new TransportError('EBADGZIP', `the response is not valid gzip: ${error.message}`, true, error));
    });
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#stream !== undefined) {
      this.#settle();
      this.#stream.finish(transportError(error, true));
      return;
    }
    if (this.#watch !== undefined) {
      this.#watch.finish(transportError(error, true));
      return;
    }
    if (this.#settled) return;
    this.#settle();
    this.#reject(transportError(error, this.#sent));
  }

  #deliver(chunks: readonly Uint8Array[]): void {
    const type = this.#headers['content-type'];
    const empty = chunks.every((chunk) => chunk.length === 0);
    const body = empty ? ({ type: 'empty' } as const) : bytesPayload(chunks, typeof type === 'string' ? type : '');
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  #abort(): void {
    if (this.#stream !== undefined) {
      this.#stream.finish(abortedError(this.#options.signal, true));
      return;
    }
    if (this.#watch !== undefined) {
      this.#watch.stop();
      return;
    }
    if (this.#settled) return;
    this.#settle();
    const error = abortedError(this.#options.signal, this.#sent);
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #settle(): void {
    this.#settled = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** The body of a watch coming in over a connection. Until it is started the connection is held back. */
class WireWatch implements WatchBody {
  readonly type = 'watch';
  readonly #controller: Controller;
  readonly #options: ExchangeOptions;
  readonly #onAbort: () => void;
  readonly #lines: LineSplitter;
  #early: Uint8Array[] = [];
  #sink: WatchSink | undefined;
  #ended: { readonly error: Error | undefined } | undefined;
  #delivered = false;
  #lastActivity: number;
  #watchdog: Timer | undefined;

  constructor(controller: Controller, options: ExchangeOptions, onAbort: () => void) {
    this.#controller = controller;
    this.#options = options;
    this.#onAbort = onAbort;
    this.#lastActivity = options.clock.monotonic();
    this.#lines = new LineSplitter((line) => {
      if (!this.#delivered) this.#sink?.frame(wireFrame(line));
    });
    controller.pause();
  }

  start(sink: WatchSink): void {
    if (this.#sink !== undefined) throw new RuntimeError('misused', 'the watch was already started');
    this.#sink = sink;
    this.#lastActivity = this.#options.clock.monotonic();
    const early = this.#early;
    this.#early = [];
    for (const chunk of early) this.#feed(chunk);
    if (this.#ended !== undefined) this.#deliverEnd();
    else {
      this.#armWatchdog(this.#options.watchIdleMs);
      this.#controller.resume();
    }
  }

  stop(): void {
    if (this.#delivered) return;
    this.#ended = { error: undefined };
    this.#deliverEnd();
    this.#controller.abort(abortedError(this.#options.signal, true));
  }

  data(chunk: Uint8Array): void {
    if (this.#sink === undefined) this.#early.push(chunk);
    else this.#feed(chunk);
  }

  finish(error?: Error): void {
    if (this.#ended !== undefined) return;
    // A line cut in two means the connection broke, however politely it was closed.
    const torn = error === undefined && this.#lines.torn;
    this.#ended = {
      error: torn ? new TransportError('EWATCHTORN', 'the watch ended in the middle of an event', true) : error,
    };
    if (this.#sink !== undefined) this.#deliverEnd();
  }

  #feed(chunk: Uint8Array): void {
    this.#lastActivity = this.#options.clock.monotonic();
    try {
      this.#lines.push(chunk);
    } catch (error) {
      this.#fail(new TransportError('EWATCHDATA', error instanceof Error ? error.message : String(error), true, error));
    }
  }

  #fail(error: TransportError): void {
    if (this.#delivered) return;
    this.#ended = { error };
    this.#deliverEnd();
    this.#controller.abort(error);
  }

  #deliverEnd(): void {
    if (this.#delivered) return;
    this.#delivered = true;
    this.#watchdog?.cancel();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#sink?.end(this.#ended?.error);
  }

  /** One timer per watch, moved on when it fires, rather than one per chunk. */
  #armWatchdog(delayMs: number): void {
    const limit = this.#options.watchIdleMs;
    if (limit <= 0) return;
    this.#watchdog = this.#options.clock.after(delayMs, () => {
      const idle = this.#options.clock.monotonic() - this.#lastActivity;
      if (idle < limit) this.#armWatchdog(limit - idle);
      else this.#fail(new TransportError('EWATCHIDLE', `the watch was silent for ${Math.round(idle / 1000)} s`, true));
    });
  }
}

function transportError(error: Error, sent: boolean): TransportError {
  if (error instanceof TransportError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return new TransportError(code, error.message === '' ? code : error.message, sent, error);
}
