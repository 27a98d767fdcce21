import { createGunzip } from 'node:zlib';
import type { Gunzip } from 'node:zlib';
import type { Body } from '@capstan/translate';
import type { ResponseHeaders } from '../upstream/response-head.js';
import type { Reply, ReplyHeaders } from './client.js';
import { Gathering } from './gathering.js';

/** The source of the bytes that are relayed, notified when relaying cannot go on. */
export interface Source {
  pause(): void;
  resume(): void;
  broke(error: unknown): void;
}

/** What a response is to become. */
export interface RelayedHead {
  readonly status: number;
  /** With the length of the body only where it is still right. */
  readonly headers: ReplyHeaders;
  readonly body: Body;
  /** The length that the server declared. */
  readonly sentBytes: number | undefined;
  /** HEAD, 204, 304. */
  readonly isBodiless: boolean;
  /** The bytes come compressed and must be opened first. */
  readonly isCompressed: boolean;
  /** Headers go out at once, and every event as soon as it is whole. */
  readonly isWatch: boolean;
}

/** Bodies up to here are sent in one piece, with their length. */
const WHOLE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const DROPPED_TRAILERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'trailer', 'host']);

/**
 * Servers send long bodies in pieces of 4 KB. Each one that is passed on wakes the client, which costs more than
 * everything else about it: what comes within this time goes as one. The end of a body, and events of a watch that are
 * whole, wait for nothing.
 */
const GATHERING_MS = 1;

/** An answer that was held whole and is larger than this must be taken in time: nothing else bounds for how long it is kept. */
const HELD_BYTES = 1024 * 1024;
/** How long that may take, and how much longer for each MiB. */
const TAKEN_MS = 60_000;
const TAKEN_PER_MIB_MS = 1000;

/** Passes one response on to a client, no faster than the client reads. */
export class Relay {
  readonly #reply: Reply;
  readonly #source: Source;
  readonly #head: RelayedHead;
  readonly #gunzip: Gunzip | undefined;
  readonly #gathering = new Gathering();
  /** Pieces that wait for the headers; undefined once those are out. */
  #early: Uint8Array[] | undefined = [];
  #earlyBytes = 0;
  /** The buffer of a whole body, which its owner will overwrite. */
  #lent: ArrayBufferLike | undefined;
  /** The body is short and will be whole in a moment. */
  readonly #isShort: boolean;
  /** What is gathered goes out when its time is up. */
  #gatheringTime: NodeJS.Timeout | undefined;
  #takenTime: NodeJS.Timeout | undefined;
  #isEnded = false;
  #isWaiting = false;
  #isAtLineEnd = true;

  constructor(reply: Reply, source: Source, head: RelayedHead) {
    this.#reply = reply;
    this.#source = source;
    this.#head = head;
    this.#isShort = !head.isWatch && (head.sentBytes ?? Infinity) <= WHOLE_BYTES;
    this.#gunzip = head.isCompressed ? this.#opener() : undefined;
    if (head.isWatch) {
      this.#begin(undefined);
      reply.flush();
    }
  }

  /** Whether a watch may be ended here without cutting an event in two. */
  get isAtLineEnd(): boolean {
    return this.#isAtLineEnd;
  }

  /** More of the body, as the server sent it; the bytes belong to their owner again once this returns. */
  data(chunk: Buffer): void {
    if (this.#isEnded) return;
    if (this.#gunzip !== undefined) {
      if (!this.#gunzip.write(Buffer.from(chunk))) this.#source.pause();
      return;
    }
    if (chunk.length === this.#head.sentBytes && this.#isShort) {
      // The end follows before this returns to the owner of the bytes.
      this.#lent = chunk.buffer;
      this.#push(chunk);
      return;
    }
    for (let at = 0; at < chunk.length;) {
      at += this.#gathering.take(chunk, at);
      if (this.#gathering.isFull) this.#translate();
    }
  }

  /** One read of the connection is done, perhaps within something that was written as one: what there is goes out, soon. */
  flush(isWithinChunk: boolean): void {
    if (this.#isEnded || this.#isShort) return;
    if (this.#head.isWatch) {
      // Nobody can do anything with a part of an event but be woken for it.
      if (!isWithinChunk || this.#gathering.bytes()?.includes(NEWLINE) === true) this.#translate();
    } else this.#gatheringTime ??= setTimeout(this.#gatheredEnough, GATHERING_MS);
  }

  /** The client takes more. */
  drained(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#gunzip?.resume();
    this.#source.resume();
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
    this.#isEnded = true;
    clearTimeout(this.#gatheringTime);
    clearTimeout(this.#takenTime);
    this.#gathering.drop();
    this.#gunzip?.destroy();
  }

  readonly #gatheredEnough = (): void => {
    this.#gatheringTime = undefined;
    if (!this.#isEnded) this.#translate();
  };

  #opener(): Gunzip {
    const gunzip = createGunzip();
    gunzip.on('data', (chunk: Buffer) => {
      this.#push(chunk);
      if (this.#early !== undefined && !this.#isShort) this.#release();
    });
    gunzip.on('drain', () => this.#source.resume());
    gunzip.on('error', (error) => this.#source.broke(error));
    return gunzip;
  }

  /** Sends on what was gathered. */
  #translate(): void {
    const bytes = this.#gathering.bytes();
    const isPushed = bytes === undefined || this.#push(bytes);
    if (isPushed && this.#early !== undefined && !this.#isShort) this.#release();
    this.#gathered();
  }

  /** The buffer is free unless bytes of it wait: here, in the translation or in the network. */
  #gathered(): void {
    const { body } = this.#head;
    const isKept = this.#early !== undefined || (body !== 'pass' && body.keepsNothing !== true);
    this.#gathering.done(!isKept && this.#reply.isFlushed);
  }

  #push(chunk: Buffer): boolean {
    const { body } = this.#head;
    if (body === 'pass') {
      this.#write(chunk);
      return true;
    }
    let ready: Uint8Array[];
    try {
      ready = body.push(chunk);
    } catch (error) {
      this.#source.broke(error);
      return false;
    }
    for (const piece of ready) this.#write(piece);
    return true;
  }

  #write(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#early !== undefined) {
      this.#early.push(piece);
      this.#earlyBytes += piece.length;
      if (!this.#isShort && this.#earlyBytes > WHOLE_BYTES) this.#release();
      return;
    }
    if (this.#head.isWatch) this.#isAtLineEnd = piece[piece.length - 1] === NEWLINE;
    if (!this.#reply.write(piece)) this.#wait();
  }

  /** The client does not keep up. */
  #wait(): void {
    this.#isWaiting = true;
    this.#source.pause();
    // What was opened is larger than what came: it must wait as well.
    this.#gunzip?.pause();
  }

  #finish(trailers: ResponseHeaders | undefined): void {
    const bytes = this.#gathering.bytes();
    if (this.#isEnded || (bytes !== undefined && !this.#push(bytes)) || !this.#endBody()) return;
    this.#isEnded = true;
    clearTimeout(this.#gatheringTime);
    if (trailers === undefined && this.#early !== undefined) {
      const whole = this.#whole(this.#early);
      this.#begin(this.#earlyBytes);
      this.#reply.end(whole);
    } else {
      if (this.#early !== undefined) this.#release();
      this.#reply.end(undefined, trailers && trailersOf(trailers));
    }
    this.#gathered();
    this.#awaitTaken();
  }

  /** The client must take what is kept for it. */
  #awaitTaken(): void {
    const { body } = this.#head;
    const held = body === 'pass' ? 0 : body.peak;
    if (held <= HELD_BYTES || this.#reply.isSent) return;
    const limitMs = TAKEN_MS + (held / HELD_BYTES) * TAKEN_PER_MIB_MS;
    this.#takenTime = setTimeout(() => this.#reply.destroy(), limitMs);
    this.#takenTime.unref();
  }

  /** All pieces as one, of which the bytes are ours. */
  #whole(early: readonly Uint8Array[]): Uint8Array | undefined {
    const [first] = early;
    if (early.length > 1) return Buffer.concat(early);
    return first?.buffer === this.#lent && first !== undefined ? Buffer.from(first) : first;
  }

  #endBody(): boolean {
    const { body } = this.#head;
    if (body === 'pass') return true;
    try {
      for (const piece of body.end()) this.#write(piece);
      return true;
    } catch (error) {
      this.#source.broke(error);
      return false;
    }
  }

  /** Sends the headers and what waited for them. */
  #release(): void {
    const early = this.#early ?? [];
    this.#begin(undefined);
    for (const piece of early) this.#write(piece);
    if (early.length === 0) this.#reply.flush();
  }

  /** With a length where all of the body is known. */
  #begin(length: number | undefined): void {
    const { status, headers, isBodiless } = this.#head;
    this.#reply.begin({ status, headers, length: isBodiless ? undefined : length, hasDate: false, isLast: false });
    this.#early = undefined;
  }
}

function trailersOf(trailers: ResponseHeaders): [string, string][] {
  return Object.entries(trailers)
    .filter(([name]) => !DROPPED_TRAILERS.has(name))
    .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
}
