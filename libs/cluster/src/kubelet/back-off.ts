const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;

/** Whether a container that ended so is started again. */
export function mayRestart(policy: string, exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** How long to wait before a container is started again: not at all at first, then 10 s, doubling to five minutes. */
export class BackOff {
  #durationMs = 0;
  #usedAtMs = 0;

  /** The delay counted from when the container ended. A start is supposed to follow. */
  next(nowMs: number): number {
    // What has run long enough has proved itself.
    if (this.#durationMs > 0 && nowMs - this.#usedAtMs > 2 * LONGEST_MS) this.#durationMs = 0;
    const delayMs = this.#durationMs;
    this.#durationMs = delayMs === 0 ? FIRST_MS : Math.min(2 * delayMs, LONGEST_MS);
    this.#usedAtMs = nowMs + delayMs;
    return delayMs;
  }
}
