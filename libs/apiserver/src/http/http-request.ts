import { IncomingMessage } from 'node:http';
import type { ApiRequest, RequestBody, UserInfo } from '@capstan/meta';
import type { Exchange } from './exchange.js';

/** The request of Node with the way to its response, and the body read so far. */
export class Incoming extends IncomingMessage {
  exchange: Exchange | undefined = undefined;
  pieces: Buffer[] = [];
  size = 0;
}

/** One request as the handler sees it. */
export class HttpRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ApiRequest['headers'];
  readonly body: RequestBody | undefined;
  readonly user: UserInfo | undefined;
  readonly #exchange: Exchange;
  #abort: AbortController | undefined;

  constructor(exchange: Exchange, target: string, body: RequestBody | undefined) {
    const { req } = exchange;
    this.method = req.method ?? 'GET';
    this.target = target;
    // Only set-cookie is ever a list, and no client of an API server sends it.
    this.headers = req.headers as ApiRequest['headers'];
    this.body = body;
    this.user = exchange.user;
    this.#exchange = exchange;
  }

  /** Aborts when the client leaves. Made when first asked for: most requests are over before anybody would. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#exchange.closed) this.abort();
    }
    return this.#abort.signal;
  }

  get remoteAddress(): string | undefined {
    return this.#exchange.req.socket.remoteAddress;
  }

  /** The client left. */
  abort(): void {
    this.#abort?.abort();
  }
}
