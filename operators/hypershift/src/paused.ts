import { instantToMs, parseTime } from '@capstan/meta';

/** Whether, and how long, an object is to be left alone. */
export type Pause =
  | { readonly isPaused: false; readonly isInvalid: boolean }
  /** Without a time: until somebody says otherwise. */
  | { readonly isPaused: true; readonly untilMs?: number | undefined };

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
]);

/** What `spec.pausedUntil` says at a moment. What cannot be read pauses nothing. */
export function pauseOf(pausedUntil: string | undefined, nowMs: number): Pause {
  if (pausedUntil === undefined || pausedUntil === '') return { isPaused: false, isInvalid: false };
  const word = WORDS.get(pausedUntil);
  if (word !== undefined) return word ? { isPaused: true } : { isPaused: false, isInvalid: false };
  const untilMs = momentOf(pausedUntil);
  if (untilMs === undefined) return { isPaused: false, isInvalid: true };
  return untilMs > nowMs ? { isPaused: true, untilMs } : { isPaused: false, isInvalid: false };
}

function momentOf(text: string): number | undefined {
  try {
    return instantToMs(parseTime(text));
  } catch {
    return undefined;
  }
}
