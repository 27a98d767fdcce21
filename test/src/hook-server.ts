import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCa } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';

/** The request of a review. */
export interface ReviewRequest extends JsonObject {
  uid: string;
  operation: string;
}

/** The answer of a webhook: the response of the review without its uid, or an invalid answer. */
export type HookReply =
  | { readonly response: JsonObject }
  /** The whole review. */
  | { readonly review: JsonObject | ((request: ReviewRequest) => JsonObject) }
  | { readonly status: number; readonly type?: string; readonly body: string; readonly location?: string }
  /** Nothing, for as long as the caller waits. */
  | 'silence'
  /** The connection is closed. */
  | 'hang-up';

/** Answers reviews. */
export type HookHandler = (request: ReviewRequest, review: JsonObject) => HookReply | Promise<HookReply>;

export const ALLOWED: HookReply = { response: { allowed: true } };

/** A reply with a JSON patch. */
export function patch(...operations: JsonObject[]): HookReply {
  return { response: { allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)) } };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Webhooks over TLS, in this process. */
export interface HookServer {
  readonly url: string;
  /** Base64 of PEM, as configurations have it. */
  readonly caBundle: string;
  close(): Promise<void>;
}

/** Starts a server of webhooks; `find` gives what answers on a path. It does not keep the process. */
export async function startHookServer(
  find: (path: string) => HookHandler | undefined,
  dnsNames: readonly string[] = [],
): Promise<HookServer> {
  const ca = createCa({ commonName: 'hooks' });
  const pair = ca.issueServing({ commonName: 'hooks', ipAddresses: ['127.0.0.1'], dnsNames });
  const server = createServer({ cert: pair.certPem, key: pair.keyPem }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      // Who was led elsewhere may come without the question.
      const text = chunks.length === 0 ? '{"request":{}}' : Buffer.concat(chunks).toString('utf8');
      const review = JSON.parse(text) as Review;
      const handle = find((incoming.url ?? '').replace(/\?.*/, ''));
      const reply = handle === undefined ? NO_HOOK : handle(review.request, review);
      void Promise.resolve(reply).then((answer) => send(answer, review, incoming, response));
    });
  });
  server.unref();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: base64(ca.certPem),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Review = JsonObject & { request: ReviewRequest };
const NO_HOOK: HookReply = { status: 404, body: 'no such hook' };

function send(reply: HookReply, review: Review, incoming: IncomingMessage, response: ServerResponse): void {
  if (reply === 'silence') return;
  if (reply === 'hang-up') incoming.socket.destroy();
  else if ('status' in reply) {
    const location = reply.location === undefined ? {} : { location: reply.location };
    response.writeHead(reply.status, { 'content-type': reply.type ?? 'text/plain', ...location }).end(reply.body);
  } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(reply, review)));
}

function answer(reply: Exclude<HookReply, string | { status: number }>, review: Review): JsonObject {
  if ('review' in reply) return typeof reply.review === 'function' ? reply.review(review.request) : reply.review;
  const { kind, apiVersion, request } = review;
  return { kind, apiVersion, response: { uid: request.uid, ...reply.response } } as JsonObject;
}
