import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, apiErrors } from '@capstan/meta';
import type { ApiResponse, PayloadBody, StreamBody, UserInfo } from '@capstan/meta';
import { ConnectionLost } from '../faults/faults.js';
import type { FrontEnd } from './front-end.js';
import type { HttpRequest, Incoming } from './http-request.js';
import { acceptsGzip, reasonPhrase, wireHeaders } from './head.js';
import {
  GZIP_LEVEL,
  openPieces,
  resumed,
  sendCompressed,
  sendPieces,
  SLICE_BYTES,
  slicesOf,
  type Taker,
} from './long-answer.js';
import { drained, writeStream } from './stream-writer.js';
import { ANSWER_WINDOW_BYTES, type Holder } from './traffic.js';
import { joinTunnel } from './tunnel.js';
import { eventLoopTurns } from './turns.js';
import { WatchWriter } from './watch-writer.js';

/** The response of Node with the state of its exchange, so that no request needs closures. */
export class Exchange extends ServerResponse<Incoming> implements Holder, Taker {
  front: FrontEnd | undefined = undefined;
  /** When it began, by the monotonic clock. */
  begunMs = 0;
  heldBytes = 0;
  target = '';
  user: UserInfo | undefined = undefined;
  request: HttpRequest | undefined = undefined;
  watch: WatchWriter | undefined = undefined;
  stream: StreamBody | undefined = undefined;
  /** The connection of a request that may go on in another protocol. */
  upgradable: Socket | undefined = undefined;
  #unsentBytes = 0;
  /** What lives for this answer alone. */
  #ownBytes = 0;

  /** Sends whatever the handler gave, unless the client is gone. */
  answer(response: ApiResponse): void {
    const { body } = response;
    if (this.destroyed) {
      drop(body);
      return;
    }
    // Without this Node adds two keep-alive headers; HTTP/1.1 means it anyway.
    if (this.shouldKeepAlive) this.removeHeader('connection');
    if (body.type === 'payload') return this.#payload(response, body);
    if (body.type === 'watch') return this.#stream(response);
    if (body.type === 'stream') return this.#pour(response, body);
    if (body.type === 'upgrade') return this.#tunnel(response, body.connection);
    const head = wireHeaders(response.headers);
    if (response.status !== 204 && response.status !== 304) head.push('Content-Length', '0');
    this.#head(response.status, head);
    this.end();
  }

  /** Turns what the handler threw into an answer. */
  fail(error: unknown): void {
    if (this.destroyed) return;
    if (error instanceof ConnectionLost) {
      this.destroy();
      return;
    }
    if (!(error instanceof ApiError)) this.front?.report(error, this);
    if (this.headersSent) {
      this.destroy();
      return;
    }
    const text = error instanceof Error ? error.message : String(error);
    this.status(error instanceof ApiError ? error : apiErrors.internal(text));
  }

  /** Answers with a Status of this front end's own. */
  status(error: ApiError): void {
    const bytes = Buffer.from(JSON.stringify(error.status));
    const head = ownHeaders(this, 'application/json', bytes.length);
    const retryAfter = error.status.details?.retryAfterSeconds;
    if (retryAfter !== undefined) head.push('Retry-After', String(retryAfter));
    this.#head(error.code, head);
    this.end(bytes);
  }

  /**
   * Answers and hangs up although the request may still be coming. Hanging up at once would reset the connection and
   * take the answer with it, so the rest is read and dropped for a moment.
   */
  refuse(code: number, contentType: string, text: string): void {
    const bytes = Buffer.from(text);
    this.shouldKeepAlive = false;
    this.#head(code, ownHeaders(this, contentType, bytes.length));
    const { req } = this;
    if (req.complete) {
      this.end(bytes);
      return;
    }
    this.write(bytes);
    req.removeAllListeners('data');
    req.resume();
    const timer = setTimeout(() => this.end(), this.front?.limits.lingerMs ?? 0);
    req.once('close', () => {
      clearTimeout(timer);
      this.end();
    });
  }

  /** Gives the reader more of a long answer; resolves when it wants more, or is gone. */
  async take(bytes: Uint8Array): Promise<void> {
    if (this.destroyed) return;
    const held = (): void =>
      this.front?.traffic.hold(this, this.#ownBytes + Math.max(ANSWER_WINDOW_BYTES, this.#unsentBytes));
    this.#unsentBytes += bytes.length;
    held();
    const isTaken = this.write(bytes, () => {
      this.#unsentBytes -= bytes.length;
      if (!this.destroyed) held();
    });
    if (!isTaken) await drained(this);
  }

  #payload(response: ApiResponse, body: PayloadBody): void {
    const { ownBytes = 0 } = body;
    if (ownBytes > SLICE_BYTES) {
      const isRead = this.req.method === 'GET' || this.req.method === 'HEAD';
      if (this.front?.traffic.admitOwn(this, ownBytes, isRead) === false) return this.#tooManyRequests();
      this.#ownBytes = ownBytes;
    }
    const pieces = body.pieces?.();
    if (pieces !== undefined) return this.#open(response, pieces, []);
    const chunks = body.chunks();
    let size = 0;
    for (const chunk of chunks) size += chunk.length;
    if (size <= SLICE_BYTES) return this.#short(response, chunks, size);
    this.#long(response, slicesOf(chunks), size).catch((error: unknown) => this.fail(error));
  }

  /** What turns out to be one piece is sent as such. */
  #open(response: ApiResponse, pieces: Iterator<Uint8Array, void>, opening: Uint8Array[]): void {
    if (this.destroyed) return;
    const found = openPieces(pieces, opening, eventLoopTurns);
    if (found === 'whole') return this.#short(response, opening, opening[0]?.length ?? 0);
    const sent =
      found === 'long'
        ? this.#long(response, resumed(opening, pieces), undefined)
        : eventLoopTurns.next().then(() => this.#open(response, pieces, opening));
    sent.catch((error: unknown) => this.fail(error));
  }

  #short(response: ApiResponse, chunks: readonly Uint8Array[], size: number): void {
    const head = wireHeaders(response.headers);
    if (this.#compresses(response, head, size)) {
      this.#compressed(response.status, head, chunks).catch((error: unknown) => this.fail(error));
      return;
    }
    head.push('Content-Length', String(size));
    this.#head(response.status, head);
    const last = chunks.length - 1;
    for (let at = 0; at < last; at += 1) this.write(chunks[at]);
    this.#endWith(chunks[last]);
  }

  /** A reader that does not take the end of its answer is counted for as long as it does not. */
  #endWith(bytes: Uint8Array | undefined): void {
    this.end(bytes);
    if (this.writableLength > 0) this.front?.traffic.hold(this, this.#ownBytes + this.writableLength);
  }

  /** Whether an answer of this size is compressed; the Vary header shows caches that the request decides it. */
  #compresses(response: ApiResponse, head: string[], size: number): boolean {
    const { front, req } = this;
    const isSmall = front === undefined || size <= front.limits.gzipOverBytes;
    if (isSmall || response.headers['content-encoding'] !== undefined) return false;
    head.push('Vary', 'Accept-Encoding');
    return acceptsGzip(req.headers['accept-encoding'] as string | undefined);
  }

  /** Sends a long body as fast as it is taken; `size` where that is known. */
  async #long(response: ApiResponse, pieces: Iterator<Uint8Array, void>, size: number | undefined): Promise<void> {
    const { front, req } = this;
    if (front === undefined) return;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (req.method !== 'HEAD' && !(await front.traffic.admit(this, isRead))) return this.#tooManyRequests();
    // The client left while it waited: its end is reported to nobody any more.
    if (this.destroyed) return front.traffic.hold(this, 0);
    const head = wireHeaders(response.headers);
    const isCompressed = this.#compresses(response, head, size ?? Infinity);
    if (isCompressed) head.push('Content-Encoding', 'gzip');
    else if (size !== undefined) head.push('Content-Length', String(size));
    this.#head(response.status, head);
    if (req.method === 'HEAD') this.end();
    else await (isCompressed ? sendCompressed : sendPieces)(this, pieces, eventLoopTurns);
  }

  /** In the words of the real server when its queues are full. */
  #tooManyRequests(): void {
    const bytes = Buffer.from('Too many requests, please try again later.\n');
    const head = ownHeaders(this, 'text/plain; charset=utf-8', bytes.length);
    head.push('Retry-After', '1', 'X-Content-Type-Options', 'nosniff');
    this.#head(429, head);
    this.end(bytes);
  }

  async #compressed(status: number, head: string[], chunks: readonly Uint8Array[]): Promise<void> {
    const { gzip } = await import('node:zlib');
    const whole = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      gzip(whole, { level: GZIP_LEVEL }, (error, out) => (error === null ? resolve(out) : reject(error)));
    });
    if (this.destroyed) return;
    head.push('Content-Encoding', 'gzip', 'Content-Length', String(bytes.length));
    this.#head(status, head);
    this.#endWith(bytes);
  }

  #stream(response: ApiResponse): void {
    const { body } = response;
    const { front, req } = this;
    if (body.type !== 'watch' || front === undefined) return;
    this.#head(response.status, wireHeaders(response.headers));
    if (req.method === 'HEAD' || front.isClosing) {
      body.stop();
      this.end();
      return;
    }
    this.flushHeaders();
    this.watch = new WatchWriter(this, body, {
      batch: front.batch,
      backlog: front.traffic.watchBacklog,
      limitBytes: front.limits.watchPendingBytes,
      onCut: (error, reason) => {
        if (reason !== undefined) front.traffic.cut(reason);
        front.report(error, this);
      },
    });
    front.watches.add(this.watch);
    this.watch.start();
  }

  #pour(response: ApiResponse, body: StreamBody): void {
    const { front, req } = this;
    this.#head(response.status, wireHeaders(response.headers));
    if (req.method === 'HEAD' || front?.isClosing === true) {
      body.cancel();
      this.end();
      return;
    }
    this.stream = body;
    front?.streams.add(this);
    // A log that is still empty exists all the same.
    this.flushHeaders();
    writeStream(this, body).catch((error: unknown) => this.fail(error));
  }

  /** From here on the connection is not ours to understand. */
  #tunnel(response: ApiResponse, far: Duplex): void {
    const { front, upgradable: socket } = this;
    if (socket === undefined || front === undefined) {
      far.destroy();
      return this.fail(apiErrors.badRequest('Upgrade request required'));
    }
    const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`];
    const head = wireHeaders(response.headers);
    for (let at = 0; at < head.length; at += 2) lines.push(`${head[at]}: ${head[at + 1]}`);
    this.detachSocket(socket);
    socket.on('close', () => front.closed(this));
    front.tunnels.add(socket);
    socket.on('close', () => front.tunnels.delete(socket));
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    joinTunnel(socket, far);
  }

  #head(status: number, head: string[]): void {
    const phrase = reasonPhrase(status);
    if (phrase === undefined) this.writeHead(status, head);
    else this.writeHead(status, phrase, head);
  }
}

/** Lets go of what nobody will read. */
function drop(body: ApiResponse['body']): void {
  if (body.type === 'watch') body.stop();
  else if (body.type === 'stream') body.cancel();
  else if (body.type === 'upgrade') body.connection.destroy();
}

function ownHeaders(exchange: Exchange, contentType: string, length: number): string[] {
  const given = exchange.req.headers['audit-id'];
  const head = ['Audit-Id', typeof given === 'string' && given !== '' ? given : crypto.randomUUID()];
  head.push('Cache-Control', 'no-cache, private', 'Content-Type', contentType, 'Content-Length', String(length));
  return head;
}
