import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@capstan/meta';

/** What ends when code that runs for it throws an error that nothing catches. */
export interface ErrorOwner {
  fail(error: unknown): void;
}

/**
 * Containers are code of one process: an error that one of them does not catch would end all of it. This knows for which
 * container a callback, a promise or an event runs, so that the error ends that container alone. Node follows every
 * promise for it, so it is created only where containers run code that may fail.
 */
export class ContainerIsolation {
  readonly #owners = new AsyncLocalStorage<ErrorOwner | undefined>();

  /** Runs code for an owner, and whatever that code starts. */
  inside<T>(owner: ErrorOwner, run: () => T): T {
    return this.#owners.run(owner, run);
  }

  /** Runs code that a container calls but that is not its own, such as the API server: its errors end the process. */
  outside<T>(run: () => T): T {
    return this.#owners.run(undefined, run);
  }

  /** A clock for what all containers share: its callbacks are not those of the container that happens to call. */
  clockOutside(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => this.outside(() => clock.after(delayMs, callback)),
      turns: clock.turns,
    };
  }

  /** Ends the container that an uncaught error belongs to. For listeners of `uncaughtException`; false when to none. */
  take(error: unknown): boolean {
    const owner = this.#owners.getStore();
    owner?.fail(error);
    return owner !== undefined;
  }
}
