import type { ApiRequest, ApiResponse, Clock, Timer, Transport } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';
import { TransportError } from '../transport/errors.js';

/** The right to act, for as long as nobody else can have it. */
export interface Leadership {
  /** Aborts before another can take the lease, and when the program is to stop. */
  readonly signal: AbortSignal;
  /**
   * Whether acting is safe at this very moment. A process that was paused may run on for an instant before its signal
   * aborts; a caller that asks here first does not act in it.
   */
  held(): boolean;
}

/** One time of being leader; ends for good when it is not renewed in time. */
export class Term implements Leadership {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #onLost: () => void;
  #deadline: number;
  #timer: Timer;

  constructor(clock: Clock, deadline: number, onLost: () => void) {
    this.#clock = clock;
    this.#deadline = deadline;
    this.#onLost = onLost;
    this.#timer = this.#arm();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** When it ends unless renewed, by the clock's monotonic time. */
  get deadline(): number {
    return this.#deadline;
  }

  held(): boolean {
    return this.#clock.monotonic() < this.#deadline;
  }

  /** False when the renewal came too late: what has ended does not begin again. */
  extend(deadline: number): boolean {
    if (!this.held()) return false;
    this.#deadline = Math.max(this.#deadline, deadline);
    this.#timer.cancel();
    this.#timer = this.#arm();
    return true;
  }

  /** Asks the work to stop; the lease is kept meanwhile. */
  stop(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Nothing more may be done under it. */
  end(): void {
    this.#timer.cancel();
    this.#deadline = Number.NEGATIVE_INFINITY;
    this.#controller.abort();
  }

  #arm(): Timer {
    return this.#clock.after(Math.max(0, this.#deadline - this.#clock.monotonic()), () => {
      this.#deadline = Number.NEGATIVE_INFINITY;
      this.#controller.abort(new RuntimeError('leadership-lost', 'the lease was not renewed in time'));
      this.#onLost();
    });
  }
}

/** A transport that lets writes through only while leadership is held; reads always pass. */
export function fencedTransport(transport: Transport, leadership: Pick<Leadership, 'held'>): Transport {
  return {
    send: (request: ApiRequest): Promise<ApiResponse> => {
      if (request.method === 'GET' || leadership.held()) return transport.send(request);
      const message = `${request.method} was not sent: another may be the leader`;
      return Promise.reject(new TransportError('FENCED', message, false));
    },
  };
}
