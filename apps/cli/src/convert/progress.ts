import type { Io } from '../io.js';

const WIDTH = 30;
/** Work that is over sooner needs no bar. */
const DELAY_MS = 400;
/** So often the bar is redrawn. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001B[K';
const MEGABYTE = 1_000_000;

/** How far a long conversion is, for a person before a terminal. */
export interface Progress {
  reading(file: string, bytes: number): void;
  /** Something was done, and it is not known how much there is. */
  tick(): void;
  /** So many of so many objects. */
  show(what: string, done: number, total: number): void;
  /** Nothing of it stays on the screen. */
  clear(): void;
}

/** Prints nothing: for a file or a pipe. */
export const noProgress: Progress = {
  reading: () => undefined,
  tick: () => undefined,
  show: () => undefined,
  clear: () => undefined,
};

/** `converting  [#####.....]  5,000 of 10,000`. */
export function bar(what: string, done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  const numbers = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return `${what}  [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]  ${numbers}`;
}

/** A line on standard error that is redrawn. */
export class ProgressBar implements Progress {
  readonly #io: Io;
  readonly #now: () => number;
  readonly #since: number;
  #drawnAt = 0;
  #drawn = '';
  #text = '';

  constructor(io: Io, now: () => number = () => performance.now()) {
    this.#io = io;
    this.#now = now;
    this.#since = now();
  }

  reading(file: string, bytes: number): void {
    const size = bytes < MEGABYTE ? '' : ` (${(bytes / MEGABYTE).toFixed(0)} MB)`;
    this.#text = `reading ${file}${size}`;
    // What follows may take a while in which nothing can be drawn.
    this.#draw(bytes >= MEGABYTE);
  }

  tick(): void {
    this.#draw(false);
  }

  show(what: string, done: number, total: number): void {
    const now = this.#now();
    if (now - this.#since < DELAY_MS || now - this.#drawnAt < REDRAW_MS) return;
    this.#text = bar(what, done, total);
    this.#draw(true);
  }

  clear(): void {
    if (this.#drawn !== '') this.#io.err(CLEAR_LINE);
    this.#drawn = '';
  }

  #draw(isAtOnce: boolean): void {
    const now = this.#now();
    if (!isAtOnce && (now - this.#since < DELAY_MS || now - this.#drawnAt < REDRAW_MS)) return;
    const text = this.#text.slice(0, Math.max(0, this.#io.columns - 1));
    if (text === this.#drawn) return;
    this.#io.err(`${CLEAR_LINE}${text}`);
    this.#drawn = text;
    this.#drawnAt = now;
  }
}
