import type { Headers, TranslatedRequest } from '@capstan/translate';
import type { Asked } from './client.js';
import type { ProxyContext } from './context.js';
import { withoutProtobuf } from './encodings.js';
import type { Gathered } from './request-body.js';
import { upstreamHead } from './request-head.js';
import type { Framing } from './request-head.js';
import { headerText } from './response-plan.js';

/** What is sent to the server. */
export interface Sent {
  readonly asked: Asked;
  readonly translated: TranslatedRequest;
  /** Of the body, where there is one. */
  readonly gathered: Gathered | undefined;
}

/** How the body is delimited: by its length, wherever that is known. */
export function framingOf({ asked, translated, gathered }: Sent): Framing {
  if (gathered === undefined)
    return asked.headers['content-length'] === '0' ? { type: 'length', bytes: 0 } : { type: 'none' };
  const { bytes, isWhole } = gathered;
  const trailers = headerText(asked.headers, 'trailer');
  if (isWhole && Object.keys(asked.trailers).length > 0) return { type: 'chunked', trailers };
  if (isWhole) return { type: 'length', bytes: bytes.length };
  const announced = translated.headers['content-length'];
  return announced === undefined ? { type: 'chunked', trailers } : { type: 'length', bytes: Number(announced) };
}

/** The head of the request. */
export function headOf(
  { prefix, host }: Pick<ProxyContext, 'prefix' | 'host'>,
  { asked: { method }, translated }: Sent,
  { framing, credentials }: { readonly framing: Framing; readonly credentials: Headers },
): string {
  const { target, headers, route, isWatch } = translated;
  const accept = headerText(headers, 'accept');
  const isList = route.path !== undefined && route.path.name === undefined && method === 'GET' && !isWatch;
  return upstreamHead({
    method,
    target: prefix + target,
    host,
    headers: isList && accept !== undefined ? { ...headers, accept: withoutProtobuf(accept) } : headers,
    credentials,
    framing,
  });
}
