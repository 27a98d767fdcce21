import type { Io } from '../io.js';
import { frame } from './progress.js';
import type { StageState, View } from './progress.js';

/** Where progress is shown. */
export interface Display {
  show(view: View): void;
  /** Something to be read above what moves. */
  say(text: string): void;
  /** Lines to be read below what moves, whatever else is shown. */
  pin(lines: readonly string[]): void;
  /** Much may have been shown since: where lines cannot be kept in sight, they are shown again. */
  remind(): void;
  /** Leaves the last view standing. */
  close(): void;
}

const ESCAPE = '\u001B[';
const CLEAR_BELOW = `${ESCAPE}0J`;
const CLEAR_LINE = `\r${ESCAPE}2K`;
const HIDE_CURSOR = `${ESCAPE}?25l`;
const SHOW_CURSOR = `${ESCAPE}?25h`;

/** Shows progress in place, for a person before a terminal. */
export class LiveDisplay implements Display {
  readonly #io: Io;
  readonly #release: () => void;
  #lines: readonly string[] = [];
  #frame: readonly string[] = [];
  #pinned: readonly string[] = [];

  constructor(io: Io, stop: AbortSignal) {
    this.#io = io;
    io.err(`${CLEAR_LINE}${HIDE_CURSOR}`);
    // However the process ends, the terminal is left as it was found; after a stop the next signal ends it at once.
    const show = (): void => io.err(SHOW_CURSOR);
    const forget = io.onExit(show);
    stop.addEventListener('abort', show, { once: true });
    this.#release = () => {
      forget();
      stop.removeEventListener('abort', show);
    };
  }

  show(view: View): void {
    this.#frame = frame(view, this.#io.columns);
    this.#draw();
  }

  say(text: string): void {
    const below = this.#lines.map((line) => `${line}\n`).join('');
    this.#io.err(`${this.#rewind()}${text}${below}`);
  }

  pin(lines: readonly string[]): void {
    // A line that wraps cannot be taken back.
    if (lines.some((line) => line.length >= this.#io.columns)) this.say(lines.map((line) => `${line}\n`).join(''));
    else this.#pinned = lines;
    this.#draw();
  }

  remind(): void {
    // Those that are pinned are always in sight.
  }

  close(): void {
    this.#io.err(SHOW_CURSOR);
    this.#release();
  }

  #draw(): void {
    const lines = [...this.#frame, ...this.#pinned];
    if (lines.join('\n') === this.#lines.join('\n')) return;
    this.#io.err(`${this.#rewind()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines;
  }

  #rewind(): string {
    return this.#lines.length === 0 ? '' : `${ESCAPE}${this.#lines.length}F${CLEAR_BELOW}`;
  }
}

/** Prints each stage once it is over, for a file or a pipe. */
export class LineDisplay implements Display {
  readonly #io: Io;
  readonly #printed = new Map<string, StageState>();
  #pinned: readonly string[] = [];

  constructor(io: Io) {
    this.#io = io;
  }

  show(view: View): void {
    const migration = view.migration ?? [];
    for (const stage of [...view.stages, ...migration]) {
      const { detail, name, state } = stage;
      if (this.#printed.get(name) === state) continue;
      this.#printed.set(name, state);
      if (state === 'working' && migration.slice(0, -1).includes(stage)) this.#io.err(`${name}: is being migrated\n`);
      if (state === 'done') this.#io.err(`${name}: ${detail}\n`);
      if (state === 'failed') this.#io.err(`${name}: failed: ${detail}\n`);
    }
  }

  say(text: string): void {
    this.#io.err(text);
  }

  pin(lines: readonly string[]): void {
    this.#pinned = lines;
    this.remind();
  }

  remind(): void {
    for (const line of this.#pinned) this.#io.err(`${line}\n`);
  }

  close(): void {
    this.#printed.clear();
  }
}

/** Prints nothing, for a user who wants only the result. */
export const silentDisplay: Display = {
  show: () => undefined,
  say: () => undefined,
  pin: () => undefined,
  remind: () => undefined,
  close: () => undefined,
};
