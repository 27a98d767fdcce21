import type { Turns } from '@capstan/meta';

/** Level 1, as the real server: lists compress well at any level, and time is what clients feel. */
export const GZIP_LEVEL = 1;

/** How much compressed is sent at once. */
const GZIP_CHUNK_BYTES = 64 * 1024;

/** Longer bodies are sent as fast as they are taken: encrypted ahead, all of one would be in memory once more. */
export const SLICE_BYTES = 256 * 1024;

type Pieces = Iterator<Uint8Array, void>;

/** Where a long answer goes. */
export interface Taker {
  readonly destroyed: boolean;
  /** Resolves when it wants more, or is gone. */
  take(bytes: Uint8Array): Promise<void>;
  end(): void;
}

/**
 * Takes pieces until it is known whether there is more than one. Short bodies are whole then; `later` when that took so
 * long that others must come in between.
 */
export function openPieces(pieces: Pieces, opening: Uint8Array[], turns: Turns): 'whole' | 'long' | 'later' {
  for (;;) {
    const { value, done } = pieces.next();
    if (done === true) return 'whole';
    if (value.length > 0 && opening.push(value) > 1) return 'long';
    if (turns.isOver()) return 'later';
  }
}

/** What was taken already, which is let go of as it is sent, and the rest. */
export function* resumed(opening: Uint8Array[], pieces: Pieces): Generator<Uint8Array, void> {
  for (let piece = opening.shift(); piece !== undefined; piece = opening.shift()) yield piece;
  yield* { [Symbol.iterator]: () => pieces };
}

/** A body that is there, in slices. */
export function* slicesOf(chunks: readonly Uint8Array[]): Generator<Uint8Array, void> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) yield chunk.subarray(at, at + SLICE_BYTES);
  }
}

/** Makes and sends one piece after the other, no faster than they are taken. */
export async function sendPieces(out: Taker, pieces: Pieces, turns: Turns): Promise<void> {
  for await (const piece of inTurns(out, pieces, turns)) await out.take(piece);
  if (!out.destroyed) out.end();
}

/** The same, compressed on the way. */
export async function sendCompressed(out: Taker, pieces: Pieces, turns: Turns): Promise<void> {
  const [{ createGzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream/promises')]);
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: GZIP_CHUNK_BYTES });
  await pipeline(inTurns(out, pieces, turns), gzip, async (compressed: AsyncIterable<Uint8Array>) => {
    for await (const piece of compressed) await out.take(piece);
  });
  if (!out.destroyed) out.end();
}

/** Pieces with bytes in them, until the reader is gone; others come in between. */
async function* inTurns(out: Taker, pieces: Pieces, turns: Turns): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    if (turns.isOver()) await turns.next();
    if (out.destroyed) return;
    const { value, done } = pieces.next();
    if (done === true) return;
    if (value.length > 0) yield value;
  }
}
