import type { Io } from './io.js';

/** What a server's process is about: to load what it needs, or to serve. */
export type HeapPhase = 'starting' | 'serving';

/**
 * V8 reads these at each collection, so that they may change while it runs; few of its flags may.
 *
 * Starting leaves garbage and a young generation of 32 MB that a server at rest never needs again, and V8 gives neither
 * back: it is told to collect soon and to keep little. Serving wants room to be quick, but the old generation may not
 * become several times what is alive in it, as it does by default.
 */
const FLAGS: Readonly<Record<HeapPhase, readonly string[]>> = {
  starting: ['--optimize-for-size'],
  serving: ['--no-optimize-for-size', '--heap-growing-percent=50'],
};

/** Has the heap of this process managed for a phase. A process that is not the command's own is left alone. */
export function tuneHeap(phase: HeapPhase, { setV8Flag }: Pick<Io, 'setV8Flag'>): void {
  for (const flag of FLAGS[phase]) setV8Flag?.(flag);
}
