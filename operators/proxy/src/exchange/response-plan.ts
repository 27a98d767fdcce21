import type { Headers, TranslatedRequest } from '@capstan/translate';
import type { ResponseHeaders } from '../upstream/response-head.js';
import type { RelayedHead } from './relay.js';
import { endToEnd } from './request-head.js';

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
  const isTranslated = request.route.class !== 'A';
  const received = endToEnd(headers);
  // Asked for uncompressed, but servers may do otherwise.
  const isCompressed = isTranslated && !isBodiless && headerText(headers, 'content-encoding') === 'gzip';
  if (isCompressed) delete received['content-encoding'];
  const { headers: translated, body } = request.response(status, received);
  const sent = Number(headers['content-length']);
  // The length of what is not sent is that of what was not translated.
  const isLengthWrong = body !== 'pass' || isCompressed || (isTranslated && isBodiless);
  return {
    status,
    headers: planned(translated, isLengthWrong),
    body,
    sentBytes: Number.isNaN(sent) ? undefined : sent,
    isBodiless,
    isCompressed,
    isWatch: request.isWatch && status === 200,
  };
}

function planned(headers: Headers, isLengthWrong: boolean): Record<string, string | readonly string[]> {
  const plan: Record<string, string | readonly string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && !(isLengthWrong && name === 'content-length')) plan[name] = value;
  }
  return plan;
}

/** The headers of something that comes before the answer. */
export function interimHeaders(
  request: TranslatedRequest,
  status: number,
  headers: ResponseHeaders,
): Record<string, string | readonly string[]> {
  const { 'content-type': _, ...received } = endToEnd(headers);
  return planned(request.response(status, received).headers, true);
}
