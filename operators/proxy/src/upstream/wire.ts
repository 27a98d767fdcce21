import type { Duplex } from 'node:stream';
import { errorText } from '@capstan/kube/connect';
import { ProxyError } from '../errors.js';
import { writeAfterReads } from '../turn.js';
import type { Outgoing } from '../turn.js';
import type { Identity, Tap } from './dial.js';
import { ResponseParser } from './response-parser.js';
import type { ResponseExpectation, ResponseListener } from './response-parser.js';

/** Notified of the progress of an exchange with the server. */
export interface WireListener extends ResponseListener {
  /** The request, or the beginning of it, has been written. */
  onWritten?(): void;
  /** All that one read brought has been handed over; whether it ended within something that the server wrote as one. */
  onRead(isWithinChunk: boolean): void;
  /** The server takes more of the request's body. */
  onDrain(): void;
  /** It broke; nothing more comes. */
  onError(error: ProxyError): void;
}

/** Where a wire goes when it is done with a request. */
export interface WireHome {
  idle(wire: Wire): void;
  closed(wire: Wire): void;
}

/** A connection, and what gives its bytes where it is not read as a stream. */
export interface Opened {
  readonly socket: Duplex;
  readonly tap: Tap | undefined;
}

/** One HTTP/1.1 connection to the server: one request at a time. */
export class Wire implements Outgoing {
  readonly identity: Identity;
  /** How many requests it has carried. */
  uses = 0;
  readonly #socket: Duplex;
  readonly #home: WireHome;
  readonly #parser = new ResponseParser();
  #listener: WireListener | undefined;
  /** The request has been written to its end. */
  #isSent = true;
  #hasResponse = false;
  /** A request that waits until all that has come is read. */
  #waiting: Buffer | string | undefined;
  #isDetached = false;

  constructor({ socket, tap }: Opened, identity: Identity, home: WireHome) {
    this.#socket = socket;
    this.identity = identity;
    this.#home = home;
    if (tap === undefined) socket.on('data', this.#onData);
    else tap.take = this.#onData;
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  /** Whether any byte of a response has come. */
  get hasResponse(): boolean {
    return this.#hasResponse;
  }

  /** Whether anything of the request may have reached the server. */
  get isWritten(): boolean {
    return this.#waiting === undefined;
  }

  /** Sends the head of a request, and its body where that is known already. */
  send(head: Buffer | string, isWhole: boolean, listener: WireListener, expectation: ResponseExpectation): void {
    this.uses += 1;
    this.#hasResponse = false;
    this.#isSent = isWhole;
    this.#listener = listener;
    this.#parser.expect(listener, expectation);
    this.#waiting = head;
    if (isWhole) writeAfterReads(this, 'request');
    else this.goOut();
  }

  goOut(): void {
    const head = this.#waiting;
    if (head === undefined || this.#socket.destroyed) return;
    this.#waiting = undefined;
    if (typeof head === 'string') this.#socket.write(head, 'latin1');
    else this.#socket.write(head);
    this.#listener?.onWritten?.();
  }

  /** More of the body; false: wait for `onDrain`. */
  write(chunk: Uint8Array): boolean {
    return this.#socket.write(chunk);
  }

  /** The body is whole. */
  sent(): void {
    this.#isSent = true;
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Gives the connection away: it speaks another protocol now. */
  detach(): Duplex {
    this.#isDetached = true;
    const socket = this.#socket;
    socket.removeListener('data', this.#onData).removeListener('drain', this.#onDrain);
    socket.removeListener('end', this.#onEnd).removeListener('error', this.#onError);
    socket.removeListener('close', this.#onClose);
    this.#home.closed(this);
    return socket;
  }

  /** Ends it; the listener is not notified any more. */
  destroy(): void {
    this.#listener = undefined;
    this.#parser.abandon();
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.isWritten) {
      // It answers no request: nothing was sent yet.
      this.#fail(new ProxyError('connection-lost', 'the server sent bytes before the first request'));
      return;
    }
    this.#hasResponse = true;
    try {
      this.#parser.push(chunk);
      if (!this.#isDetached) this.#listener?.onRead(this.#parser.isWithinChunk);
    } catch (error) {
      this.#fail(error instanceof ProxyError ? error : new ProxyError('bad-response', errorText(error), error));
      return;
    }
    if (this.#isDetached || this.#listener === undefined) return;
    if (this.#parser.isBusy) return;
    this.#listener = undefined;
    if (this.#isSent) this.#release();
    // The server has answered before it had the whole request: where the next one would begin is unknown.
    else this.destroy();
  };

  #release(): void {
    this.#socket.resume();
    if (this.#parser.canReuse && !this.#socket.destroyed && !this.#socket.writableEnded) this.#home.idle(this);
    else this.#socket.destroy();
  }

  readonly #onDrain = (): void => this.#listener?.onDrain();

  readonly #onEnd = (): void => {
    if (this.#listener === undefined) {
      this.#socket.destroy();
      return;
    }
    const listener = this.#listener;
    if (!this.#parser.close()) {
      this.#fail(new ProxyError('connection-lost', 'the server closed the connection before its answer was complete'));
      return;
    }
    this.#listener = undefined;
    listener.onRead(false);
    this.#socket.destroy();
  };

  readonly #onError = (error: Error): void => {
    this.#fail(new ProxyError('connection-lost', errorText(error), error));
  };

  readonly #onClose = (): void => {
    this.#fail(new ProxyError('connection-lost', 'the connection to the server was closed'));
    this.#home.closed(this);
  };

  #fail(error: ProxyError): void {
    const listener = this.#listener;
    this.destroy();
    listener?.onError(error);
  }
}
