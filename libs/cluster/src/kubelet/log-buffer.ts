import { Writable } from 'node:stream';
import type { Clock } from '@capstan/meta';
import type { LogQuery } from './streams.js';

/** What one container may have logged; the oldest lines go first. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** A line, with its line break where it has one. */
interface LogLine {
  readonly atMs: number;
  readonly stream: 'Stdout' | 'Stderr';
  readonly data: Buffer;
}

/** What a container wrote, line by line. */
export class LogBuffer {
  readonly #clock: Clock;
  #lines: LogLine[] = [];
  /** Lines let go, so that a reader's place stays its place. */
  #dropped = 0;
  #bytes = 0;
  #ended = false;
  readonly #partial = new Map<'Stdout' | 'Stderr', Buffer[]>();
  #wakers: (() => void)[] = [];
  readonly #taps = new Set<(stream: 'Stdout' | 'Stderr', data: Buffer) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A stream that logs. */
  writer(stream: 'Stdout' | 'Stderr'): Writable {
    return new Writable({
      decodeStrings: true,
      write: (chunk: Buffer, _encoding, done) => {
        this.append(stream, chunk);
        done();
      },
    });
  }

  append(stream: 'Stdout' | 'Stderr', chunk: Buffer): void {
    if (this.#ended) return;
    for (const tap of this.#taps) tap(stream, chunk);
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const before = this.#partial.get(stream) ?? [];
      this.#partial.delete(stream);
      this.#add(stream, Buffer.concat([...before, chunk.subarray(from, at + 1)]));
      from = at + 1;
    }
    if (from < chunk.length) {
      const before = this.#partial.get(stream) ?? [];
      before.push(Buffer.from(chunk.subarray(from)));
      this.#partial.set(stream, before);
    }
    this.#wake();
  }

  /** Nothing more will come. */
  end(): void {
    for (const [stream, chunks] of this.#partial) this.#add(stream, Buffer.concat(chunks));
    this.#partial.clear();
    this.#ended = true;
    this.#wake();
  }

  /** Hands over what is written from now on, as it comes. Gives the function that ends it. */
  tap(listener: (stream: 'Stdout' | 'Stderr', data: Buffer) => void): () => void {
    this.#taps.add(listener);
    return () => this.#taps.delete(listener);
  }

  /** The part of the log that is asked for. */
  async *read(query: LogQuery, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const onAbort = (): void => this.#wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      let left = query.limitBytes ?? Number.POSITIVE_INFINITY;
      let at = this.#firstWanted(query);
      while (left > 0 && !signal.aborted) {
        at = Math.max(at, this.#dropped);
        const line = this.#lines[at - this.#dropped];
        if (line === undefined) {
          if (!query.follow || this.#ended) return;
          await new Promise<void>((resolve) => this.#wakers.push(resolve));
          continue;
        }
        at += 1;
        if (!isWanted(line, query, this.#clock.now())) continue;
        const text = query.timestamps ? Buffer.concat([stamp(line.atMs), line.data]) : line.data;
        yield text.length > left ? text.subarray(0, left) : text;
        left -= text.length;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #firstWanted(query: LogQuery): number {
    const { tailLines } = query;
    if (tailLines === undefined) return 0;
    const now = this.#clock.now();
    let [at, count] = [this.#lines.length, 0];
    while (at > 0 && count < tailLines) {
      at -= 1;
      const line = this.#lines[at];
      if (line !== undefined && isWanted(line, query, now)) count += 1;
    }
    return at + this.#dropped;
  }

  #add(stream: 'Stdout' | 'Stderr', data: Buffer): void {
    this.#lines.push({ atMs: this.#clock.now(), stream, data });
    this.#bytes += data.length;
    if (this.#bytes <= MAX_LOG_BYTES) return;
    let gone = 0;
    while (this.#bytes > MAX_LOG_BYTES / 2 && gone < this.#lines.length) {
      this.#bytes -= this.#lines[gone]?.data.length ?? 0;
      gone += 1;
    }
    this.#lines = this.#lines.slice(gone);
    this.#dropped += gone;
  }

  #wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }
}

function isWanted(line: LogLine, query: LogQuery, nowMs: number): boolean {
  if (query.stream !== 'All' && query.stream !== line.stream) return false;
  if (query.sinceTime !== undefined && line.atMs < Date.parse(query.sinceTime)) return false;
  return query.sinceSeconds === undefined || line.atMs >= nowMs - query.sinceSeconds * 1000;
}

function stamp(atMs: number): Buffer {
  return Buffer.from(`${new Date(atMs).toISOString().slice(0, -1)}000000Z `);
}
