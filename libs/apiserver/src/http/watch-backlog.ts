import { LiveGauge, type GaugeDeclaration, type MetricFamily } from '@capstan/meta';

const BYTES: GaugeDeclaration = {
  type: 'gauge',
  name: 'capstan_apiserver_watch_backlog_bytes',
  help: 'Bytes of events that wait for watchers whose connections take nothing; an event that waits for several counts once.',
  labels: [],
};

/** A watcher that is behind. */
export interface Laggard {
  /** How much waits for it. */
  readonly queuedBytes: number;
  cutForOthers(): void;
}

/**
 * What waits for all watchers that are behind. Watchers of one resource wait for the same bytes, so each piece counts once
 * however many wait for it. Over the limit the watcher that is furthest behind is cut, then the next.
 */
export class WatchBacklog {
  readonly metrics: readonly MetricFamily[] = [LiveGauge.of(BYTES, () => [[[], this.#bytes] as const])];
  readonly #limitBytes: number;
  readonly #holders = new Map<Uint8Array, number>();
  readonly #laggards = new Set<Laggard>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  enter(laggard: Laggard): void {
    this.#laggards.add(laggard);
  }

  leave(laggard: Laggard): void {
    this.#laggards.delete(laggard);
  }

  /** So many bytes more wait for one watcher alone. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** A piece waits for one watcher more. */
  hold(piece: Uint8Array): void {
    const holders = this.#holders.get(piece) ?? 0;
    this.#holders.set(piece, holders + 1);
    if (holders === 0) this.#bytes += piece.length;
  }

  /** A piece waits for one watcher less. */
  release(piece: Uint8Array): void {
    const holders = (this.#holders.get(piece) ?? 1) - 1;
    if (holders > 0) this.#holders.set(piece, holders);
    else if (this.#holders.delete(piece)) this.#bytes -= piece.length;
  }

  /** Cuts watchers until what waits is within the limit. */
  shorten(): void {
    while (this.#bytes > this.#limitBytes) {
      let last: Laggard | undefined;
      for (const each of this.#laggards) if (each.queuedBytes > (last?.queuedBytes ?? -1)) last = each;
      if (last === undefined) return;
      this.leave(last);
      last.cutForOthers();
    }
  }
}
