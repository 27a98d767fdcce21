import type { IncomingMessage } from 'node:http';
import type { Body } from '@capstan/translate';
import { ProxyError } from '../errors.js';
import type { Wire } from '../upstream/wire.js';

/** Bodies up to here are sent in one piece, with their length, and can be sent again. */
const WHOLE_BYTES = 64 * 1024;
const CRLF = Buffer.from('\r\n');

/** The beginning of a body, or all of it. */
export interface Gathered {
  readonly isWhole: boolean;
  readonly bytes: Buffer;
}

/** Told how the rest of a body goes. */
export interface StreamListener {
  readonly fail: (error: unknown) => void;
  readonly sent: () => void;
}

/** Whether a request announces a body. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Takes a body from its client through its translation. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #body: Body;

  constructor(request: IncomingMessage, body: Body) {
    this.#request = request;
    this.#body = body;
  }

  /** Reads until the end, or until there is too much to wait for. */
  gather(): Promise<Gathered> {
    const request = this.#request;
    const chunks: Uint8Array[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        request.removeListener('data', onData).removeListener('end', onEnd).removeListener('close', onClose);
      };
      const take = (pieces: () => readonly Uint8Array[]): boolean => {
        try {
          for (const piece of pieces()) {
            chunks.push(piece);
            size += piece.length;
          }
          return true;
        } catch (error) {
          leave();
          reject(error as Error);
          return false;
        }
      };
      const settle = (isWhole: boolean): void => {
        leave();
        resolve({ isWhole, bytes: Buffer.concat(chunks) });
      };
      const onData = (chunk: Buffer): void => {
        if (!take(() => this.#pushed(chunk)) || size <= WHOLE_BYTES) return;
        request.pause();
        settle(false);
      };
      const onEnd = (): void => {
        if (take(() => this.#rest())) settle(true);
      };
      const onClose = (): void => {
        leave();
        reject(new ProxyError('client-gone', 'the client left before its request was whole'));
      };
      request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }

  /** Sends what comes after the beginning; returns what the wire calls when it takes more. */
  stream(wire: Wire, isChunked: boolean, { fail, sent }: StreamListener): () => void {
    const request = this.#request;
    const write = (pieces: readonly Uint8Array[]): void => {
      let isTaken = true;
      wire.cork();
      for (const piece of pieces)
        if (piece.length > 0) isTaken = isChunked ? writeChunk(wire, piece) : wire.write(piece);
      wire.uncork();
      if (!isTaken) request.pause();
    };
    request.on('data', (chunk: Buffer) => attempt(fail, () => write(this.#pushed(chunk))));
    request.on('end', () =>
      attempt(fail, () => {
        write(this.#rest());
        if (isChunked) wire.write(lastChunk(request.trailers));
        wire.sent();
        sent();
      }),
    );
    request.resume();
    return () => request.resume();
  }

  #pushed(chunk: Buffer): readonly Uint8Array[] {
    return this.#body === 'pass' ? [chunk] : this.#body.push(chunk);
  }

  #rest(): readonly Uint8Array[] {
    return this.#body === 'pass' ? [] : this.#body.end();
  }
}

function attempt(fail: (error: unknown) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    fail(error);
  }
}

/** One piece of a body whose length nobody knows. */
export function writeChunk(wire: Pick<Wire, 'write'>, piece: Uint8Array): boolean {
  wire.write(Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1'));
  wire.write(piece);
  return wire.write(CRLF);
}

/** A whole body as one chunk, with what follows it. */
export function asChunk(bytes: Buffer, trailers: IncomingMessage['trailers']): Buffer {
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1');
  return Buffer.concat([...(bytes.length === 0 ? [] : [size, bytes, CRLF]), lastChunk(trailers)]);
}

function lastChunk(trailers: IncomingMessage['trailers']): Buffer {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value ?? ''}\r\n`);
  return Buffer.from(`0\r\n${lines.join('')}\r\n`, 'latin1');
}
