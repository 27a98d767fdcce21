import type { Socket } from 'node:net';
import type { Headers } from '@capstan/translate';
import type { Asked, BodyReader, Findings } from '../exchange/client.js';
import type { KnownHead } from './head-reader.js';

const NO_TRAILERS: Asked['trailers'] = {};

/** A request whose head can mean one thing only, and whose body is as long as its head declares. */
export class PlainRequest implements Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly hosts = 1;
  readonly trailers = NO_TRAILERS;
  readonly findings: Findings | undefined;
  isWhole: boolean;
  readonly #socket: Socket;
  #left: number;
  #reader: BodyReader | undefined;
  #early: Buffer | undefined;
  #isPaused = false;
  #isDropped = false;

  constructor(socket: Socket, { method, target, fields, findings }: KnownHead) {
    this.method = method;
    this.target = target;
    this.headers = fields.headers;
    this.findings = findings;
    this.#socket = socket;
    this.#left = fields.length;
    this.isWhole = fields.length === 0;
  }

  /** Bytes of the body that have yet to come. */
  get left(): number {
    return this.#left;
  }

  /** Takes what belongs to the body; gives how much that is. */
  push(chunk: Buffer): number {
    const size = Math.min(chunk.length, this.#left);
    if (size === 0) return 0;
    this.#left -= size;
    if (this.#isDropped) return size;
    const bytes = size === chunk.length ? chunk : chunk.subarray(0, size);
    if (this.#reader === undefined) {
      // Nobody reads yet: no more than one read of the connection is held.
      this.#early = this.#early === undefined ? bytes : Buffer.concat([this.#early, bytes]);
      if (this.#left > 0) this.#socket.pause();
    } else this.#deliver(bytes);
    return size;
  }

  read(reader: BodyReader): void {
    const early = this.#early;
    this.#early = undefined;
    this.#reader = reader;
    if (early === undefined) return;
    this.#socket.resume();
    this.#deliver(early);
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#left > 0) this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#left > 0) this.#socket.resume();
    else this.#end();
  }

  /** The answer is given: what is still to come is nobody's. */
  drop(): void {
    this.#isDropped = true;
    this.#early = undefined;
    this.#socket.resume();
  }

  /** The client left. */
  gone(): void {
    if (!this.isWhole) this.#reader?.gone();
  }

  #deliver(bytes: Buffer): void {
    this.#reader?.data(bytes);
    this.#end();
  }

  /** Reports the end; a reader that has paused is notified of it on resuming. */
  #end(): void {
    if (this.#left > 0 || this.isWhole || this.#isPaused || this.#reader === undefined) return;
    this.isWhole = true;
    this.#reader.end();
  }
}
