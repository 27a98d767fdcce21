import { offAbort, onAbort, TransportError } from '@capstan/kube';
import type { ApiRequest, ApiResponse } from '@capstan/meta';
import type { FaultAction } from '../faults/fault.js';
import type { Author } from './author.js';

/** A request that leaves a process, and what goes wrong with it. */
export interface Sent extends Author {
  readonly fault: FaultAction | undefined;
}

/** The error for a caller that gave up. */
export function aborted(): TransportError {
  return new TransportError('ABORTED', 'the request was aborted', true);
}

/** One request under way, the author of all that comes of it. Its caller may give up meanwhile. */
export class Exchange implements Author {
  readonly process: string;
  readonly effect: number;
  readonly request: ApiRequest;
  readonly seen: string | undefined;
  readonly fault: FaultAction | undefined;
  readonly #sent: Sent;
  readonly #resolve: (response: ApiResponse) => void;
  readonly #reject: (error: Error) => void;

  constructor(sent: Sent, resolve: (response: ApiResponse) => void, reject: (error: Error) => void) {
    this.#sent = sent;
    this.process = sent.process;
    this.effect = sent.effect;
    this.request = sent.request;
    this.seen = sent.seen;
    this.fault = sent.fault;
    this.#resolve = resolve;
    this.#reject = reject;
    if (sent.request.signal !== undefined) onAbort(sent.request.signal, this.#abort);
  }

  /** The same, asked of another target. */
  redirected(target: string): Exchange {
    const { signal: _, ...request } = this.request;
    return new Exchange(
      { ...this.#sent, request: { ...request, target } },
      (response) => this.resolve(response),
      (error) => this.reject(error),
    );
  }

  /** The caller gives up. */
  readonly #abort = (): void => this.#reject(aborted());

  resolve(response: ApiResponse): void {
    this.#over();
    this.#resolve(response);
  }

  reject(error: Error): void {
    this.#over();
    this.#reject(error);
  }

  #over(): void {
    const { signal } = this.request;
    if (signal !== undefined) offAbort(signal, this.#abort);
  }
}
