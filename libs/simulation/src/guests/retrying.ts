import { errorText, sleep } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { Clock } from '@capstan/meta';

export interface RetryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Logged for each failure. */
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** After how long it is tried again in the first minute; then ever later. */
  readonly retryMs: number;
  readonly signal: AbortSignal;
}

/** Until then a failure is expected: a cluster that is only just coming up is nothing to be warned of. */
const EXPECTED_MS = 60_000;
const MAX_RETRY_MS = 60_000;

/** Tries until it succeeds or the signal aborts; undefined then. */
export async function retrying<T>(options: RetryOptions, act: () => Promise<T>): Promise<T | undefined> {
  const { clock, fields, logger, message, retryMs, signal } = options;
  const began = clock.monotonic();
  let wait = retryMs;
  while (!signal.aborted) {
    try {
      return await act();
    } catch (error) {
      if (signal.aborted) break;
      const isExpected = clock.monotonic() - began < EXPECTED_MS;
      logger[isExpected ? 'debug' : 'warn'](message, { ...fields, error: errorText(error) });
      if (!isExpected) wait = Math.max(retryMs, Math.min(2 * wait, MAX_RETRY_MS));
    }
    await sleep(clock, wait, signal);
  }
  return undefined;
}
