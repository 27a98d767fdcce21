import type { ApiRequest, ApiResponse, Transport } from '@capstan/meta';

/** Where a migration is cut off. */
export interface CrashPoint {
  /** Which write, beginning with 1. */
  readonly write: number;
  /** Whether the write takes effect, though the migration gets no response. */
  readonly hasEffect: boolean;
  /** Whether the process ends as well; otherwise the same one goes on. */
  readonly isCrash: boolean;
}

/** The connection of one process to the server: it is lost at a point, and with it the process. */
export class CrashingTransport implements Transport {
  readonly #inner: Transport;
  readonly #point: CrashPoint | undefined;
  #writes = 0;
  #isLost = false;

  constructor(inner: Transport, point: CrashPoint | undefined) {
    this.#inner = inner;
    this.#point = point;
  }

  get writes(): number {
    return this.#writes;
  }

  get isCrash(): boolean {
    return this.#point?.isCrash === true;
  }

  /** Whether the point was reached. */
  get isLost(): boolean {
    return this.#isLost;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (this.#isLost && this.isCrash) throw lost();
    if (request.method === 'GET') return this.#inner.send(request);
    this.#writes += 1;
    if (this.#writes !== this.#point?.write) return this.#inner.send(request);
    this.#isLost = true;
    if (this.#point.hasEffect) await this.#inner.send(request);
    throw lost();
  }
}

/** Something that another client does before one of the writes of the migration. */
export interface Meddling {
  /** Which write, beginning with 1. */
  readonly write: number;
  readonly act: () => Promise<void>;
}

/** A connection on which another client is faster once. */
export class MeddlingTransport implements Transport {
  readonly #inner: Transport;
  readonly #meddling: Meddling;
  #writes = 0;

  constructor(inner: Transport, meddling: Meddling) {
    this.#inner = inner;
    this.#meddling = meddling;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (request.method !== 'GET') this.#writes += 1;
    if (request.method !== 'GET' && this.#writes === this.#meddling.write) await this.#meddling.act();
    return this.#inner.send(request);
  }
}

/** A connection whose writes wait while it is closed. */
export class Gate implements Transport {
  readonly #inner: Transport;
  #opened: Promise<void> = Promise.resolve();
  #open: () => void = () => undefined;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  close(): void {
    this.open();
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (request.method !== 'GET') await this.#opened;
    return this.#inner.send(request);
  }
}

function lost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}
