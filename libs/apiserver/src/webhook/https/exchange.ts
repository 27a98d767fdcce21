import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestSecure, type Agent as ConnectionPool, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { ServiceAddress } from '../call.js';
import { verifyHost } from './server-identity.js';

/** Where a call goes, and under what name. */
export interface Destination {
  /** As errors quote it. */
  readonly url: string;
  readonly address: ServiceAddress;
  readonly serverName: string;
  readonly hostHeader: string;
  readonly target: string;
  /** Behind a service: whatever it leads to must prove to be that service. */
  readonly isService?: boolean;
  /** Not over TLS; only redirects lead there. */
  readonly isPlain?: boolean;
}

const USER_AGENT = 'kube-apiserver-admission';

class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** The time of the call was over. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** One request of a call. */
export interface Post {
  readonly destination: Destination;
  readonly pool: ConnectionPool;
  /** A text, because that goes out in one piece with the head before it. Undefined: a GET, as some redirects ask for. */
  readonly body: string | undefined;
  /** Who led here. */
  readonly referer?: string | undefined;
  /** On the clock of `performance`. */
  readonly deadline: number;
  readonly limitBytes: number;
}

/** What was answered. */
export interface Exchanged {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Empty when it leads nowhere else. */
  readonly location: string;
  /** As it was written; empty when it was not. */
  readonly retryAfter: string;
}

/** How far a call has come. */
export interface Progress {
  request?: ClientRequest;
  /** The head of the answer was there. */
  isAnswered: boolean;
}

/** One request; once more when a kept connection turns out to be closed. */
export async function exchange(post: Post, progress: Progress): Promise<Exchanged> {
  try {
    return await send(post, progress);
  } catch (error) {
    const { code } = error as { code?: string };
    const isLost = !progress.isAnswered && (code === 'ECONNRESET' || code === 'EPIPE');
    if (!isLost || progress.request?.reusedSocket !== true) throw error;
    return send(post, progress);
  }
}

function send(post: Post, progress: Progress): Promise<Exchanged> {
  const { destination, pool, body, deadline, limitBytes, referer } = post;
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: body === undefined ? 'GET' : 'POST',
      host: destination.address.host,
      port: destination.address.port,
      path: destination.target,
      // An address cannot be asked for by name; the certificate is checked against it all the same.
      servername: isIP(destination.serverName) === 0 ? destination.serverName : '',
      ...(destination.isPlain === true ? {} : { agent: pool }),
      checkServerIdentity: (_host, certificate) => verifyHost(destination.serverName, certificate),
      headers: {
        host: destination.hostHeader,
        'user-agent': USER_AGENT,
        ...(body === undefined
          ? {}
          : { 'content-length': Buffer.byteLength(body), 'content-type': 'application/json' }),
        accept: 'application/json, */*',
        ...(referer === undefined ? {} : { referer }),
      },
    };
    const request = destination.isPlain === true ? requestPlain : requestSecure;
    const outgoing = request(options, (response) => {
      progress.isAnswered = true;
      readAnswer(response, limitBytes).then(settle(resolve), settle(reject));
    });
    progress.request = outgoing;
    const timer = setTimeout(() => outgoing.destroy(new DeadlineExceeded()), Math.max(0, deadline - performance.now()));
    const settle =
      <T>(done: (value: T) => void) =>
      (value: T): void => {
        clearTimeout(timer);
        done(value);
      };
    outgoing.once('error', settle(reject));
    outgoing.end(body);
  });
}

function readAnswer(response: IncomingMessage, limitBytes: number): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) response.destroy(new AnswerTooLarge(`the answer is larger than ${limitBytes} bytes`));
      else chunks.push(chunk);
    });
    response.once('error', reject);
    response.once('end', () => {
      const contentType = response.headers['content-type'] ?? '';
      const { statusCode: status = 0, headers } = response;
      const { location = '', 'retry-after': retryAfter = '' } = headers;
      resolve({ status, contentType, body: Buffer.concat(chunks), location, retryAfter });
    });
  });
}
