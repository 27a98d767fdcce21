import { cutText, instantToMs, parseTime } from '@capstan/meta';
import type { ConditionUpdate } from '@capstan/meta';

/** Whether an object is paused, and until when. */
export type Pause =
  | { readonly isPaused: false; readonly isInvalid: boolean }
  /** Without a time: until the field is removed. */
  | { readonly isPaused: true; readonly untilMs?: number | undefined };

/** The words that HyperShift reads as a boolean. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

/** Why ReconciliationActive is true although `spec.pausedUntil` is set. */
export const INVALID_PAUSE_REASON = 'InvalidPausedUntilValue';

const NOT_PAUSED: Pause = { isPaused: false, isInvalid: false };

/**
 * What `spec.pausedUntil` of a HostedCluster, HostedControlPlane or NodePool means at a moment: a boolean, or a time of RFC
 * 3339. As in HyperShift, any other text, white space around a good one included, is invalid and pauses nothing.
 */
export function pauseOf(pausedUntil: string | undefined, nowMs: number): Pause {
  if (pausedUntil === undefined) return NOT_PAUSED;
  const word = WORDS.get(pausedUntil);
  if (word !== undefined) return word ? { isPaused: true } : NOT_PAUSED;
  const untilMs = momentOf(pausedUntil);
  if (untilMs === undefined) return { isPaused: false, isInvalid: true };
  return untilMs > nowMs ? { isPaused: true, untilMs } : NOT_PAUSED;
}

function momentOf(text: string): number | undefined {
  try {
    return instantToMs(parseTime(text));
  } catch {
    return undefined;
  }
}

/** The condition ReconciliationActive that follows from it. */
export function reconciliationActive(pause: Pause, pausedUntil: string | undefined): ConditionUpdate {
  const type = 'ReconciliationActive';
  if (pause.isPaused) {
    const message = `Reconciliation paused until${pause.untilMs === undefined ? ' field removed' : `: ${pausedUntil ?? ''}`}`;
    return { type, status: 'False', reason: 'ReconciliationPaused', message };
  }
  if (!pause.isInvalid)
    return { type, status: 'True', reason: 'AsExpected', message: 'Reconciliation active on resource' };
  const advice = 'it pauses nothing, write true or a time such as 2026-01-31T08:00:00Z';
  const message = cutText(`Invalid value provided for PausedUntil field: ${JSON.stringify(pausedUntil)}: ${advice}`);
  return { type, status: 'True', reason: INVALID_PAUSE_REASON, message };
}
