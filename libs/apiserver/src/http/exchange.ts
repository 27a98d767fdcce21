import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, apiErrors } from '@capstan/meta';
import type { ApiRequest, ApiResponse, PayloadBody, RequestBody, StreamBody, UserInfo } from '@capstan/meta';
import { ConnectionLost } from '../faults/faults.js';
import type { FrontEnd } from './front-end.js';
import { acceptsGzip, reasonPhrase, wireHeaders } from './head.js';
import { writeStream } from './stream-writer.js';
import { joinTunnel } from './tunnel.js';
import { WatchWriter } from './watch-writer.js';

/** Level 1, as the real server: lists compress well at any level, and time is what clients feel. */
const GZIP_LEVEL = 1;

/** Large enough that the pauses do not show, small enough that others come in between. */
const SLICE_BYTES = 256 * 1024;

/** The request of Node with the way to its response, and the body read so far. */
export class Incoming extends IncomingMessage {
  exchange: Exchange | undefined = undefined;
  pieces: Buffer[] = [];
  size = 0;
}

/** One request as the handler sees it. */
export class HttpRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ApiRequest['headers'];
  readonly body: RequestBody | undefined;
  readonly user: UserInfo | undefined;
  readonly #exchange: Exchange;
  #abort: AbortController | undefined;

  constructor(exchange: Exchange, target: string, body: RequestBody | undefined) {
    const { req } = exchange;
    this.method = req.method ?? 'GET';
    this.target = target;
    // Only set-cookie is ever a list, and no client of an API server sends it.
    this.headers = req.headers as ApiRequest['headers'];
    this.body = body;
    this.user = exchange.user;
    this.#exchange = exchange;
  }

  /** Aborts when the client leaves. Made when first asked for: most requests are over before anybody would. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#exchange.closed) this.abort();
    }
    return this.#abort.signal;
  }

  get remoteAddress(): string | undefined {
    return this.#exchange.req.socket.remoteAddress;
  }

  /** The client left. */
  abort(): void {
    this.#abort?.abort();
  }
}

/** The response of Node with what this server has to remember beside it, so that no request needs closures. */
export class Exchange extends ServerResponse<Incoming> {
  front: FrontEnd | undefined = undefined;
  target = '';
  user: UserInfo | undefined = undefined;
  request: HttpRequest | undefined = undefined;
  watch: WatchWriter | undefined = undefined;
  stream: StreamBody | undefined = undefined;
  /** The connection of a request that may go on in another protocol. */
  upgradable: Socket | undefined = undefined;

  /** Sends whatever the handler gave, unless the client is gone. */
  answer(response: ApiResponse): void {
    const { body } = response;
    if (this.destroyed) {
      drop(body);
      return;
    }
    // Without this Node says keep-alive in two more headers; HTTP/1.1 means it anyway.
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

  #payload(response: ApiResponse, body: PayloadBody): void {
    const chunks = body.chunks();
    let size = 0;
    for (const chunk of chunks) size += chunk.length;
    const head = wireHeaders(response.headers);
    const { front, req } = this;
    if (
      front !== undefined &&
      size > front.limits.gzipOverBytes &&
      response.headers['content-encoding'] === undefined
    ) {
      head.push('Vary', 'Accept-Encoding');
      if (acceptsGzip(req.headers['accept-encoding'] as string | undefined)) {
        void this.#compressed(response.status, head, chunks).catch((error: unknown) => this.fail(error));
        return;
      }
    }
    head.push('Content-Length', String(size));
    this.#head(response.status, head);
    if (size > SLICE_BYTES && req.method !== 'HEAD') return this.#slices(slicesOf(chunks));
    const last = chunks.length - 1;
    for (let at = 0; at < last; at += 1) this.write(chunks[at]);
    this.end(chunks[last]);
  }

  /** Sends a large body as fast as it is taken: encrypted ahead, all of it would be in memory once more. */
  #slices(slices: Iterator<Uint8Array>): void {
    for (;;) {
      const { value, done } = slices.next();
      if (done === true) {
        this.end();
        return;
      }
      if (!this.write(value)) break;
    }
    this.once('drain', () => this.#slices(slices));
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
    this.end(bytes);
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
      limitBytes: front.limits.watchPendingBytes,
      onCut: (error) => front.report(error, this),
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
    // A log that says nothing yet is there all the same.
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

function* slicesOf(chunks: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) yield chunk.subarray(at, at + SLICE_BYTES);
  }
  return undefined;
}

function ownHeaders(exchange: Exchange, contentType: string, length: number): string[] {
  const given = exchange.req.headers['audit-id'];
  const head = ['Audit-Id', typeof given === 'string' && given !== '' ? given : crypto.randomUUID()];
  head.push('Cache-Control', 'no-cache, private', 'Content-Type', contentType, 'Content-Length', String(length));
  return head;
}
