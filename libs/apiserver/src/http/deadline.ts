import { limitOf } from '../request/time-limit.js';

/** Why a reader was cut. */
export class StalledReader extends Error {
  override readonly name = 'StalledReader';

  constructor(limitMs: number) {
    super(`the connection was cut: the request was not over after ${limitMs} ms`);
  }
}

/** How long a request may take as a whole: what it asks for itself, if that is less. */
export function answerLimitMs(target: string, mostMs: number): number {
  if (!target.includes('timeout=')) return mostMs;
  try {
    return limitOf(new URLSearchParams(target.slice(target.indexOf('?') + 1)), mostMs);
  } catch {
    // Refused by the handler, whose answer has as long as any.
    return mostMs;
  }
}
