import type { BodyRewriter } from '../body.js';
import type { Shape } from '../json/shape.js';
import type { Headers } from './headers.js';
import type { Refusal } from './refusal.js';
import type { Route } from './routes.js';

/** The head of a request, as a client sends it. */
export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
}

/** What becomes of a body: it passes as it is, or through a rewriter. */
export type Body = 'pass' | BodyRewriter;

/** A response as the client gets it. */
export interface TranslatedResponse {
  readonly headers: Headers;
  readonly body: Body;
}

/** What the translation changes in a response: headers that get another value or, undefined, go; and the body. */
export interface ResponseChanges {
  readonly headers: Headers;
  readonly body: Body;
}

/** A request as the server gets it. */
export interface TranslatedRequest {
  readonly target: string;
  readonly headers: Headers;
  readonly route: Route;
  readonly isWatch: boolean;
  /** Makes the rewriter of the body; throws a TranslationError for encodings that nobody translates. */
  readonly body: () => Body;
  /** Throws a TranslationError for a body in an encoding that was not asked for. Compressed bodies must be opened before. */
  readonly response: (status: number, headers: Headers) => TranslatedResponse;
  /** The same, for callers that write the headers one by one and need no object of them. */
  readonly changes: (status: number, headers: Headers) => ResponseChanges;
}

/** What a rewriter of another encoding is for. */
export interface EncodedBody {
  readonly route: Route;
  readonly isWatch: boolean;
  readonly direction: 'request' | 'response';
  /** Of a request. Default: `change`. */
  readonly writing?: Writing | undefined;
}

/**
 * What a request does: it creates an object, or it does so where there is none yet, or it changes one that is there. In
 * the first nothing was read that could have shown a private name; in the second it was if the body names the object.
 */
export type Writing = 'create' | 'createOrChange' | 'change';

/** Rewriters of bodies that are no JSON. */
export interface Encodings {
  readonly protobuf?: ((body: EncodedBody) => BodyRewriter) | undefined;
  readonly yaml?: ((shape: Shape) => BodyRewriter) | undefined;
}

/** Translates requests and what comes back. */
export interface Translator {
  request(head: RequestHead): TranslatedRequest | { readonly refuse: Refusal };
}
