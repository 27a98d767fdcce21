import { createServer as createPlain } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyPair } from '../certs/options.js';
import { whenAborted } from '../runtime/abort.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';

/** A request as an endpoint sees it. */
export interface EndpointRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
}

export interface EndpointReply {
  readonly status: number;
  readonly contentType?: string | undefined;
  /** More headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Uint8Array;
}

export type Endpoint = (request: EndpointRequest) => EndpointReply | Promise<EndpointReply>;

/** A certificate that may change while it is used. */
export interface ServingCertificate {
  readonly current: KeyPair;
  onChange(listener: (pair: KeyPair) => void): void;
}

export interface EndpointServerOptions {
  readonly name: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Default: this machine only. */
  readonly host?: string | undefined;
  /** With it the server speaks TLS. */
  readonly certificate?: ServingCertificate | undefined;
  /** Puts the server on a network that is not this machine's, the one of a pod for one. Default: a socket. */
  readonly attach?: AttachServer | undefined;
  readonly logger: Logger;
  /** Larger bodies are refused with 413. Default 7 MiB, which holds any review. */
  readonly maxBodyBytes?: number | undefined;
  /** Time to send the head of a request. Default 32 s, as the real servers. */
  readonly headersMs?: number | undefined;
  /** Time to send a request as a whole. Default 60 s: nobody waits longer for a review than 30. */
  readonly requestMs?: number | undefined;
  /** A connection on which nothing moves for so long is closed, whichever side is to send. Default 120 s. */
  readonly idleMs?: number | undefined;
}

/** Lets a server that listens nowhere itself serve a port; gives what takes it off again. */
export type AttachServer = (
  port: number,
  server: { emit(event: 'connection', connection: Duplex): boolean },
) => Promise<{ close(): Promise<void> }>;

const MAX_BODY_BYTES = 7 * 1024 * 1024;
/**
 * Longer than clients in Go keep a connection that they do not use, 90 s: the side that closes first must be the client, or a
 * review that it sends at that moment is lost, and it does not send one twice.
 */
const KEEP_ALIVE_MS = 120_000;
const HEADERS_MS = 32_000;
const REQUEST_MS = 60_000;
/** Late connections are cut at most so much after their limit. */
const MAX_CHECK_MS = 5_000;

/** A small HTTP or HTTPS server: metrics, probes, webhooks. */
export class EndpointServer {
  readonly name: string;
  readonly #options: EndpointServerOptions;
  readonly #routes = new Map<string, Endpoint>();
  readonly #answering = new Set<Promise<void>>();
  readonly #listening: Promise<string>;
  #isDraining = false;
  #listened: (url: string) => void = () => {};
  #refused: (error: unknown) => void = () => {};

  constructor(options: EndpointServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.#listening = new Promise((resolve, reject) => {
      this.#listened = resolve;
      this.#refused = reject;
    });
    this.#listening.catch(() => {});
  }

  /** Answers a path, and all below it that nobody else answers. */
  route(path: string, endpoint: Endpoint): void {
    this.#routes.set(path, endpoint);
  }

  /** Resolves with the URL once connections are taken. */
  ready(): Promise<string> {
    return this.#listening;
  }

  /** Every response from now on closes its connection: the client's next request goes to another replica. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Serves until the signal aborts; requests under way are answered first. */
  async run(signal: AbortSignal): Promise<void> {
    const { certificate, host = '127.0.0.1', port } = this.#options;
    const handle = (incoming: IncomingMessage, response: ServerResponse): void => {
      const answering = this.#serve(incoming, response).finally(() => this.#answering.delete(answering));
      this.#answering.add(answering);
    };
    const limits = timeLimits(this.#options);
    const server: Server | SecureServer =
      certificate === undefined
        ? createPlain(limits, handle)
        : createSecure({ ...limits, ...contextOf(certificate.current) }, handle);
    server.setTimeout(this.#options.idleMs ?? KEEP_ALIVE_MS);
    certificate?.onChange((pair) => (server as SecureServer).setSecureContext(contextOf(pair)));
    const { attach } = this.#options;
    if (attach !== undefined) return this.#runAttached(attach, server, signal);
    const failed = new Promise<never>((_resolve, reject) => server.once('error', reject));
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      this.#listened(`${this.#scheme}://${shown}:${address.port}`);
    });
    failed.catch((error: unknown) => this.#refused(error));
    try {
      await Promise.race([failed, whenAborted(signal)]);
    } finally {
      await this.#close(server);
    }
  }

  get #scheme(): string {
    return this.#options.certificate === undefined ? 'http' : 'https';
  }

  async #runAttached(attach: AttachServer, server: Server | SecureServer, signal: AbortSignal): Promise<void> {
    const { host = 'localhost', port } = this.#options;
    const open = new Set<Duplex>();
    const seen = {
      emit: (event: 'connection', connection: Duplex): boolean => {
        open.add(connection);
        connection.once('close', () => open.delete(connection));
        return server.emit(event, connection);
      },
    };
    const listener = await attach(port, seen).catch((error: unknown) => {
      this.#refused(error);
      throw error;
    });
    this.#listened(`${this.#scheme}://${host}:${port}`);
    await whenAborted(signal);
    while (this.#answering.size > 0) await Promise.allSettled(this.#answering);
    await listener.close();
    for (const connection of open) connection.destroy();
  }

  /** Connections kept open for later are not waited for, only answers under way. */
  async #close(server: Server | SecureServer): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    while (this.#answering.size > 0) await Promise.allSettled(this.#answering);
    server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    let reply: EndpointReply;
    try {
      reply = await this.#answer(incoming, left.signal);
    } catch (error) {
      this.#options.logger.error('a request could not be answered', { server: this.name, error: errorText(error) });
      reply = { status: 500, body: 'internal server error\n' };
    }
    if (response.destroyed) return;
    response.writeHead(reply.status, {
      'content-type': reply.contentType ?? 'text/plain; charset=utf-8',
      ...reply.headers,
      ...(this.#isDraining ? { connection: 'close' } : {}),
    });
    await new Promise<void>((resolve) => {
      response.once('close', resolve);
      response.end(reply.body, resolve);
    });
  }

  async #answer(incoming: IncomingMessage, signal: AbortSignal): Promise<EndpointReply> {
    const target = incoming.url ?? '/';
    // Such as `//`, which is no fault of ours.
    if (!URL.canParse(target, 'http://server')) return { status: 400, body: '400 bad request\n' };
    const url = new URL(target, 'http://server');
    const endpoint = this.#find(url.pathname);
    if (endpoint === undefined) return { status: 404, body: '404 page not found\n' };
    const body = await readBody(incoming, this.#options.maxBodyBytes ?? MAX_BODY_BYTES);
    if (body === undefined) return refused(413, 'request entity is too large\n');
    return endpoint({
      method: incoming.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      contentType: incoming.headers['content-type'] ?? '',
      body,
      signal,
    });
  }

  /** The longest route that the path is at or below. */
  #find(path: string): Endpoint | undefined {
    let found = '';
    for (const route of this.#routes.keys())
      if (route.length > found.length && (path === route || path.startsWith(`${route}/`))) found = route;
    return this.#routes.get(found);
  }
}

/** What is left of the body is not read: the connection ends with the answer. */
function refused(status: number, body: string): EndpointReply {
  return { status, headers: { connection: 'close' }, body };
}

function contextOf({ certPem, keyPem }: KeyPair): { cert: string; key: string } {
  return { cert: certPem, key: keyPem };
}

/** A client that sends a byte now and then holds a connection for no longer than these. */
function timeLimits({ headersMs = HEADERS_MS, requestMs = REQUEST_MS }: EndpointServerOptions): ServerOptions {
  return {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    requestTimeout: Math.max(headersMs, requestMs),
    connectionsCheckingInterval: Math.min(MAX_CHECK_MS, headersMs / 4),
  };
}

/** Undefined when it is too large; the rest is read, or the answer would be lost with it. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}
