import type { Duplex } from 'node:stream';
import { SpdyError } from './errors.js';
import {
  controlFrame,
  dataHead,
  FLAG_FIN,
  FRAME,
  FrameReader,
  numbersFrame,
  RESET,
  streamIdOf,
  type ControlFrame,
  type DataPiece,
} from './frames.js';
import { HeaderReader, HeaderWriter, type SpdyHeaders } from './header-blocks.js';
import { SpdyStream, type StreamCarrier } from './stream.js';

/** Larger writes go out as several frames: the peer holds a whole frame in memory. */
const MAX_DATA_BYTES = 64 * 1024;
/** Streams a peer may have open at a time. */
const MAX_STREAMS = 1000;
/** How long a peer may take to close after our GOAWAY. */
const GOODBYE_MS = 5_000;
const SYN_STREAM_FIELDS_BYTES = 10;
const SYN_REPLY_FIELDS_BYTES = 4;

/**
 * SPDY/3.1 as Kubernetes speaks it: streams with headers over one connection, no windows (a reader that is slow slows
 * the connection), no priorities, no pushes.
 */
export class SpdyConnection implements StreamCarrier {
  /** Settles when the connection is over, by whatever cause. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #onStream: (stream: SpdyStream) => boolean;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #headerReader = new HeaderReader();
  readonly #headerWriter = new HeaderWriter();
  #lastPeerId = 0;
  #nextId: number;

  /** `onStream` is asked for every stream the peer opens; false refuses it. */
  constructor(socket: Duplex, role: 'server' | 'client', onStream: (stream: SpdyStream) => boolean) {
    this.#socket = socket;
    this.#onStream = onStream;
    this.#nextId = role === 'server' ? 2 : 1;
    socket.on('error', () => {});
    this.closed = this.#run();
  }

  /** Opens a stream. */
  open(headers: SpdyHeaders): SpdyStream {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    const fields = Buffer.alloc(SYN_STREAM_FIELDS_BYTES);
    fields.writeUInt32BE(id);
    this.#send(controlFrame(FRAME.synStream, 0, Buffer.concat([fields, this.#headerWriter.write(headers)])));
    return stream;
  }

  /** Sends GOAWAY, and closes the connection once the peer has everything. */
  close(): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    this.#socket.end(numbersFrame(FRAME.goAway, this.#lastPeerId, 0));
    const timer = setTimeout(() => this.#socket.destroy(), GOODBYE_MS);
    timer.unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  sendData(streamId: number, bytes: Buffer, isLast: boolean, done: (error?: Error | null) => void): void {
    const socket = this.#socket;
    if (socket.destroyed || socket.writableEnded) return done(new SpdyError('the connection is over'));
    socket.cork();
    for (let at = 0; at < bytes.length; at += MAX_DATA_BYTES) {
      const piece = bytes.subarray(at, at + MAX_DATA_BYTES);
      socket.write(dataHead(streamId, piece.length, false));
      socket.write(piece, at + MAX_DATA_BYTES >= bytes.length ? done : undefined);
    }
    if (bytes.length === 0) socket.write(dataHead(streamId, 0, isLast), done);
    socket.uncork();
  }

  sendReset(streamId: number, status: number = RESET.cancel): void {
    this.#send(numbersFrame(FRAME.rstStream, streamId, status));
  }

  forget(streamId: number): void {
    this.#streams.delete(streamId);
  }

  #send(frame: Buffer): void {
    if (!this.#socket.destroyed && !this.#socket.writableEnded) this.#socket.write(frame);
  }

  async #run(): Promise<void> {
    const reader = new FrameReader();
    try {
      for await (const chunk of this.#socket) {
        for (const frame of reader.push(chunk as Buffer)) {
          const wait = frame.kind === 'data' ? this.#data(frame) : this.#control(frame);
          if (wait !== undefined) await wait;
        }
      }
    } catch {
      // Lost, or nonsense came: the same for everybody on it.
    } finally {
      for (const stream of this.#streams.values()) stream.orphan(new SpdyError('the connection was lost'));
      this.#headerReader.close();
      this.#socket.destroy();
    }
  }

  #data({ streamId, bytes, isLast }: DataPiece): Promise<void> | undefined {
    return this.#streams.get(streamId)?.deliver(bytes, isLast);
  }

  #control(frame: ControlFrame): Promise<void> | undefined {
    switch (frame.type) {
      case FRAME.synStream:
        return this.#synStream(frame);
      case FRAME.synReply:
        return this.#late(frame, SYN_REPLY_FIELDS_BYTES);
      case FRAME.headers:
        return this.#late(frame, SYN_REPLY_FIELDS_BYTES);
      case FRAME.rstStream:
        this.#streams.get(streamIdOf(frame))?.abandon(new SpdyError('the peer reset the stream'));
        return undefined;
      case FRAME.ping:
        this.#ping(frame);
        return undefined;
      default:
        // Settings and windows mean nothing here; a goodbye is followed by the end of the connection.
        return undefined;
    }
  }

  /** Pings of ours have even numbers at a server, and we send none. */
  #ping(frame: ControlFrame): void {
    const id = streamIdOf(frame);
    if (id % 2 !== this.#nextId % 2) this.#send(controlFrame(FRAME.ping, 0, frame.payload));
  }

  /** Headers nobody waits for; inflated all the same, for they are part of the one stream of headers. */
  async #late(frame: ControlFrame, skip: number): Promise<void> {
    await this.#headerReader.read(frame.payload.subarray(skip));
    if ((frame.flags & FLAG_FIN) !== 0) await this.#streams.get(streamIdOf(frame))?.deliver(Buffer.alloc(0), true);
  }

  async #synStream(frame: ControlFrame): Promise<void> {
    const id = streamIdOf(frame);
    const headers = await this.#headerReader.read(frame.payload.subarray(SYN_STREAM_FIELDS_BYTES));
    if (id <= this.#lastPeerId || id % 2 === this.#nextId % 2) return this.sendReset(id, RESET.protocolError);
    this.#lastPeerId = id;
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    if (this.#streams.size > MAX_STREAMS || !this.#onStream(stream)) {
      stream.abandon();
      return this.sendReset(id, RESET.refusedStream);
    }
    const fields = Buffer.alloc(SYN_REPLY_FIELDS_BYTES);
    fields.writeUInt32BE(id);
    this.#send(controlFrame(FRAME.synReply, 0, Buffer.concat([fields, this.#headerWriter.write({})])));
    if ((frame.flags & FLAG_FIN) !== 0) void stream.deliver(Buffer.alloc(0), true);
  }
}
