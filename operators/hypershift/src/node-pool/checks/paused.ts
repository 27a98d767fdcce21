import { instantToMs, parseTime } from '@capstan/meta';

/** What `spec.pausedUntil` comes to at a moment. */
export type Pause =
  | { readonly isPaused: false; readonly isInvalid: boolean }
  /** `forMs` is undefined when only the user ends it. */
  | { readonly isPaused: true; readonly forMs: number | undefined };

const GOING: Pause = { isPaused: false, isInvalid: false };

/** Reads `spec.pausedUntil`: a word that says for ever or not at all, or a moment. */
export function pauseOf(pausedUntil: string | undefined, nowMs: number): Pause {
  if (pausedUntil === undefined || /^false$/i.test(pausedUntil)) return GOING;
  if (/^true$/i.test(pausedUntil)) return { isPaused: true, forMs: undefined };
  const untilMs = momentOf(pausedUntil);
  if (untilMs === undefined) return { isPaused: false, isInvalid: true };
  return untilMs > nowMs ? { isPaused: true, forMs: untilMs - nowMs } : GOING;
}

function momentOf(text: string): number | undefined {
  try {
    return instantToMs(parseTime(text));
  } catch {
    return undefined;
  }
}
