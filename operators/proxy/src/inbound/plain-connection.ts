import type { Socket } from 'node:net';
import type { Clock } from '@capstan/meta';
import type { Asked, Reply } from '../exchange/client.js';
import type { HeadReader, KnownHead } from './head-reader.js';
import { PlainReply } from './plain-reply.js';
import { PlainRequest } from './plain-request.js';

/** What a client may send ahead of its turn. */
const MAX_AHEAD_BYTES = 64 * 1024;

/** Who serves what a connection asks. */
export interface PlainHome {
  readonly clock: Clock;
  readonly keepAliveSeconds: number;
  readonly heads: HeadReader;
  serve(asked: Asked, reply: Reply): void;
  /** Gives the connection to the parser of Node, with all that has not been answered put back. */
  handOver(socket: Socket): void;
  closed(connection: PlainConnection): void;
}

/**
 * A connection of a client that asks nothing unusual. Requests are read and answered here, one after the other; the first
 * one that is not beyond doubt goes to the parser of Node, and so does all that follows it.
 */
export class PlainConnection {
  readonly #socket: Socket;
  readonly #home: PlainHome;
  #request: PlainRequest | undefined;
  #reply: PlainReply | undefined;
  /** What came and is not of the request under way. */
  #ahead: Buffer | undefined;
  /** Since when nothing was asked. */
  restingSince: number;
  hasAsked = false;

  constructor(socket: Socket, home: PlainHome) {
    this.#socket = socket;
    this.#home = home;
    this.restingSince = home.clock.monotonic();
    socket.on('data', this.#onData).on('drain', this.#onDrain);
    socket.on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  get socket(): Socket {
    return this.#socket;
  }

  /** Whether a request is under way. */
  get isBusy(): boolean {
    return this.#reply !== undefined;
  }

  /** Takes no more notice of the connection. */
  leave(): void {
    const socket = this.#socket;
    socket.removeListener('data', this.#onData).removeListener('drain', this.#onDrain);
    socket.removeListener('end', this.#onEnd).removeListener('error', this.#onError);
    socket.removeListener('close', this.#onClose);
    this.#home.closed(this);
  }

  readonly #onData = (chunk: Buffer): void => {
    const taken = this.#request?.push(chunk) ?? 0;
    if (this.#request !== undefined && this.#reply === undefined && this.#request.left === 0) this.#request = undefined;
    if (taken === chunk.length) return;
    const rest = taken === 0 ? chunk : chunk.subarray(taken);
    this.#ahead = this.#ahead === undefined ? rest : Buffer.concat([this.#ahead, rest]);
    if (this.#request === undefined) this.#next();
    else if (this.#ahead.length > MAX_AHEAD_BYTES) this.#socket.pause();
  };

  /** The next request, if one has come. */
  readonly #next = (): void => {
    const bytes = this.#ahead;
    if (bytes === undefined || this.#request !== undefined || this.#socket.destroyed) return;
    this.#ahead = undefined;
    const head = this.#home.heads.read(bytes);
    if (head !== undefined) {
      this.#serve(head, bytes);
      return;
    }
    this.leave();
    this.#socket.unshift(bytes);
    this.#home.handOver(this.#socket);
  };

  #serve(head: KnownHead, bytes: Buffer): void {
    const { clock, keepAliveSeconds } = this.#home;
    const request = new PlainRequest(this.#socket, head);
    const manners = {
      isHead: head.method === 'HEAD',
      isLast: head.fields.isLast,
      keepAliveSeconds,
      now: () => clock.now(),
    };
    const reply = new PlainReply(this.#socket, manners, this.#answered);
    this.#request = request;
    this.#reply = reply;
    this.hasAsked = true;
    if (bytes.length > head.end) {
      const rest = bytes.subarray(head.end);
      const taken = request.push(rest);
      if (taken < rest.length) this.#ahead = taken === 0 ? rest : rest.subarray(taken);
    }
    this.#home.serve(request, reply);
  }

  readonly #answered = (): void => {
    const [request, reply] = [this.#request, this.#reply];
    this.#reply = undefined;
    this.restingSince = this.#home.clock.monotonic();
    if (reply?.isLast === true) {
      this.#socket.destroySoon();
      return;
    }
    if (request !== undefined && request.left > 0) {
      request.drop();
      return;
    }
    this.#request = undefined;
    if (this.#ahead === undefined) return;
    // Not within the reading of the answer before: its connection to the server is free in a moment.
    this.#socket.resume();
    process.nextTick(this.#next);
  };

  readonly #onDrain = (): void => this.#reply?.listener?.onReplyDrain();

  /** A client that has ended its side does not wait for an answer either; one that is on its way still goes out. */
  readonly #onEnd = (): void => {
    this.#reply?.goOut();
    if (this.#reply === undefined || this.#reply.isEnded) this.#socket.end();
    else this.#socket.destroy();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#request?.gone();
    this.#reply?.listener?.onReplyClose();
    this.#home.closed(this);
  };
}
