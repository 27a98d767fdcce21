import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { trimEndOf } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock, Transport } from '@capstan/meta';
import type { buildConnector, Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Connection } from '../config/connection.js';
import type { ClientCertificate, Credentials } from '../config/credentials.js';
import { systemClock } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import { dialler } from './dialler.js';
import { TransportError } from './errors.js';
import { Exchange } from './exchange.js';
import { encodeJson } from './json.js';
import { openSocks5 } from './socks5.js';

export interface HttpTransportOptions {
  readonly clock?: Clock | undefined;
  /** A finite request without an answer for this long fails with `UND_ERR_HEADERS_TIMEOUT`. Default 90 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** A watch that asked for bookmarks and receives nothing for this long is cut. Default 5 min; 0 = never. */
  readonly watchIdleMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Most connections open at once; each watch holds one. Default: no limit. */
  readonly maxConnections?: number | undefined;
  /** Makes the connections instead of the machine's own network: that of a pod, for one. */
  readonly dial?: ((host: string, port: number) => Promise<Duplex>) | undefined;
  /** Called for every response; `RuntimeMetrics.transferObserver` creates one. */
  readonly onTransfer?: ((transfer: Transfer) => void) | undefined;
}

/** How much went over the wire for one request; of a watch or a stream only what was sent. */
export interface Transfer {
  readonly method: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

const MINUTE_MS = 60_000;

/** Loaded with the first request: it is heavy, and controllers in the process of the embedded server never need it. */
let undici: Undici | undefined;

interface Undici {
  readonly Pool: typeof Pool;
  readonly ProxyAgent: typeof ProxyAgent;
  readonly buildConnector: typeof buildConnector;
}

/** Carries requests to an API server over HTTP/1.1. */
export class HttpTransport implements Transport {
  readonly #connection: Connection;
  readonly #options: HttpTransportOptions;
  readonly #clock: Clock;
  readonly #origin: string;
  readonly #prefix: string;
  #pool: Dispatcher | undefined;
  #certificate: ClientCertificate | undefined;
  #closed = false;

  constructor(connection: Connection, options: HttpTransportOptions = {}) {
    const url = new URL(connection.server);
    this.#connection = connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock();
    this.#origin = url.origin;
    this.#prefix = trimEndOf(url.pathname, '/');
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    undici ??= await import('undici');
    const source = this.#connection.credentials;
    const response = await this.#dispatch(request, await source.get());
    // Refused outright, so certainly not acted upon: worth one more try with fresh credentials.
    if (response.status !== 401 || !source.refresh()) return response;
    return this.#dispatch(request, await source.get());
  }

  /** Drops every connection; requests under way fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.destroy();
  }

  #dispatch(request: ApiRequest, credentials: Credentials): Promise<ApiResponse> {
    const isWatch = isWatchTarget(request.target);
    const isEndless = isWatch || request.isStreaming === true;
    const timeout = this.#options.requestTimeoutMs ?? 90_000;
    const exchange = new Exchange({
      isWatch,
      isStreaming: request.isStreaming === true,
      signal: request.signal,
      clock: this.#clock,
      watchIdleMs: request.target.includes('allowWatchBookmarks=true')
        ? (this.#options.watchIdleMs ?? 5 * MINUTE_MS)
        : 0,
    });
    if (request.signal?.aborted === true) return exchange.response;
    const body = wireBody(request.body);
    this.#poolFor(credentials.certificate).dispatch(
      {
        origin: this.#origin,
        path: this.#prefix + request.target,
        // undici takes any token; its type lists the common ones.
        method: request.method as 'GET',
        headers: requestHeaders(request, credentials, isEndless),
        body,
        headersTimeout: timeout,
        bodyTimeout: isEndless ? 0 : timeout,
      },
      exchange,
    );
    const { onTransfer } = this.#options;
    if (onTransfer === undefined) return exchange.response;
    const requestBytes = body instanceof Uint8Array ? body.length : 0;
    return exchange.response.then((response) => {
      onTransfer({ method: request.method, requestBytes, responseBytes: payloadBytes(response) });
      return response;
    });
  }

  /** TLS proves one identity per connection: a new certificate needs new connections. */
  #poolFor(certificate: ClientCertificate | undefined): Dispatcher {
    if (this.#closed) throw new RuntimeError('misused', 'the transport is closed');
    if (this.#pool !== undefined && this.#certificate === certificate) return this.#pool;
    // Watches under way keep their connection until they end.
    void this.#pool?.close();
    const { caPem, insecureSkipVerify, serverName } = this.#connection.trust;
    this.#certificate = certificate;
    this.#pool = this.#connect({
      rejectUnauthorized: insecureSkipVerify !== true,
      ...(caPem === undefined ? {} : { ca: caPem }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(certificate === undefined ? {} : { cert: certificate.certPem, key: certificate.keyPem }),
    });
    return this.#pool;
  }

  #connect(tls: object): Dispatcher {
    if (undici === undefined) throw new TypeError('the HTTP client is not loaded');
    const { connectTimeoutMs: timeout = 10_000, dial, maxConnections } = this.#options;
    const pool = {
      connections: maxConnections ?? null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 30_000,
    };
    const socket = { timeout, keepAlive: true, keepAliveInitialDelay: 30_000 };
    if (dial !== undefined) return new undici.Pool(this.#origin, { ...pool, connect: dialler(dial, tls) });
    const { proxyUrl, trust } = this.#connection;
    if (proxyUrl === undefined) return new undici.Pool(this.#origin, { ...pool, connect: { ...socket, ...tls } });
    const proxy = new URL(proxyUrl);
    if (proxy.protocol === 'socks5:')
      return new undici.Pool(this.#origin, { ...pool, connect: socksConnector(undici, proxy, { ...socket, ...tls }) });
    // A proxy that is reached over TLS proves itself to whom the server does; the client proves itself to the server alone.
    const { caPem, insecureSkipVerify } = trust;
    const proxyTls = {
      ...socket,
      rejectUnauthorized: insecureSkipVerify !== true,
      ...(caPem === undefined ? {} : { ca: caPem }),
    };
    return new undici.ProxyAgent({ ...pool, uri: proxyUrl, requestTls: tls, proxyTls });
  }
}

/** Connections by way of a SOCKS5 proxy, with TLS to the server inside of them. */
function socksConnector(
  { buildConnector: connectorOf }: Undici,
  proxy: URL,
  options: buildConnector.BuildOptions & { readonly timeout: number },
): buildConnector.connector {
  const direct = connectorOf(options);
  return (target, callback) => {
    const { hostname, port, protocol } = target;
    const to = { host: hostname, port: Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port) };
    openSocks5(proxy, to, options.timeout).then(
      (httpSocket) =>
        protocol === 'https:' ? direct({ ...target, httpSocket }, callback) : callback(null, httpSocket),
      (error: unknown) =>
        callback(error instanceof Error ? error : new TransportError('PROXY', String(error), false), null),
    );
  };
}

function wireBody(body: ApiRequest['body']): Uint8Array | Readable | null {
  if (body === undefined) return null;
  if (body.type === 'stream') return Readable.from(body.read());
  return body.type === 'bytes' ? body.bytes : encodeJson(body.value);
}

function payloadBytes({ body }: ApiResponse): number {
  return body.type === 'payload' ? body.chunks().reduce((sum, chunk) => sum + chunk.length, 0) : 0;
}

function isWatchTarget(target: string): boolean {
  return /[?&]watch=(?:true|1)(?:&|$)/.test(target) || target.startsWith('/api/v1/watch/');
}

function requestHeaders(
  request: ApiRequest,
  credentials: Credentials,
  isEndless: boolean,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  // Events are small and must not wait in a compressor.
  if (!isEndless) headers['accept-encoding'] = 'gzip';
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers[name] = value;
  for (const [name, value] of Object.entries(credentials.headers))
    headers[name] = typeof value === 'string' ? value : [...value];
  return headers;
}
