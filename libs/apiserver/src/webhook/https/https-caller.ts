import { Agent as ConnectionPool } from 'node:https';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { stringifyJson } from '@capstan/meta';
import { servicePort } from '../resolve-service.js';
import type {
  ServiceAddress,
  ServiceResolver,
  WebhookAnswer,
  WebhookCall,
  WebhookCaller,
  WebhookService,
} from '../call.js';
import { DeadlineExceeded, type Destination, type Post } from './exchange.js';
import { goErrorText } from './go-errors.js';
import { postWithRetries } from './retry-after.js';
import { RedirectRefused } from './redirects.js';

/** Every bound of the caller. */
export interface WebhookLimits {
  /** Largest answer that is read. */
  readonly answerBytes: number;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number;
  /** Connections kept idle to one webhook. */
  readonly idleConnections: number;
  /** How many authorities' connections are kept; the one used longest ago goes first. */
  readonly authorities: number;
}

export const DEFAULT_WEBHOOK_LIMITS: WebhookLimits = {
  answerBytes: 16 * 1024 * 1024,
  keepAliveMs: 90_000,
  idleConnections: 25,
  authorities: 100,
};

export interface HttpsCallerOptions {
  /** Asked first; undefined: the server that calls knows better. */
  readonly resolveService?: ((service: WebhookService) => ServiceAddress | undefined) | undefined;
  readonly limits?: Partial<WebhookLimits> | undefined;
}

/** Calls webhooks over HTTPS/1.1, with connections kept by authority. */
export class HttpsCaller implements WebhookCaller {
  readonly #limits: WebhookLimits;
  readonly #options: HttpsCallerOptions;
  readonly #pools = new Map<string, ConnectionPool>();

  constructor(options: HttpsCallerOptions = {}) {
    this.#options = options;
    this.#limits = { ...DEFAULT_WEBHOOK_LIMITS, ...options.limits };
  }

  async call(call: WebhookCall, resolve: ServiceResolver): Promise<WebhookAnswer> {
    const started = performance.now();
    const failed = (error: string, isTimeout = false): WebhookAnswer => ({
      error,
      isTimeout,
      durationMs: performance.now() - started,
    });
    const destination = this.#destination(call, resolve);
    if (typeof destination === 'string') return failed(destination);
    let pool: ConnectionPool;
    try {
      pool = this.#poolFor(call.client.caBundle ?? '');
    } catch (error) {
      return failed(`unable to load root certificates: ${error instanceof Error ? error.message : String(error)}`);
    }
    const body = `${stringifyJson(call.review)}\n`;
    const deadline = started + call.timeoutMs;
    const post: Post = { destination, pool, body, deadline, limitBytes: this.#limits.answerBytes };
    const progress = { isAnswered: false, destination };
    try {
      const { status, contentType, body: answer } = await postWithRetries(post, progress);
      return { status, contentType, body: answer, durationMs: performance.now() - started };
    } catch (error) {
      if (error instanceof RedirectRefused) return failed(`Post ${JSON.stringify(error.url)}: ${error.message}`);
      const isTimeout = error instanceof DeadlineExceeded;
      const reason = isTimeout ? 'context deadline exceeded' : goErrorText(error, progress.destination.address);
      return failed(`${prefixOf(progress.isAnswered, progress.destination)}${reason}`, isTimeout);
    }
  }

  /** Lets go of idle connections. */
  close(): void {
    for (const pool of this.#pools.values()) pool.destroy();
    this.#pools.clear();
  }

  #destination({ client, timeoutMs, sendsTimeout }: WebhookCall, resolve: ServiceResolver): Destination | string {
    const query = sendsTimeout ? `?timeout=${Math.ceil(timeoutMs / 1000)}s` : '';
    if (client.service !== undefined) return this.#serviceDestination(client.service, query, resolve);
    let url: URL;
    try {
      url = new URL(client.url ?? '');
    } catch {
      return `Unparsable URL: ${client.url ?? ''}`;
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const target = `${cleanPath(url.pathname)}${query}`;
    return {
      url: `https://${url.host}${target}`,
      address: { host, port: url.port === '' ? 443 : Number(url.port) },
      serverName: host,
      hostHeader: url.host,
      target,
    };
  }

  #serviceDestination(service: WebhookService, query: string, resolve: ServiceResolver): Destination | string {
    const serverName = `${service.name}.${service.namespace}.svc`;
    const hostHeader = `${serverName}:${servicePort(service)}`;
    const target = `${cleanPath(service.path ?? '')}${query}`;
    const url = `https://${hostHeader}${target}`;
    const address = this.#options.resolveService?.(service) ?? resolve(service);
    if (typeof address === 'string') return `Post ${JSON.stringify(url)}: ${address}`;
    return { url, address, serverName, hostHeader, target, isService: true };
  }

  #poolFor(caBundle: string): ConnectionPool {
    const known = this.#pools.get(caBundle);
    if (known !== undefined) {
      // Most recently used last.
      this.#pools.delete(caBundle);
      this.#pools.set(caBundle, known);
      return known;
    }
    const { keepAliveMs, idleConnections, authorities } = this.#limits;
    // One context for all connections: reading a bundle takes longer than a handshake.
    const secureContext = caBundle === '' ? undefined : trustIn(caBundle);
    const pool = new ConnectionPool({
      keepAlive: true,
      maxFreeSockets: idleConnections,
      timeout: keepAliveMs,
      // Whatever proxy the environment of the process names.
      rejectUnauthorized: true,
      ...(secureContext === undefined ? {} : { secureContext }),
    } as ConstructorParameters<typeof ConnectionPool>[0]);
    this.#pools.set(caBundle, pool);
    const oldest = this.#pools.keys().next().value;
    if (this.#pools.size > authorities && oldest !== undefined) {
      this.#pools.get(oldest)?.destroy();
      this.#pools.delete(oldest);
    }
    return pool;
  }
}

/** Like Go, trusts what is in the bundle, whether or not it signed itself: a serving certificate may be its own authority. */
function trustIn(caBundle: string): SecureContext {
  const ca = Buffer.from(caBundle, 'base64').toString('latin1');
  const options: SecureContextOptions & { readonly allowPartialTrustChain: boolean } = {
    ca,
    allowPartialTrustChain: true,
  };
  return createSecureContext(options);
}

/** An error while the answer was read is worded differently from one before. */
function prefixOf(isReading: boolean, { url }: Destination): string {
  if (isReading) return 'unexpected error when reading response body. Please retry. Original error: ';
  return `Post ${JSON.stringify(url)}: `;
}

/** A path as Go joins it: no double slashes, no dots, no slash at the end. */
function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
