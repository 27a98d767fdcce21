import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable, type Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { ApiRequest, ApiResponse, StreamBody } from '@capstan/meta';
import { HOP_HEADERS, type BackendRequest } from '../verbs/backend-request.js';
import type { PodAddress, PodConnector } from '../verbs/connectors.js';

/**
 * Asks over a fresh connection, which the answer then owns. An answer of 101 comes as the connection itself; any other
 * as a stream. Rejects when the connection breaks before there is an answer.
 */
export function askBackend(connection: Duplex, asked: BackendRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      createConnection: () => connection,
      method: asked.method,
      path: asked.target,
      headers: { ...asked.headers, host: asked.host },
      signal: asked.signal,
    });
    const fail = (error: Error): void => {
      connection.destroy();
      reject(error);
    };
    sent.on('error', fail);
    sent.on('response', (incoming) => {
      incoming.on('close', () => connection.destroy());
      resolve({ status: incoming.statusCode ?? 502, headers: responseHeaders(incoming), body: streamOf(incoming) });
    });
    sent.on('upgrade', (incoming, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve({
        status: 101,
        headers: responseHeaders(incoming, true),
        body: { type: 'upgrade', connection: socket },
      });
    });
    sendBody(sent, asked.body, fail);
  });
}

function sendBody(sent: NodeJS.WritableStream, body: ApiRequest['body'], fail: (error: Error) => void): void {
  if (body === undefined) sent.end();
  else if (body.type === 'bytes') sent.end(body.bytes);
  else if (body.type === 'value') sent.end(JSON.stringify(body.value));
  else Readable.from(body.read()).on('error', fail).pipe(sent);
}

/** Reads a body as it comes. */
function streamOf(incoming: IncomingMessage): StreamBody {
  // It may break when nobody listens any more.
  incoming.on('error', () => {});
  return { type: 'stream', read: () => incoming, cancel: () => void incoming.destroy() };
}

function responseHeaders(incoming: IncomingMessage, isUpgrade = false): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined && (isUpgrade || !HOP_HEADERS.has(name))) headers[name] = value;
  }
  return headers;
}

/** Reaches pods over connections that the given function opens. */
export function podConnector(dial: (pod: PodAddress) => Promise<Duplex>): PodConnector {
  return {
    async ask(pod, request) {
      const connection = await dial(pod);
      return askBackend(pod.isSecure ? await secured(connection) : connection, request);
    },
  };
}

/** Pods' certificates are nobody's business here, as with the real server. */
function secured(connection: Duplex): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = connect({ socket: connection, rejectUnauthorized: false });
    secure.once('error', reject);
    secure.once('secureConnect', () => {
      secure.removeListener('error', reject);
      resolve(secure);
    });
  });
}
