import type { Duplex } from 'node:stream';
import { anonymous, HttpTransport, sleep } from '@capstan/kube';
import type { Clock, Random, ResponseBody, Transport } from '@capstan/meta';
import { ConversionFailure, Unavailable } from '../errors.js';
import type { Delegate } from './delegate.js';
import { AnswerTooLarge, ofAnswer, ofError } from './verdict.js';
import type { Verdict } from './verdict.js';

/** How delegates are called. */
export interface DelegateCalls {
  readonly clock: Clock;
  readonly random: Random;
  /** All tries together. */
  readonly budgetMs: number;
  /** Longer answers are not read to their end. */
  readonly answerBytes: number;
  /** PEM of those who are trusted where a delegate names nobody. */
  readonly trust: () => string | undefined;
  /** Makes connections instead of the machine's network. */
  readonly dial?: ((host: string, port: number) => Promise<Duplex>) | undefined;
  /** Carries the calls instead of HTTP. */
  readonly transportTo?: ((delegate: Delegate) => Transport) | undefined;
}

const TRIES = 4;
const FIRST_PAUSE_MS = 100;
const CONNECT_TIMEOUT_MS = 3000;
/** Delegates that are remembered: as many as there may be providers, and a few that were renewed. */
const MAX_DELEGATES = 64;

/** Calls delegates, with what each needs kept open. */
export class DelegateCaller {
  readonly #calls: DelegateCalls;
  readonly #transports = new Map<string, HttpTransport>();

  constructor(calls: DelegateCalls) {
    this.#calls = calls;
  }

  /** The answer to a review, or why there is none: a ConversionFailure, or Unavailable when asking later may help. */
  async ask(delegate: Delegate, body: Uint8Array, left: AbortSignal): Promise<Buffer> {
    const { budgetMs, clock } = this.#calls;
    const ending = new AbortController();
    const late = clock.after(budgetMs, () => ending.abort());
    const signal = AbortSignal.any([left, ending.signal]);
    try {
      return await this.#tries(delegate, body, signal);
    } finally {
      late.cancel();
    }
  }

  /** Drops every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
    this.#transports.clear();
  }

  async #tries(delegate: Delegate, body: Uint8Array, signal: AbortSignal): Promise<Buffer> {
    const { clock, random } = this.#calls;
    let verdict: Exclude<Verdict, { readonly type: 'answer' }> = {
      type: 'failed',
      reason: 'it was not asked',
      counted: 'upstream-webhook-unavailable',
    };
    for (let tried = 0; tried < TRIES; tried += 1) {
      // Between half and the whole of a pause that doubles: those who failed together do not come back together.
      const pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + random.next() / 2);
      if (tried > 0 && (await sleep(clock, pauseMs, signal)) === 'aborted') break;
      const next = await this.#try(delegate, body, signal);
      if (next.type === 'answer') return next.body;
      verdict = next;
      if (next.type === 'failed') break;
    }
    if (verdict.type === 'again' && verdict.away) throw new Unavailable(verdict.reason);
    throw new ConversionFailure(
      verdict.reason,
      verdict.type === 'failed' ? verdict.counted : 'upstream-webhook-invalid',
    );
  }

  async #try(delegate: Delegate, bytes: Uint8Array, signal: AbortSignal): Promise<Verdict> {
    try {
      const response = await this.#transportTo(delegate).send({
        method: 'POST',
        target: delegate.path,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: { type: 'bytes', bytes },
        signal,
        // Read as it comes: what is too long is not kept.
        isStreaming: true,
      });
      return ofAnswer(response.status, await this.#read(response.body));
    } catch (error) {
      return ofError(error, this.#calls.budgetMs);
    }
  }

  async #read(body: ResponseBody): Promise<Buffer> {
    if (body.type === 'payload') return Buffer.concat(body.chunks());
    if (body.type !== 'stream') return Buffer.alloc(0);
    const { answerBytes } = this.#calls;
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of body.read()) {
        size += chunk.length;
        if (size > answerBytes) throw new AnswerTooLarge(`it answered with more than ${answerBytes} bytes`);
        chunks.push(chunk);
      }
    } finally {
      body.cancel();
    }
    return Buffer.concat(chunks);
  }

  #transportTo(delegate: Delegate): Transport {
    const { budgetMs, clock, dial, transportTo, trust } = this.#calls;
    if (transportTo !== undefined) return transportTo(delegate);
    const caPem = delegate.caPem ?? trust();
    const key = `${delegate.server}\n${caPem ?? ''}`;
    let transport = this.#transports.get(key);
    if (transport === undefined) {
      transport = new HttpTransport(
        { server: delegate.server, trust: { caPem }, credentials: anonymous(), namespace: '' },
        { clock, dial, requestTimeoutMs: budgetMs, connectTimeoutMs: CONNECT_TIMEOUT_MS },
      );
      this.#forgetOldest();
    } else {
      this.#transports.delete(key);
    }
    // Last in the order: the one that was not used for longest is forgotten first.
    this.#transports.set(key, transport);
    return transport;
  }

  #forgetOldest(): void {
    if (this.#transports.size < MAX_DELEGATES) return;
    for (const [key, transport] of this.#transports) {
      this.#transports.delete(key);
      void transport.close();
      return;
    }
  }
}
