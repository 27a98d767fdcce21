import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { valueOf } from '../exchange/client.js';
import type { Reply, ReplyHead, ReplyHeaders, ReplyListener } from '../exchange/client.js';
import { writeAfterReads } from '../turn.js';
import type { Outgoing } from '../turn.js';

/** Up to here bytes are put together: one copy costs less than another write. */
const MERGED_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** The Connection header of the reply. */
export interface ReplyManners {
  readonly isHead: boolean;
  /** The connection ends with this answer. */
  readonly isLast: boolean;
  readonly keepAliveSeconds: number;
  readonly now: () => number;
}

/** An answer that is written as it is put on the wire, where nothing about it is unusual; byte for byte what Node writes. */
export class PlainReply implements Reply, Outgoing {
  listener: ReplyListener | undefined;
  hasBegun = false;
  isSent = false;
  isLast: boolean;
  readonly #socket: Socket;
  readonly #manners: ReplyManners;
  readonly #done: () => void;
  /** The head while it waits for the first bytes of the body. */
  #head = '';
  #hasBody = true;
  #isChunked = false;
  #isEnded = false;
  /** The last of it, which waits until all that has come is read. */
  #waiting: Buffer | undefined;

  constructor(socket: Socket, manners: ReplyManners, done: () => void) {
    this.#socket = socket;
    this.#manners = manners;
    this.isLast = manners.isLast;
    this.#done = done;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  get isFlushed(): boolean {
    return this.#socket.writableLength === 0;
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** All of it was written, though the network may not have taken it yet. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  goOn(): void {
    this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
  }

  interim(status: number, headers: ReplyHeaders): void {
    if (this.hasBegun) return;
    this.#socket.write(`${statusLine(status)}${linesOf(headers)}\r\n`, 'latin1');
  }

  begin({ status, headers, length, hasDate, isLast }: ReplyHead): void {
    const { isHead, now } = this.#manners;
    const hasLengthHeader = valueOf(headers, 'content-length') !== undefined;
    const isLengthKnown = hasLengthHeader || length !== undefined;
    this.hasBegun = true;
    this.#hasBody = !isHead && status !== 204 && status !== 304;
    this.#isChunked = this.#hasBody && !isLengthKnown;
    let head = statusLine(status) + linesOf(headers);
    if (!hasLengthHeader && isLengthKnown) head += `content-length: ${length}\r\n`;
    if (isLast) head += 'connection: close\r\n';
    if (hasDate) head += `Date: ${new Date(now()).toUTCString()}\r\n`;
    if (!isLast) head += this.#connection();
    this.isLast ||= isLast;
    this.#head = this.#isChunked ? `${head}Transfer-Encoding: chunked\r\n\r\n` : `${head}\r\n`;
  }

  flush(): void {
    if (this.#head !== '') this.#send(NOTHING, '');
  }

  write(piece: Uint8Array): boolean {
    if (this.#isEnded || !this.#hasBody || piece.length === 0) return true;
    if (!this.#isChunked) return this.#send(piece, '');
    this.#head += `${piece.length.toString(16)}\r\n`;
    return this.#send(piece, '\r\n');
  }

  end(piece: Uint8Array = NOTHING, trailers: readonly (readonly [name: string, value: string])[] = []): void {
    if (this.#isEnded) return;
    const body = this.#hasBody ? piece : NOTHING;
    let after = '';
    if (this.#isChunked) {
      if (body.length > 0) this.#head += `${body.length.toString(16)}\r\n`;
      after = `${body.length > 0 ? '\r\n' : ''}0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    }
    this.#isEnded = true;
    this.#waiting = this.#merged(body, after);
    if (this.#waiting !== undefined) {
      writeAfterReads(this, 'answer');
      return;
    }
    this.#send(body, after);
    this.#written();
  }

  goOut(): void {
    const bytes = this.#waiting;
    if (bytes === undefined || this.isGone) return;
    this.#waiting = undefined;
    this.#socket.write(bytes);
    this.listener?.onReplyWritten();
    this.#written();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #connection(): string {
    if (this.isLast) return 'Connection: close\r\n';
    return `Connection: keep-alive\r\nKeep-Alive: timeout=${this.#manners.keepAliveSeconds}\r\n`;
  }

  /** Over as soon as the network has taken it. */
  #written(): void {
    if (this.isGone) return;
    if (this.isFlushed) this.#finish();
    else this.#socket.write(NOTHING, this.#finish);
  }

  readonly #finish = (): void => {
    if (this.isSent || this.isGone) return;
    this.isSent = true;
    this.listener?.onReplyClose();
    this.#done();
  };

  /** What waits, a piece and what follows it in bytes of our own; undefined where that is too much, or nothing. */
  #merged(piece: Uint8Array, after: string): Buffer | undefined {
    const before = this.#head;
    const size = before.length + piece.length + after.length;
    if (size === 0 || size > MERGED_BYTES) return undefined;
    this.#head = '';
    const bytes = Buffer.allocUnsafe(size);
    bytes.write(before, 'latin1');
    bytes.set(piece, before.length);
    if (after !== '') bytes.write(after, before.length + piece.length, 'latin1');
    return bytes;
  }

  /** One write for what waits, a piece and what follows it. */
  #send(piece: Uint8Array, after: string): boolean {
    const socket = this.#socket;
    if (socket.destroyed || socket.writableEnded) return true;
    const merged = this.#merged(piece, after);
    if (merged !== undefined) return socket.write(merged) || this.isFlushed;
    const before = this.#head;
    this.#head = '';
    if (before.length + piece.length + after.length === 0) return true;
    socket.cork();
    if (before !== '') socket.write(Buffer.from(before, 'latin1'));
    let isTaken = socket.write(piece);
    if (after !== '') isTaken = socket.write(Buffer.from(after, 'latin1'));
    socket.uncork();
    // Streams ask to wait by size, even where the network has taken all of it.
    return isTaken || this.isFlushed;
  }
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;

function linesOf(headers: ReplyHeaders): string {
  let text = '';
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}
