import type { Clock } from '@capstan/meta';
import { apiErrors } from '@capstan/meta';
import type { Flow } from './effects.js';

/** Bytes of objects that webhooks may be converting for lists at a time, as they are stored. */
export const CONVERSION_ROOM_BYTES = 64 * 1024 * 1024;
/** As long as a long answer waits for room. */
const WAIT_MS = 15_000;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Lists that a conversion webhook converts are held whole, and for one reader alone: the webhook may convert the same
 * object otherwise next time. So only some are converted at a time; others wait in their order, then get 429. A list larger
 * than the room is converted when no other is.
 */
export class ConversionRoom {
  readonly #clock: Clock;
  readonly #limitBytes: number;
  #bytes = 0;
  #waiting: Waiting[] = [];

  constructor(clock: Clock, limitBytes: number = CONVERSION_ROOM_BYTES) {
    this.#clock = clock;
    this.#limitBytes = limitBytes;
  }

  /** Does the work once there is room for so many bytes. */
  *within<T>(bytes: number, work: () => Flow<T>): Flow<T> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) this.#bytes += bytes;
    else yield { type: 'reach', run: () => this.#wait(bytes) };
    try {
      return yield* work();
    } finally {
      this.#bytes -= bytes;
      this.#admitNext();
    }
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#limitBytes;
  }

  #admitNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.enter();
    }
  }

  #wait(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(WAIT_MS, () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(apiErrors.tooManyRequests('Too many requests, please try again later.', 1));
        // It may have stood before some that fit.
        this.#admitNext();
      });
      const enter = (): void => {
        timer.cancel();
        resolve();
      };
      const waiting: Waiting = { bytes, enter };
      this.#waiting.push(waiting);
    });
  }
}
