import { errorText } from '@capstan/kube/connect';
import { refusalOf, TranslationError } from '@capstan/translate';
import type { Refusal } from '@capstan/translate';
import type { ProxyErrorCode } from '../errors.js';
import { ProxyError } from '../errors.js';
import { announcesBody } from './client.js';
import type { Asked, Reply } from './client.js';

/** What the proxy answers by itself. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const BY_CODE: Readonly<Record<ProxyErrorCode, readonly [status: number, reason: string, advice: string]>> = {
  'bad-options': [500, 'InternalError', 'see the log of the proxy'],
  unreachable: [503, 'ServiceUnavailable', 'check that the server runs and that the kubeconfig of the proxy names it'],
  timeout: [504, 'Timeout', 'the server may have acted all the same: read before you try again'],
  'connection-lost': [502, 'InternalError', 'the server may have acted all the same: read before you try again'],
  'bad-response': [502, 'InternalError', 'check that what the proxy is pointed at is a Kubernetes API server'],
  'no-credentials': [
    503,
    'ServiceUnavailable',
    'check the token, certificate or plugin of the kubeconfig of the proxy',
  ],
  'slow-client': [408, 'Timeout', 'nothing was done: send it again'],
  'client-gone': [499, 'InternalError', ''],
  stopping: [503, 'ServiceUnavailable', 'try again'],
};

/** Nothing was sent: the client may simply retry. */
const AGAIN: ReadonlySet<ProxyErrorCode> = new Set(['unreachable', 'stopping', 'no-credentials']);

/** The answer to a client for an error on the way to the server. */
export function answerOf(error: ProxyError): Answer {
  const [status, reason, advice] = BY_CODE[error.code];
  const failure =
    error.code === 'slow-client'
      ? 'the request did not come in time'
      : 'the proxy could not get an answer from the API server';
  return {
    status,
    reason,
    message: `${failure}: ${error.message}; ${advice}`,
    ...(AGAIN.has(error.code) ? { headers: { 'retry-after': '1' } } : {}),
  };
}

/** The bytes of an answer: a Status. */
export function statusBody({ status, reason, message }: Answer): Buffer {
  const object = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code: status };
  return Buffer.from(`${JSON.stringify(object)}\n`);
}

/** An answer in the form of those that the translation gives. */
export function refusalFrom(answer: Answer): Refusal {
  const body = statusBody(answer);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...answer.headers,
  };
  return { status: answer.status, headers, body };
}

/** Streams of JSON have no such limit: this is for clients that accept only what must be held whole. */
function tooLarge({ message }: TranslationError): Answer {
  return {
    status: 502,
    reason: 'InternalError',
    message: `the answer of the API server is too large to be translated in this encoding: ${message}; ask for it in pages, or as application/json`,
  };
}

/** The answer to a client for any failure while its request or the response was translated. */
export function refusalFor(error: unknown, direction: 'request' | 'response'): Refusal {
  if (error instanceof TranslationError) {
    const known = direction === 'request' ? refusalOf(error) : undefined;
    if (known === undefined && error.code === 'TOO_LARGE') return refusalFrom(tooLarge(error));
    return (
      known ??
      refusalFrom(answerOf(new ProxyError('bad-response', `its answer cannot be translated: ${error.message}`)))
    );
  }
  if (error instanceof ProxyError) return refusalFrom(answerOf(error));
  const message = `Internal error occurred: ${errorText(error)}; see the log of the proxy`;
  return refusalFrom({ status: 500, reason: 'InternalError', message });
}

/** Sends a refusal to a client, unless it has left. */
export function answerRefusal(asked: Asked, reply: Reply, { status, headers, body }: Refusal): void {
  if (reply.isGone) return;
  // What is left of the body is not read: the connection cannot be used again.
  const isRead = asked.isWhole || !announcesBody(asked.headers);
  reply.begin({ status, headers: Object.entries(headers).flat(), hasDate: true, isLast: !isRead });
  reply.end(asked.method === 'HEAD' ? undefined : body);
}

/** An answer for a connection that is no longer, or not yet, one of an HTTP server. */
export function rawAnswer(refusal: Refusal, words: string): Buffer {
  const lines = Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${refusal.status} ${words}\r\n${lines.join('')}connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), refusal.body]);
}
