import { scriptedFailure } from '@capstan/kube/testing';
import type { ApiRequest, ApiResponse, Transport } from '@capstan/meta';

/** A write, as a test recognizes it. */
export interface Write {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly body: string;
}

/** A server that forbids some writes to the migration, for good. */
export class RefusingTransport implements Transport {
  readonly #inner: Transport;
  readonly #isRefused: (write: Write) => boolean;

  constructor(inner: Transport, isRefused: (write: Write) => boolean) {
    this.#inner = inner;
    this.#isRefused = isRefused;
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    const { method, target } = request;
    if (method === 'GET') return this.#inner.send(request);
    const [path = ''] = target.split('?');
    const write = { method, path, body: textOf(request) };
    return this.#isRefused(write) ? Promise.resolve(scriptedFailure(403, 'Forbidden')) : this.#inner.send(request);
  }
}

function textOf({ body }: ApiRequest): string {
  if (body?.type === 'value') return JSON.stringify(body.value);
  return body?.type === 'bytes' ? Buffer.from(body.bytes).toString() : '';
}
