import type { ServerResponse } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { Gunzip } from 'node:zlib';
import type { Body } from '@capstan/translate';
import type { ResponseHeaders } from '../upstream/response-head.js';

/** Whoever sends the bytes that are relayed, and is told when that cannot go on. */
export interface Source {
  pause(): void;
  resume(): void;
  broke(error: unknown): void;
}

/** What a response is to become. */
export interface RelayedHead {
  readonly status: number;
  /** With the length of the body only where it is still right. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Body;
  /** What the server said about its length. */
  readonly sentBytes: number | undefined;
  /** HEAD, 204, 304. */
  readonly isBodiless: boolean;
  /** The bytes come compressed and must be opened first. */
  readonly isCompressed: boolean;
  /** Headers and every piece go out at once. */
  readonly isWatch: boolean;
}

/** Bodies up to here are sent in one piece, with their length. */
const WHOLE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const DROPPED_TRAILERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'trailer', 'host']);

/** Passes one response on to a client, no faster than the client reads. */
export class Relay {
  readonly #response: ServerResponse;
  readonly #source: Source;
  readonly #head: RelayedHead;
  readonly #gunzip: Gunzip | undefined;
  /** Pieces that wait for the headers; undefined once those are out. */
  #early: Uint8Array[] | undefined = [];
  #earlyBytes = 0;
  /** The body is short and will be whole in a moment. */
  readonly #isShort: boolean;
  #isEnded = false;
  #isWaiting = false;
  #isAtLineEnd = true;

  constructor(response: ServerResponse, source: Source, head: RelayedHead) {
    this.#response = response;
    this.#source = source;
    this.#head = head;
    this.#isShort = !head.isWatch && (head.sentBytes ?? Infinity) <= WHOLE_BYTES;
    this.#gunzip = head.isCompressed ? this.#opener() : undefined;
    if (head.isWatch) {
      this.#writeHead(undefined);
      response.flushHeaders();
    }
  }

  /** Whether a watch may be ended here without cutting an event in two. */
  get isAtLineEnd(): boolean {
    return this.#isAtLineEnd;
  }

  /** More of the body, as the server sent it. */
  data(chunk: Buffer): void {
    if (this.#gunzip === undefined) this.#translate(chunk);
    else if (!this.#gunzip.write(chunk)) this.#source.pause();
  }

  /** One read of the connection is done: what there is goes out. */
  flush(): void {
    if (this.#early === undefined || this.#isEnded || this.#isShort) return;
    this.#release(undefined);
  }

  /** The body is whole. */
  end(trailers: ResponseHeaders | undefined): void {
    if (this.#gunzip === undefined) this.#finish(trailers);
    else {
      this.#gunzip.once('end', () => this.#finish(trailers));
      this.#gunzip.end();
    }
  }

  /** Gives up what is under way inside. */
  stop(): void {
    this.#gunzip?.destroy();
  }

  #opener(): Gunzip {
    const gunzip = createGunzip();
    gunzip.on('data', (chunk: Buffer) => {
      this.#translate(chunk);
      this.flush();
    });
    gunzip.on('drain', () => this.#source.resume());
    gunzip.on('error', (error) => this.#source.broke(error));
    return gunzip;
  }

  #translate(chunk: Buffer): void {
    const { body } = this.#head;
    if (body === 'pass') {
      this.#write(chunk);
      return;
    }
    let ready: Uint8Array[];
    try {
      ready = body.push(chunk);
    } catch (error) {
      this.#source.broke(error);
      return;
    }
    for (const piece of ready) this.#write(piece);
  }

  #write(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#early !== undefined) {
      this.#early.push(piece);
      this.#earlyBytes += piece.length;
      return;
    }
    if (this.#head.isWatch) this.#isAtLineEnd = piece[piece.length - 1] === NEWLINE;
    if (!this.#response.write(piece)) this.#wait();
  }

  /** The client does not keep up. */
  #wait(): void {
    this.#source.pause();
    // What was opened is larger than what came: it must wait as well.
    this.#gunzip?.pause();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#response.once('drain', () => {
      this.#isWaiting = false;
      this.#gunzip?.resume();
      this.#source.resume();
    });
  }

  #finish(trailers: ResponseHeaders | undefined): void {
    const { body } = this.#head;
    if (body !== 'pass') {
      let rest: Uint8Array[];
      try {
        rest = body.end();
      } catch (error) {
        this.#source.broke(error);
        return;
      }
      for (const piece of rest) this.#write(piece);
    }
    this.#isEnded = true;
    if (this.#early !== undefined && trailers === undefined) this.#release(this.#earlyBytes);
    else if (this.#early !== undefined) this.#release(undefined);
    if (trailers !== undefined) this.#response.addTrailers(trailersOf(trailers));
    this.#response.end();
  }

  /** Sends the headers and what waited for them. */
  #release(length: number | undefined): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#writeHead(length);
    const [first, ...more] = early;
    if (length !== undefined) {
      this.#response.end(more.length === 0 ? first : Buffer.concat(early));
      return;
    }
    for (const piece of early) this.#write(piece);
    if (early.length === 0) this.#response.flushHeaders();
  }

  /** With a length where all of the body is known. */
  #writeHead(length: number | undefined): void {
    const { status, headers, isBodiless } = this.#head;
    const list: (string | string[])[] = [];
    for (const name of Object.keys(headers)) {
      const value = headers[name];
      if (value !== undefined) list.push(name, typeof value === 'string' ? value : [...value]);
    }
    if (length !== undefined && !isBodiless && headers['content-length'] === undefined)
      list.push('content-length', String(length));
    this.#response.sendDate = false;
    this.#response.writeHead(status, list as string[]);
    this.#early = undefined;
  }
}

function trailersOf(trailers: ResponseHeaders): [string, string][] {
  return Object.entries(trailers)
    .filter(([name]) => !DROPPED_TRAILERS.has(name))
    .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
}
