import type { Headers, TranslatedRequest } from '@capstan/translate';
import type { ResponseHeaders } from '../upstream/response-head.js';
import type { ReplyHeaders } from './client.js';
import type { RelayedHead } from './relay.js';
import { isOfConnection, namedByConnection } from './request-head.js';

/** One header as one text. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** What a response of the server becomes for the client. */
export function relayedHead(
  request: TranslatedRequest,
  { method, status, headers }: { readonly method: string; readonly status: number; readonly headers: ResponseHeaders },
): RelayedHead {
  const isBodiless = method === 'HEAD' || status === 204 || status === 304;
  const isTranslated = request.route.class !== 'passthrough';
  // Asked for uncompressed, but servers may do otherwise.
  const isCompressed = isTranslated && !isBodiless && headerText(headers, 'content-encoding') === 'gzip';
  const received = isCompressed ? without(headers, 'content-encoding') : headers;
  const { headers: changes, body } = request.changes(status, received);
  const sent = Number(headers['content-length']);
  // The length of what is not sent is that of what was not translated.
  const isLengthWrong = body !== 'pass' || isCompressed || (isTranslated && isBodiless);
  return {
    status,
    headers: replyHeaders(received, changes, isLengthWrong),
    body,
    sentBytes: Number.isNaN(sent) ? undefined : sent,
    isBodiless,
    isCompressed,
    isWatch: request.isWatch && status === 200,
  };
}

/** The headers of something that comes before the answer. */
export function interimHeaders(request: TranslatedRequest, status: number, headers: ResponseHeaders): ReplyHeaders {
  return replyHeaders(headers, request.changes(status, without(headers, 'content-type')).headers, true);
}

/** Those of the response, without the ones of the connection it came by. */
function replyHeaders(headers: Headers, changes: Headers, isLengthWrong: boolean): ReplyHeaders {
  const named = namedByConnection(headers['connection']);
  const isChanged = changesOthers(changes);
  const list: string[] = [];
  for (const name in headers) {
    if (isOfConnection(name, named) || (isLengthWrong && name === 'content-length')) continue;
    const value = isChanged && Object.hasOwn(changes, name) ? changes[name] : headers[name];
    if (typeof value === 'string') list.push(name, value);
    else for (const one of value ?? []) list.push(name, one);
  }
  return list;
}

/** Most responses lose their length, and nothing else of their head is changed. */
function changesOthers(changes: Headers): boolean {
  for (const name in changes) if (name !== 'content-length') return true;
  return false;
}

function without(headers: ResponseHeaders, name: string): ResponseHeaders {
  const { [name]: _, ...rest } = headers;
  return rest;
}
