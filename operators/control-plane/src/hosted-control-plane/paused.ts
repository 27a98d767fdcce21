import { parseTime, instantToMs } from '@capstan/meta';

/** Whether a control plane is left alone, and until when. */
export type Pause =
  | { readonly isPaused: false; readonly problem?: string }
  | { readonly isPaused: true; readonly untilMs?: number };

/** Reads `spec.pausedUntil`: a moment, or `true` for as long as it says so. */
export function pauseOf(pausedUntil: string | undefined, nowMs: number): Pause {
  const text = (pausedUntil ?? '').trim();
  if (text === '' || text.toLowerCase() === 'false') return { isPaused: false };
  if (text.toLowerCase() === 'true') return { isPaused: true };
  const untilMs = momentOf(text);
  if (untilMs === undefined) {
    const problem = `spec.pausedUntil is "${text}", neither a time such as 2026-01-31T12:00:00Z nor true: it pauses nothing`;
    return { isPaused: false, problem };
  }
  return untilMs > nowMs ? { isPaused: true, untilMs } : { isPaused: false };
}

function momentOf(text: string): number | undefined {
  try {
    return instantToMs(parseTime(text));
  } catch {
    return undefined;
  }
}
