import type { Headers, TranslatedRequest } from '@capstan/translate';
import type { Asked } from './client.js';
import type { ProxyContext } from './context.js';
import { withoutProtobuf } from './encodings.js';
import { asChunk } from './request-body.js';
import type { Gathered } from './request-body.js';
import { upstreamHead } from './request-head.js';
import type { Framing } from './request-head.js';
import { headerText } from './response-plan.js';

const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may be sent twice when a connection turns out to have been closed meanwhile. */
export const isRepeatable = (method: string): boolean => REPEATABLE.has(method);

/** What is sent to the server. */
export interface Sent {
  readonly asked: Asked;
  readonly translated: TranslatedRequest;
  /** Of the body, where there is one. */
  readonly gathered: Gathered | undefined;
}

/** What is written to the server, as far as it is known. */
export interface Message {
  readonly first: Buffer | string;
  /** What follows is sent in chunks. */
  readonly isChunked: boolean;
}

/** The head of a request, and its body where that is whole. */
export function messageOf(context: Pick<ProxyContext, 'prefix' | 'host'>, sent: Sent, credentials: Headers): Message {
  const { asked, gathered } = sent;
  if (gathered === undefined) return { first: bodilessHead(context, sent, credentials), isChunked: false };
  const framing = framingOf(sent);
  const isChunked = framing.type === 'chunked';
  const head = headOf(context, sent, { framing, credentials });
  if (!gathered.isWhole) return { first: head, isChunked };
  const body = isChunked ? asChunk(gathered.bytes, asked.trailers) : gathered.bytes;
  return { first: body.length === 0 ? head : Buffer.concat([Buffer.from(head, 'latin1'), body]), isChunked };
}

function bodilessHead(context: Pick<ProxyContext, 'prefix' | 'host'>, sent: Sent, credentials: Headers): string {
  const { findings } = sent.asked;
  if (findings?.sent?.credentials === credentials) return findings.sent.head;
  const head = headOf(context, sent, { framing: framingOf(sent), credentials });
  if (findings !== undefined) findings.sent = { credentials, head };
  return head;
}

/** How the body is delimited: by its length, wherever that is known. */
function framingOf({ asked, translated, gathered }: Sent): Framing {
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
function headOf(
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
