import type { BodyRewriter } from '../body.js';
import { BODY_LIMIT } from '../body.js';
import { TranslationError } from '../errors.js';
import type { ProtobufRoute } from './naming.js';
import type { ProtobufTranslator } from './translator.js';
import { declaredLength } from './wire.js';

/** The largest event that clients take. */
export const EVENT_LIMIT_BYTES = 16 * 1024 * 1024;
/** The largest response that is held to be translated. */
export const RESPONSE_LIMIT_BYTES = 256 * 1024 * 1024;

const PREFIX_BYTES = 4;
/** What a whole body begins with; as a length it would be that of no event. */
const MAGIC = 0x6b38_7300;
/** The field of an envelope that has the object. */
const OBJECT_FIELD = 2;

/** Bytes that come in parts until there are enough of them. */
export class Parts {
  size = 0;
  /** The most there ever were. */
  peak = 0;
  #parts: Uint8Array[] = [];

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.size += bytes.length;
    if (this.size > this.peak) this.peak = this.size;
  }

  /** All of them, which are then forgotten. */
  take(): Buffer {
    const [only] = this.#parts;
    const all =
      this.#parts.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(this.#parts, this.size);
    this.#parts = [];
    this.size = 0;
    return all;
  }
}

/**
 * A whole body that arrives in chunks. It is held until its end, for its length is written at its beginning: hence a
 * limit, and hence lists of unknown size are better requested as JSON. A body of the server that declares itself to be
 * longer is not held at all; the length that a client declares is for the server to check.
 */
export class ProtobufBody implements BodyRewriter {
  readonly #translator: Pick<ProtobufTranslator, 'body'>;
  readonly #route: ProtobufRoute | undefined;
  readonly #limitBytes: number;
  readonly #isOfServer: boolean;
  readonly #held = new Parts();

  constructor(
    translator: Pick<ProtobufTranslator, 'body'>,
    route?: ProtobufRoute,
    limitBytes: number = BODY_LIMIT,
    { isOfServer = false }: { readonly isOfServer?: boolean } = {},
  ) {
    this.#translator = translator;
    this.#route = route;
    this.#limitBytes = limitBytes;
    this.#isOfServer = isOfServer;
  }

  get peak(): number {
    return this.#held.peak;
  }

  /** Takes bytes; nothing comes out before the end. */
  push(chunk: Uint8Array): Uint8Array[] {
    const isFirst = this.#isOfServer && this.#held.size === 0;
    const declared = isFirst ? declaredLength(asBuffer(chunk), PREFIX_BYTES, OBJECT_FIELD) : undefined;
    if (Math.max(this.#held.size + chunk.length, declared ?? 0) > this.#limitBytes)
      throw new TranslationError('TOO_LARGE', `limit is ${this.#limitBytes}`);
    this.#held.add(chunk);
    return [];
  }

  /** The end of the body: all of it. */
  end(): Uint8Array[] {
    return this.#held.size === 0 ? [] : [this.#translator.body(this.#held.take(), this.#route)];
  }
}

/**
 * A watch: one event after another, each behind its length in four bytes. An event goes out when its last byte came.
 * The answer to a watch may be a Status instead, which is a whole body.
 */
export class ProtobufWatch implements BodyRewriter {
  readonly #translator: ProtobufTranslator;
  readonly #route: ProtobufRoute | undefined;
  readonly #limitBytes: number;
  /** The beginning of an event whose end is in a later chunk. */
  readonly #held = new Parts();
  /** Bytes that must be there before anything can be done. */
  #wanted = PREFIX_BYTES;
  #isFirst = true;
  #whole: ProtobufBody | undefined;

  constructor(translator: ProtobufTranslator, route?: ProtobufRoute, limitBytes: number = EVENT_LIMIT_BYTES) {
    this.#translator = translator;
    this.#route = route;
    this.#limitBytes = limitBytes;
  }

  get peak(): number {
    return Math.max(this.#held.peak, this.#whole?.peak ?? 0);
  }

  /** Takes bytes and gives the events that are whole. */
  push(chunk: Uint8Array): Uint8Array[] {
    if (this.#whole !== undefined) return this.#whole.push(chunk);
    this.#held.add(chunk);
    if (this.#held.size < this.#wanted) return [];
    const bytes = this.#held.take();
    if (this.#isFirst && bytes.readUInt32BE(0) === MAGIC) {
      this.#whole = new ProtobufBody(this.#translator, this.#route, this.#limitBytes);
      return this.#whole.push(bytes);
    }
    this.#isFirst = false;
    return this.#events(bytes);
  }

  /** The end of the stream: gives the beginning of an event that has no end, as it came. */
  end(): Uint8Array[] {
    if (this.#whole !== undefined) return this.#whole.end();
    return this.#held.size === 0 ? [] : [this.#held.take()];
  }

  #events(bytes: Buffer): Uint8Array[] {
    const out: Uint8Array[] = [];
    let at = 0;
    let sent = 0;
    this.#wanted = PREFIX_BYTES;
    while (bytes.length - at >= PREFIX_BYTES) {
      const end = at + PREFIX_BYTES + this.#length(bytes, at);
      if (end > bytes.length) {
        this.#wanted = end - at;
        break;
      }
      const event = bytes.subarray(at + PREFIX_BYTES, end);
      const translated = this.#translator.event(event, this.#route);
      if (translated !== event) {
        // Events that stayed as they are go out together.
        if (at > sent) out.push(bytes.subarray(sent, at));
        if (translated !== undefined) out.push(prefix(translated.length), translated);
        sent = end;
      }
      at = end;
    }
    if (at > sent) out.push(bytes.subarray(sent, at));
    this.#held.add(bytes.subarray(at));
    return out;
  }

  #length(bytes: Buffer, at: number): number {
    const length = bytes.readUInt32BE(at);
    if (length > this.#limitBytes)
      throw new TranslationError('TOO_LARGE', `an event has ${length} bytes, more than ${this.#limitBytes}`);
    return length;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function prefix(length: number): Uint8Array {
  const out = Buffer.allocUnsafe(PREFIX_BYTES);
  out.writeUInt32BE(length);
  return out;
}
