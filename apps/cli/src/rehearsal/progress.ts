import { bar } from '../convert/progress.js';
import type { Io } from '../io.js';

/** How far a rehearsal is. */
export interface RehearsalProgress {
  /** So many migrations more of that cluster are over. */
  readonly advance: (cluster: string, count: number) => void;
  clear(): void;
}

const CLEAR_LINE = '\r\u001B[K';
const REDRAW_MS = 100;
const LINE_EVERY_MS = 10_000;

/** A bar for a person before a terminal, with the time left; else a line now and then. Both on standard error. */
export function progressOn(io: Io, total: number, now: () => number = () => performance.now()): RehearsalProgress {
  const began = now();
  const isBar = io.isErrTty === true;
  let done = 0;
  let shownAt = began;
  return {
    advance: (cluster, count) => {
      done += count;
      const at = now();
      if (at - shownAt < (isBar ? REDRAW_MS : LINE_EVERY_MS)) return;
      shownAt = at;
      const secondsLeft = Math.ceil(((at - began) / done / 1000) * (total - done));
      const text = `${bar('rehearsing', done, total)}  ${cluster}, ${secondsLeft} s left`;
      io.err(isBar ? `${CLEAR_LINE}${text.slice(0, Math.max(0, io.columns - 1))}` : `${text}\n`);
    },
    clear: () => {
      if (isBar) io.err(CLEAR_LINE);
    },
  };
}
