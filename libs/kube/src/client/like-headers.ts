import type { ApiRequest } from '@capstan/meta';
import type { RawRequest } from './client.js';
import { JSON_TYPE } from './encoding.js';

type Headers = ApiRequest['headers'];

const MOST_ACCEPTED = 16;

/** The headers of requests, the same for like requests: there are few kinds of them. */
export class LikeHeaders {
  readonly #userAgent: string;
  /** By what is accepted, and the type of the body. */
  readonly #known = new Map<string, Map<string | undefined, Headers>>();

  constructor(userAgent = 'capstan') {
    this.#userAgent = userAgent;
  }

  of({ accept = JSON_TYPE, body, headers }: Pick<RawRequest, 'accept' | 'body' | 'headers'>): Headers {
    const type = body?.contentType;
    const known = headers === undefined ? this.#known.get(accept)?.get(type) : undefined;
    if (known !== undefined) return known;
    const made = Object.freeze({
      accept,
      'user-agent': this.#userAgent,
      ...headers,
      ...(type === undefined ? undefined : { 'content-type': type }),
    });
    if (headers !== undefined) return made;
    const like = this.#known.get(accept) ?? new Map<string | undefined, Headers>();
    if (this.#known.size < MOST_ACCEPTED) this.#known.set(accept, like.set(type, made));
    return made;
  }
}
