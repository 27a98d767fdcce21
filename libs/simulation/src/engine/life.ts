import { setMaxListeners } from 'node:events';
import type { HookHandler } from '../faults/hook-answers.js';
import type { TaskOwner } from './task-heap.js';

/** A watch as its process holds it. */
export interface OpenWatch {
  stop(): void;
  /** The connection breaks. */
  breakOff(): void;
}

/** One life of a process, from start to crash. What belongs to it dies with it. */
export class Life implements TaskOwner {
  readonly process: string;
  /** Counts from one. */
  readonly number: number;
  readonly abort = new AbortController();
  /** The newest version shown to it of each object, by uid. */
  readonly seen = new Map<string, string>();
  /** Watches the server has open for it. */
  readonly watches = new Set<OpenWatch>();
  /** What it serves to the server, by URL. */
  readonly hooks = new Map<string, HookHandler>();
  isAlive = true;
  pausedUntil = 0;

  constructor(process: string, number: number) {
    this.process = process;
    this.number = number;
    // Everything in a process listens to it.
    setMaxListeners(0, this.abort.signal);
  }

  /** Ends it in the middle of whatever it does: nothing is reported, its connections break. */
  end(): void {
    this.isAlive = false;
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
    this.hooks.clear();
    this.seen.clear();
  }

  /** Remembers what it was shown. */
  saw(object: unknown): void {
    const metadata = (object as { metadata?: { uid?: string; resourceVersion?: string } } | undefined)?.metadata;
    if (metadata?.uid !== undefined && metadata.resourceVersion !== undefined)
      this.seen.set(metadata.uid, metadata.resourceVersion);
  }
}

/** Numbers lives also where a process was stopped and another of its name begins: its chance is another. */
export class Lives {
  readonly #counts = new Map<string, number>();

  begin(process: string): Life {
    const number = (this.#counts.get(process) ?? 0) + 1;
    this.#counts.set(process, number);
    return new Life(process, number);
  }
}
