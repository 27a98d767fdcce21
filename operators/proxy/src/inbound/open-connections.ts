import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '@capstan/meta';

/** How long no client may be connected before all of them count as gone: one that ends may connect once more. */
export const QUIET_MS = 2_000;

/** The connections of clients, whichever parser reads them. */
export class OpenConnections {
  #size = 0;
  #onChange: (() => void) | undefined;

  get size(): number {
    return this.#size;
  }

  add(socket: Duplex): void {
    this.#size += 1;
    this.#onChange?.();
    socket.once('close', () => {
      this.#size -= 1;
      this.#onChange?.();
    });
  }

  /** Resolves once no client has been connected for {@link QUIET_MS}, or when the time is up. */
  untilQuiet(clock: Clock, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      let quiet: Timer | undefined;
      const end = (): void => {
        quiet?.cancel();
        limit.cancel();
        this.#onChange = undefined;
        resolve();
      };
      const limit = clock.after(limitMs, end);
      this.#onChange = () => {
        quiet?.cancel();
        quiet = this.#size === 0 ? clock.after(QUIET_MS, end) : undefined;
      };
      this.#onChange();
    });
  }
}
