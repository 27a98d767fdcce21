import { SpdyError } from './errors.js';

export const FRAME = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** Why a stream was reset. */
export const RESET = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5 } as const;

export const FLAG_FIN = 1;

const VERSION = 3;
const CONTROL = 0x8000;
const HEAD_BYTES = 8;
const STREAM_ID_MASK = 0x7fff_ffff;
/** No control frame of an honest peer comes near this. */
const MAX_CONTROL_BYTES = 1024 * 1024;

/** A frame that is not data, whole. */
export interface ControlFrame {
  readonly kind: 'control';
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** A piece of a data frame; pieces are passed on as they come, however long the frame is. */
export interface DataPiece {
  readonly kind: 'data';
  readonly streamId: number;
  readonly bytes: Buffer;
  /** The last piece of the last frame of its stream. */
  readonly isLast: boolean;
}

/** Cuts a stream of bytes into frames, wherever the chunks end. */
export class FrameReader {
  #buffered: Buffer = Buffer.alloc(0);
  #data: { readonly streamId: number; readonly isFinal: boolean; left: number } | undefined;

  /** Takes what came; gives what is complete. */
  *push(chunk: Buffer): Generator<ControlFrame | DataPiece> {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    for (;;) {
      const frame = this.#data === undefined ? this.#next() : this.#piece(this.#data);
      if (frame === undefined) return;
      if (frame !== 'again') yield frame;
    }
  }

  #take(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return taken;
  }

  #next(): ControlFrame | 'again' | undefined {
    const head = this.#buffered;
    if (head.length < HEAD_BYTES) return undefined;
    const length = head.readUIntBE(5, 3);
    const flags = head.readUInt8(4);
    const first = head.readUInt16BE(0);
    if ((first & CONTROL) === 0) {
      this.#data = {
        streamId: head.readUInt32BE(0) & STREAM_ID_MASK,
        isFinal: (flags & FLAG_FIN) !== 0,
        left: length,
      };
      this.#take(HEAD_BYTES);
      return 'again';
    }
    if ((first & ~CONTROL) !== VERSION) throw new SpdyError(`frame of version ${first & ~CONTROL}`);
    if (length > MAX_CONTROL_BYTES) throw new SpdyError(`control frame of ${length} bytes`);
    if (head.length < HEAD_BYTES + length) return undefined;
    const type = head.readUInt16BE(2);
    this.#take(HEAD_BYTES);
    return { kind: 'control', type, flags, payload: this.#take(length) };
  }

  #piece(data: { readonly streamId: number; readonly isFinal: boolean; left: number }): DataPiece | undefined {
    if (data.left > 0 && this.#buffered.length === 0) return undefined;
    const bytes = this.#take(Math.min(data.left, this.#buffered.length));
    data.left -= bytes.length;
    if (data.left === 0) this.#data = undefined;
    return { kind: 'data', streamId: data.streamId, bytes, isLast: data.left === 0 && data.isFinal };
  }
}

/** A whole control frame. */
export function controlFrame(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(CONTROL | VERSION, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** A control frame whose payload is 32-bit numbers. */
export function numbersFrame(type: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, at) => payload.writeUInt32BE(number, 4 * at));
  return controlFrame(type, 0, payload);
}

/** What comes before the bytes of a data frame. */
export function dataHead(streamId: number, length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt8(isLast ? FLAG_FIN : 0, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
}

/** The stream a control frame is about. */
export function streamIdOf({ payload }: ControlFrame): number {
  if (payload.length < 4) throw new SpdyError('frame too short for a stream');
  return payload.readUInt32BE(0) & STREAM_ID_MASK;
}
