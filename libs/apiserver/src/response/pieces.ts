import { Buffer } from 'node:buffer';
import type { PayloadBody } from '@capstan/meta';

/** Large enough that the pauses between do not show, small enough that each is made and sent in a moment. */
const PIECE_BYTES = 128 * 1024;

/** Marks that work was done that has given no bytes yet: the consumer may let other requests run in between. */
export const NO_BYTES = new Uint8Array(0);

/** A body that is put together while it is sent: no more of it than a piece need be in memory at a time. */
export class PiecedPayload implements PayloadBody {
  readonly type = 'payload';
  readonly #parts: () => Iterable<Uint8Array>;
  readonly #value: () => unknown;

  readonly ownBytes: number;

  /** Parts are of any size; they are what the body consists of, in order. */
  constructor(parts: () => Iterable<Uint8Array>, value: () => unknown, ownBytes = 0) {
    this.#parts = parts;
    this.#value = value;
    this.ownBytes = ownBytes;
  }

  pieces(): Iterator<Uint8Array, void> {
    return gather(this.#parts());
  }

  chunks(): readonly Uint8Array[] {
    return [...gather(this.#parts())].filter((piece) => piece.length > 0);
  }

  value(): unknown {
    return this.#value();
  }
}

/** Parts put together to pieces worth sending. */
function* gather(parts: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    if (part.length === 0) {
      yield part;
      continue;
    }
    pending.push(part);
    size += part.length;
    if (size < PIECE_BYTES) continue;
    yield joined(pending, size);
    pending = [];
    size = 0;
  }
  if (size > 0) yield joined(pending, size);
}

/** One that is a piece by itself stays where it is. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, size);
}
