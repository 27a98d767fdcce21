import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect as connectPlain, isIP, Socket } from 'node:net';
import type { OnReadOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecure, createSecureContext } from 'node:tls';
import type { ConnectionOptions, SecureContext } from 'node:tls';
import { errorText, openSocks5 } from '@capstan/kube/connect';
import type { ClientCertificate, Connection } from '@capstan/kube/connect';
import type { ProxyNetwork } from '../config.js';
import { ProxyError } from '../errors.js';

/** What both ends prove themselves with; connections made with another are not used again. */
export interface Identity {
  readonly caPem: string | undefined;
  readonly certificate: ClientCertificate | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Probes find out that the other machine is gone while nobody speaks. */
const KEEP_ALIVE_MS = 15_000;

/** Where the bytes of a connection go. */
export interface Tap {
  take: (bytes: Buffer) => void;
}

/** How a connection is to be used. */
export interface DialOptions {
  /** It becomes a tunnel, of which each way ends by itself. */
  readonly allowHalfOpen: boolean;
  /** Reads come here, in a buffer that the next one overwrites; otherwise they are events of the socket. */
  readonly tap?: Tap | undefined;
}

/** What a record of TLS holds at most. */
const READ_BYTES = 16 * 1024;

/** Opens connections to one server. */
export class Dialler {
  readonly #connection: Connection;
  readonly #url: URL;
  readonly #network: ProxyNetwork['dial'] | undefined;
  #identity: Identity | undefined;
  #context: SecureContext | undefined;
  #session: Buffer | undefined;

  constructor(connection: Connection, network?: ProxyNetwork['dial']) {
    this.#connection = connection;
    this.#network = network;
    this.#url = new URL(connection.server);
  }

  /** A connection over which requests can be sent. */
  async dial(identity: Identity, options: DialOptions): Promise<Duplex> {
    const isSecure = this.#url.protocol === 'https:';
    const [host, port] = addressOf(this.#url, isSecure ? 443 : 80);
    const way = await this.#way(host, port);
    const { allowHalfOpen, tap } = options;
    // A socket within another, and one that the caller has opened, are read as events.
    const read = tap === undefined || way !== undefined ? {} : { onread: readerInto(tap) };
    const socket = isSecure
      ? this.#secure({ host, port, way, identity, more: { allowHalfOpen, ...read } })
      : (way ?? connectPlain({ host, port, allowHalfOpen, ...read }));
    if (way !== undefined && tap !== undefined) socket.on('data', (chunk: Buffer) => tap.take(chunk));
    // The way through a proxy is open already.
    if (isSecure || way === undefined) await connected(socket, isSecure ? 'secureConnect' : 'connect');
    if (socket instanceof Socket) {
      socket.setNoDelay(true);
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
    }
    return socket;
  }

  #secure(to: {
    readonly host: string;
    readonly port: number;
    readonly way: Duplex | undefined;
    readonly identity: Identity;
    readonly more: { readonly allowHalfOpen: boolean; readonly onread?: OnReadOpts };
  }): Socket {
    const { insecureSkipVerify, serverName } = this.#connection.trust;
    const { host, port, way, more } = to;
    // First: with another identity the session of the one before must not be taken up again.
    const secureContext = this.#contextOf(to.identity);
    const name = serverName ?? (isIP(host) === 0 ? host : undefined);
    const socket = connectSecure({
      host,
      port,
      ...(way === undefined ? {} : { socket: way }),
      ...(name === undefined ? {} : { servername: name }),
      ...(this.#session === undefined ? {} : { session: this.#session }),
      secureContext,
      rejectUnauthorized: insecureSkipVerify !== true,
      ALPNProtocols: ['http/1.1'],
      ...more,
    } satisfies ConnectionOptions & typeof more as ConnectionOptions);
    // A session that is taken up again saves both sides most of the next handshake.
    socket.on('session', (session: Buffer) => {
      if (this.#identity === to.identity) this.#session = session;
    });
    return socket;
  }

  /** Reading certificates is dear: once per identity, not per connection. */
  #contextOf(identity: Identity): SecureContext {
    if (this.#context !== undefined && this.#identity === identity) return this.#context;
    const { caPem, certificate } = identity;
    this.#identity = identity;
    this.#session = undefined;
    this.#context = createSecureContext({
      ...(caPem === undefined ? {} : { ca: caPem }),
      ...(certificate === undefined ? {} : { cert: certificate.certPem, key: certificate.keyPem }),
    });
    return this.#context;
  }

  async #overNetwork(host: string, port: number): Promise<Duplex | undefined> {
    try {
      return await this.#network?.(host, port);
    } catch (error) {
      throw new ProxyError('unreachable', errorText(error), error);
    }
  }

  /** Through the proxy that the configuration names, if it names one, or another network than the machine's. */
  async #way(host: string, port: number): Promise<Duplex | undefined> {
    const { proxyUrl, trust } = this.#connection;
    if (proxyUrl === undefined) return this.#overNetwork(host, port);
    const proxy = new URL(proxyUrl);
    if (proxy.protocol === 'socks5:') return openSocks5(proxy, { host, port }, CONNECT_TIMEOUT_MS);
    return openConnect(proxy, `${host.includes(':') ? `[${host}]` : host}:${port}`, {
      rejectUnauthorized: trust.insecureSkipVerify !== true,
      ...(trust.caPem === undefined ? {} : { ca: trust.caPem }),
    });
  }
}

/** Reads without a buffer, a view of it and a place in a queue for each. */
function readerInto(tap: Tap): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return {
    buffer,
    callback: (size) => {
      tap.take(buffer.subarray(0, size));
      return true;
    },
  };
}

function addressOf(url: URL, defaultPort: number): [host: string, port: number] {
  return [url.hostname.replace(/^\[|\]$/g, ''), url.port === '' ? defaultPort : Number(url.port)];
}

function connected(socket: Duplex, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      socket.destroy(new ProxyError('unreachable', `no connection within ${CONNECT_TIMEOUT_MS / 1000} s`));
    }, CONNECT_TIMEOUT_MS);
    const failed = (error?: Error): void => {
      clearTimeout(late);
      socket.destroy();
      reject(
        new ProxyError('unreachable', error === undefined ? 'the connection was closed' : errorText(error), error),
      );
    };
    const closed = (): void => failed();
    socket.once('error', failed).once('close', closed);
    socket.once(event, () => {
      clearTimeout(late);
      socket.removeListener('error', failed).removeListener('close', closed);
      resolve();
    });
  });
}

/** Asks an HTTP proxy for a way to the server. */
function openConnect(proxy: URL, target: string, tls: object): Promise<Socket> {
  const isSecure = proxy.protocol === 'https:';
  const [host, port] = addressOf(proxy, isSecure ? 443 : 80);
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: target,
    ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
  };
  const options = { host, port, method: 'CONNECT', path: target, headers, timeout: CONNECT_TIMEOUT_MS, agent: false };
  return new Promise((resolve, reject) => {
    const asked = isSecure ? secureRequest({ ...options, ...tls }) : plainRequest(options);
    const failed = (why: string, cause?: unknown): void => {
      asked.destroy();
      reject(new ProxyError('unreachable', `the proxy ${proxy.host} ${why}`, cause));
    };
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else failed(`refuses a connection to ${target} with ${statusCode}`);
    });
    asked.once('response', ({ statusCode }) => failed(`answers ${statusCode}`));
    asked.once('timeout', () => failed(`does not answer within ${CONNECT_TIMEOUT_MS / 1000} s`));
    asked.once('error', (error) => failed(`cannot be reached: ${error.message}`, error));
    asked.end();
  });
}
