import { createInflate } from 'node:zlib';
import { SPDY_DICTIONARY, SPDY_DICTIONARY_ID } from './dictionary.js';
import { SpdyError } from './errors.js';

/** Header names in lower case; values of a repeated name are joined by `, `. */
export type SpdyHeaders = Readonly<Record<string, string>>;

/** One inflated block of an honest peer is far below this. */
const MAX_BLOCK_BYTES = 1024 * 1024;
const MAX_STORED_BYTES = 0xffff;
/** An empty stored block. Go's reader hands out what it has when it sees one, and would else wait for the next frame. */
const FLUSH = Buffer.of(0, 0, 0, 0xff, 0xff);

function counted(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function plainBlock(headers: SpdyHeaders): Buffer {
  const entries = Object.entries(headers);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(entries.length);
  return Buffer.concat([count, ...entries.flatMap(([name, value]) => [counted(name.toLowerCase()), counted(value)])]);
}

/**
 * Writes header blocks. All blocks of a connection are one zlib stream; as ours are few and small they go into it
 * stored rather than compressed, which any inflater reads and which needs no state but "has it begun".
 */
export class HeaderWriter {
  #hasBegun = false;

  write(headers: SpdyHeaders): Buffer {
    const plain = plainBlock(headers);
    const parts: Buffer[] = [];
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const id = Buffer.alloc(4);
      id.writeUInt32BE(SPDY_DICTIONARY_ID);
      parts.push(Buffer.of(0x78, 0xbb), id);
    }
    for (let at = 0; at < plain.length; at += MAX_STORED_BYTES) {
      const piece = plain.subarray(at, at + MAX_STORED_BYTES);
      const head = Buffer.alloc(5);
      head.writeUInt16LE(piece.length, 1);
      head.writeUInt16LE(piece.length ^ 0xffff, 3);
      parts.push(head, piece);
    }
    parts.push(FLUSH);
    return Buffer.concat(parts);
  }
}

/** Reads header blocks, one after the other. */
export class HeaderReader {
  readonly #inflate = createInflate({ dictionary: SPDY_DICTIONARY });
  #plain: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor() {
    this.#inflate.on('data', (piece: Buffer) => {
      this.#plain = Buffer.concat([this.#plain, piece]);
      this.#wake?.();
    });
    this.#inflate.on('error', (error) => {
      this.#failure = new SpdyError('header block cannot be inflated', { cause: error });
      this.#wake?.();
    });
  }

  /** Inflates and reads one block; the next may be given only after it. */
  async read(block: Buffer): Promise<SpdyHeaders> {
    let isWritten = false;
    this.#inflate.write(block, () => {
      isWritten = true;
      // The output of a write arrives before this or in the same turn.
      setImmediate(() => this.#wake?.());
    });
    for (let isLate = false; ; isLate = isWritten) {
      if (this.#failure !== undefined) throw this.#failure;
      const headers = this.#parse();
      if (headers !== undefined) return headers;
      if (this.#plain.length > MAX_BLOCK_BYTES) throw new SpdyError('header block too large');
      if (isLate) throw new SpdyError('header block ends early');
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#inflate.close();
  }

  #parse(): SpdyHeaders | undefined {
    const plain = this.#plain;
    let at = 0;
    const number = (): number | undefined => {
      if (at + 4 > plain.length) return undefined;
      at += 4;
      return plain.readUInt32BE(at - 4);
    };
    const text = (): string | undefined => {
      const length = number();
      if (length === undefined || at + length > plain.length) return undefined;
      at += length;
      return plain.toString('utf8', at - length, at);
    };
    const count = number();
    if (count === undefined) return undefined;
    const headers: Record<string, string> = Object.create(null) as Record<string, string>;
    for (let left = count; left > 0; left -= 1) {
      const name = text();
      const value = name === undefined ? undefined : text();
      if (name === undefined || value === undefined) return undefined;
      headers[name.toLowerCase()] = value.replaceAll('\0', ', ');
    }
    this.#plain = plain.subarray(at);
    return headers;
  }
}
