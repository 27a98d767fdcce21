import { ProxyError } from '../errors.js';
import type { ResponseHeaders } from './response-head.js';
import { readHead, readTrailer } from './response-head.js';

/** Receives what arrives on a connection, in this order: head, data, end. */
export interface ResponseListener {
  /** Something before the answer: 103 and the like. */
  onInterim?(status: number, headers: ResponseHeaders): void;
  onHead(status: number, headers: ResponseHeaders): void;
  /** Bytes that are overwritten once this returns. */
  onData(chunk: Buffer): void;
  onEnd(trailers: ResponseHeaders | undefined): void;
  /** The connection speaks another protocol from here on. */
  onUpgrade(headers: ResponseHeaders, rest: Buffer): void;
}

/** What a response is asked for by: it decides whether there is a body. */
export interface ResponseExpectation {
  readonly isHead: boolean;
  readonly isUpgrade: boolean;
}

const BODY: ResponseExpectation = { isHead: false, isUpgrade: false };
const NO_BODY: ResponseExpectation = { isHead: true, isUpgrade: false };

/** What a request with this method is answered with. */
export function expectationOf(method: string): ResponseExpectation {
  return method === 'HEAD' ? NO_BODY : BODY;
}

type State =
  | 'idle'
  | 'head'
  | 'length'
  | 'chunk-size'
  | 'chunk-data'
  | 'chunk-end'
  | 'trailers'
  | 'until-close'
  | 'done';

const LF = 0x0a;
const CR = 0x0d;
const MAX_HEAD_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const MAX_DIGITS = 12;
const CHUNK_SIZE = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;[^\r\n]*)?$/;

/** Reads the responses of one HTTP/1.1 connection. Bytes of bodies are handed on where they are, without a copy. */
export class ResponseParser {
  #state: State = 'idle';
  #listener: ResponseListener | undefined;
  #expectation = BODY;
  #held: Buffer = NOTHING;
  #left = 0;
  #trailers: Record<string, string | string[]> | undefined;
  #canReuse = true;

  /** Whether the connection can carry another request once this one is done. */
  get canReuse(): boolean {
    return this.#canReuse;
  }

  /** Whether a response is under way. */
  get isBusy(): boolean {
    return this.#state !== 'idle' && this.#state !== 'done';
  }

  /** Whether more is to come of what the server wrote as one. */
  get isWithinChunk(): boolean {
    return this.#state === 'chunk-data';
  }

  /** The next response is for this listener. */
  expect(listener: ResponseListener, expectation: ResponseExpectation): void {
    this.#listener = listener;
    this.#expectation = expectation;
    this.#state = 'head';
    this.#trailers = undefined;
  }

  /** Nothing expires any more. */
  abandon(): void {
    this.#listener = undefined;
  }

  /** Takes bytes of the connection. */
  push(chunk: Buffer): void {
    if (this.#state === 'idle' || this.#state === 'done')
      throw new ProxyError('bad-response', 'the server sent bytes without a request');
    let at = 0;
    let rest = chunk;
    if (this.#held.length > 0) {
      rest = Buffer.concat([this.#held, chunk]);
      this.#held = NOTHING;
    }
    while (at < rest.length) {
      const next = this.#step(rest, at);
      if (next < 0) {
        this.#hold(rest, at);
        return;
      }
      at = next;
    }
  }

  /** The other side has ended the connection; true when the response was whole. */
  close(): boolean {
    if (this.#state !== 'until-close') return !this.isBusy;
    this.#finish();
    return true;
  }

  /** One piece from there; gives where it ended, or -1 when more bytes are needed. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#head(bytes, at);
      case 'length':
      case 'chunk-data':
        return this.#body(bytes, at);
      case 'chunk-size':
        return this.#chunkSize(bytes, at);
      case 'chunk-end':
        return this.#chunkEnd(bytes, at);
      case 'trailers':
        return this.#trailer(bytes, at);
      case 'until-close':
        this.#listener?.onData(at === 0 ? bytes : bytes.subarray(at));
        return bytes.length;
      case 'idle':
      case 'done':
        throw new ProxyError('bad-response', 'the server sent more than one response');
    }
  }

  #hold(bytes: Buffer, at: number): void {
    const limit = this.#state === 'head' ? MAX_HEAD_BYTES : MAX_LINE_BYTES;
    if (bytes.length - at > limit)
      throw new ProxyError('bad-response', `the server sent a head or line of more than ${limit} bytes`);
    // What is held must not keep a whole piece of the connection alive.
    this.#held = Buffer.from(bytes.subarray(at));
  }

  #head(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(HEAD_END, at);
    if (end < 0) return -1;
    const { status, headers, isOldVersion } = readHead(bytes.toString('latin1', at, end));
    const next = end + HEAD_END.length;
    if (status === 101) return this.#upgrade(headers, bytes, next);
    if (status < 200) {
      // The proxy sent 100 itself; the client did not ask the server.
      if (status !== 100) this.#listener?.onInterim?.(status, headers);
      return next;
    }
    this.#frame(status, headers, isOldVersion);
    const isEmpty = this.#state === 'done';
    this.#listener?.onHead(status, headers);
    if (isEmpty) this.#finish();
    return next;
  }

  #upgrade(headers: ResponseHeaders, bytes: Buffer, next: number): number {
    if (!this.#expectation.isUpgrade)
      throw new ProxyError('bad-response', 'the server changed the protocol without being asked');
    this.#canReuse = false;
    this.#state = 'done';
    this.#listener?.onUpgrade(headers, bytes.subarray(next));
    return bytes.length;
  }

  /** How long the body is. */
  #frame(status: number, headers: ResponseHeaders, isOldVersion: boolean): void {
    const connection = String(headers['connection'] ?? '').toLowerCase();
    this.#canReuse = isOldVersion ? connection.includes('keep-alive') : !connection.includes('close');
    const [coding, length] = [headers['transfer-encoding'], headers['content-length']];
    if (this.#expectation.isHead || status === 204 || status === 304) this.#state = 'done';
    else if (coding === undefined && length === undefined) {
      this.#state = 'until-close';
      this.#canReuse = false;
    } else if (coding === undefined) {
      this.#left = lengthOf(length);
      this.#state = this.#left === 0 ? 'done' : 'length';
    } else {
      if (String(coding).toLowerCase() !== 'chunked' || length !== undefined) throw unclear();
      this.#state = 'chunk-size';
    }
  }

  #body(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    const isWhole = this.#left === 0;
    const wasLength = this.#state === 'length';
    if (isWhole) this.#state = wasLength ? 'done' : 'chunk-end';
    this.#listener?.onData(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    if (isWhole && wasLength) this.#finish();
    return end;
  }

  #chunkSize(bytes: Buffer, at: number): number {
    let [size, next] = [0, at];
    for (let digit = hexOf(bytes[next]); digit >= 0 && next - at < MAX_DIGITS; digit = hexOf(bytes[(next += 1)]))
      size = size * 16 + digit;
    // Nearly all lines say nothing else.
    if (next === at || bytes[next] !== CR || bytes[next + 1] !== LF) return this.#unusualChunkSize(bytes, at);
    this.#beginChunk(size);
    return next + 2;
  }

  #unusualChunkSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    if (end < 0) return -1;
    const found = CHUNK_SIZE.exec(lineOf(bytes, at, end));
    if (found === null) throw new ProxyError('bad-response', 'the server sent a chunk without a size');
    this.#beginChunk(Number.parseInt(found[1] ?? '', 16));
    return end + 1;
  }

  #beginChunk(size: number): void {
    this.#left = size;
    this.#state = size === 0 ? 'trailers' : 'chunk-data';
  }

  #chunkEnd(bytes: Buffer, at: number): number {
    if (bytes.length - at < 2) return -1;
    if (bytes[at] !== CR || bytes[at + 1] !== LF)
      throw new ProxyError('bad-response', 'the server sent a chunk that is longer than its declared size');
    this.#state = 'chunk-size';
    return at + 2;
  }

  #trailer(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    if (end < 0) return -1;
    const line = lineOf(bytes, at, end);
    if (line === '') {
      this.#state = 'done';
      this.#finish();
    } else this.#trailers = readTrailer(this.#trailers, line);
    return end + 1;
  }

  #finish(): void {
    this.#state = 'done';
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onEnd(this.#trailers);
  }
}

function unclear(): ProxyError {
  return new ProxyError('bad-response', 'the headers of the server give no valid length of its answer');
}

function lengthOf(header: string | string[] | undefined): number {
  if (typeof header !== 'string' || !/^[0-9]{1,15}$/.test(header)) throw unclear();
  return Number(header);
}

/** What a digit is worth; below zero where it is none. */
function hexOf(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

function lineOf(bytes: Buffer, at: number, end: number): string {
  if (end === at || bytes[end - 1] !== CR) throw new ProxyError('bad-response', 'the server ends lines without CR');
  return bytes.toString('latin1', at, end - 1);
}
