import { isConflict } from '@capstan/meta';
import type { Clock, Random } from '@capstan/meta';
import { sleep } from '../runtime/clock.js';

export interface ConflictRetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  /** Attempts in all. Default 5. */
  readonly attempts?: number | undefined;
}

/** Repeats a read-change-write that met a newer object. The function must read again each time. */
export async function retryOnConflict<T>(options: ConflictRetryOptions, attempt: () => Promise<T>): Promise<T> {
  const attempts = options.attempts ?? 5;
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= attempts || !isConflict(error)) throw error;
      if ((await sleep(options.clock, 10 * (1 + 0.1 * options.random.next()), options.signal)) === 'aborted')
        throw error;
    }
  }
}
