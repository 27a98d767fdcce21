import { setMaxListeners } from 'node:events';
import type { Clock } from '@capstan/meta';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import type { Runnable } from './runnable.js';

/** Runnables that start and stop together. */
export class Group {
  readonly #members: Runnable[] = [];
  readonly #running = new Map<Runnable, Promise<void>>();
  readonly #abort = new AbortController();
  readonly #onFailure: (error: unknown) => void;
  #isStarted = false;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
    setMaxListeners(0, this.#abort.signal);
  }

  /** What is added after the start begins at once. */
  add(runnable: Runnable): void {
    this.#members.push(runnable);
    if (this.#isStarted) this.#launch(runnable);
  }

  /** Begins all; resolves when all are ready. */
  async start(): Promise<void> {
    this.#isStarted = true;
    for (const runnable of this.#members) if (!this.#running.has(runnable)) this.#launch(runnable);
    await Promise.all(this.#members.map((runnable) => runnable.ready?.() ?? Promise.resolve()));
  }

  /** Asks all to stop and waits for them until the deadline, by the clock's monotonic time. */
  async stop(clock: Clock, deadline: number): Promise<void> {
    this.#isStarted = false;
    this.#abort.abort();
    const waiting = new AbortController();
    const ended = Promise.all(this.#running.values()).then(() => 'ended' as const);
    const late = sleep(clock, Math.max(0, deadline - clock.monotonic()), waiting.signal);
    const first = await Promise.race([ended, late]);
    waiting.abort();
    if (first === 'ended') return;
    const names = [...this.#running.keys()].map(({ name }) => name).join(', ');
    throw new RuntimeError('stop-timeout', `still running when the time to stop was over: ${names}`);
  }

  #launch(runnable: Runnable): void {
    const running = runnable
      .run(this.#abort.signal)
      .catch((error: unknown) => this.#onFailure(error))
      .finally(() => this.#running.delete(runnable));
    this.#running.set(runnable, running);
  }
}
