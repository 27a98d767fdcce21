import { Counter, LiveGauge, type CounterDeclaration, type GaugeDeclaration, type MetricFamily } from '@capstan/meta';
import type { HttpLimits } from './options.js';
import { WatchBacklog } from './watch-backlog.js';

/** What is set aside for a long answer while it is sent: a piece of it, and as much again on its way to the socket. */
export const ANSWER_WINDOW_BYTES = 256 * 1024;

const BYTES: GaugeDeclaration = {
  type: 'gauge',
  name: 'capstan_apiserver_response_bytes_in_flight',
  help: 'Bytes of answers that were made and not yet taken by their readers, and what is set aside for long answers.',
  labels: [],
};
const REFUSED: CounterDeclaration = {
  type: 'counter',
  name: 'capstan_apiserver_responses_refused_total',
  help: 'Long answers refused because too many bytes were in flight.',
  labels: [],
};
const DROPPED: CounterDeclaration = {
  type: 'counter',
  name: 'capstan_apiserver_connections_dropped_total',
  help: 'Connections closed unread because as many as allowed were open.',
  labels: [],
};
const CUT: CounterDeclaration = {
  type: 'counter',
  name: 'capstan_apiserver_readers_cut_total',
  help: 'Connections ended because their reader took an answer or a watch too slowly.',
  labels: ['reason'],
};

/** What of an answer is in memory for its reader alone; the front end holds it until the exchange is over. */
export interface Holder {
  /** Counted for it now. */
  heldBytes: number;
}

/** Why a reader was cut. */
export type CutReason = 'deadline' | 'stalled' | 'slow-watch' | 'watch-backlog';

/**
 * The bytes that wait for readers. All answers together are bounded: a long one that finds no room waits for a while,
 * then is answered with 429, as API Priority and Fairness would. Short ones are counted and let through, and so are
 * answers to writes: a write that was done must be acknowledged.
 */
export class Traffic {
  readonly metrics: readonly MetricFamily[];
  readonly watchBacklog: WatchBacklog;
  readonly #limits: HttpLimits;
  readonly #refused = Counter.of(REFUSED);
  readonly #cut = Counter.of(CUT);
  readonly #dropped = Counter.of(DROPPED);
  #bytes = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    const bytes = LiveGauge.of(BYTES, () => [[[], this.#bytes] as const]);
    this.#refused.add([], 0);
    this.#dropped.add([], 0);
    this.watchBacklog = new WatchBacklog(limits.watchBacklogBytes);
    this.metrics = [bytes, this.#refused, this.#cut, this.#dropped, ...this.watchBacklog.metrics];
  }

  get bytesInFlight(): number {
    return this.#bytes;
  }

  /** Sets room aside for a long answer; false when there is none in time. */
  async admit(holder: Holder, isRead: boolean): Promise<boolean> {
    // What holds bytes of its own was let in with them.
    const isIn = holder.heldBytes > 0;
    if (isRead && !isIn && !this.#hasRoom && !(await this.#wait(holder))) {
      this.#refused.add([]);
      return false;
    }
    this.hold(holder, Math.max(holder.heldBytes, ANSWER_WINDOW_BYTES));
    return true;
  }

  /**
   * Counts what an answer holds for itself alone, a list converted by a webhook for one. It is in memory already, so it does
   * not wait: false when there is no room next to others. One that is larger than all room is let through when it is alone.
   */
  admitOwn(holder: Holder, bytes: number, isRead: boolean): boolean {
    const hasOthers = this.#bytes > holder.heldBytes;
    if (isRead && hasOthers && this.#bytes + bytes > this.#limits.responseBytesInFlight) {
      this.#refused.add([]);
      return false;
    }
    this.hold(holder, holder.heldBytes + bytes);
    return true;
  }

  /** Counts so many bytes for an answer instead of what was counted for it before. */
  hold(holder: Holder, bytes: number): void {
    this.#bytes += bytes - holder.heldBytes;
    const isLess = bytes < holder.heldBytes;
    holder.heldBytes = bytes;
    if (isLess) this.#admitNext();
  }

  /** A connection was not taken. */
  dropped(): void {
    this.#dropped.add([]);
  }

  /** A connection was ended for its reader's slowness. */
  cut(reason: CutReason): void {
    this.#cut.add([reason]);
  }

  get #hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#fits;
  }

  get #fits(): boolean {
    return this.#bytes + ANSWER_WINDOW_BYTES <= this.#limits.responseBytesInFlight;
  }

  #admitNext(): void {
    while (this.#waiting.length > 0 && this.#fits) this.#waiting.shift()?.();
  }

  #wait(holder: Holder): Promise<boolean> {
    return new Promise((resolve) => {
      const admit = (): void => {
        clearTimeout(timer);
        // At once, before the next is looked at.
        this.hold(holder, Math.max(holder.heldBytes, ANSWER_WINDOW_BYTES));
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== admit);
        resolve(false);
      }, this.#limits.responseWaitMs);
      this.#waiting.push(admit);
    });
  }
}
