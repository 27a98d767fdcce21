import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

import { READY_POLL_MS, READY_REQUEST_LIMIT_MS } from './limits.js';
import type { ServerProcess } from './processes.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface GetOptions {
  readonly ca?: string;
  readonly token?: string;
  readonly signal?: AbortSignal | undefined;
}

/** One GET on a connection of its own. */
export function get(url: string, options: GetOptions = {}): Promise<Answer> {
  const limit = AbortSignal.timeout(READY_REQUEST_LIMIT_MS);
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url, {
      agent: false,
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(options.token === undefined ? {} : { headers: { authorization: `Bearer ${options.token}` } }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.end();
  });
}

/** The process died before it was ready; the message ends with its log. */
export class ServerDiedError extends Error {
  override readonly name = 'ServerDiedError';
}

/**
 * Polls until `isReady` returns true. A refused connection or a half-written file
 * only means "not yet", so what it throws is kept for the final message.
 */
export async function waitReady(
  server: ServerProcess,
  isReady: () => Promise<boolean>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  let last = 'not ready';
  for (;;) {
    signal?.throwIfAborted();
    if (server.hasExited()) {
      throw new ServerDiedError(`${await server.exited} while starting; its log ends:\n${server.logTail()}`);
    }
    try {
      if (await isReady()) {
        return;
      }
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (performance.now() > deadline) {
      const limit = `${limitMs / 1000} s`;
      throw new Error(`${server.name} was not ready within ${limit} (${last}); its log ends:\n${server.logTail()}`);
    }
    await sleep(READY_POLL_MS);
  }
}
